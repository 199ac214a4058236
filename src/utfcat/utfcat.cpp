// utfcat: writes files of any encoding as one text, checked, repaired and transcoded.
//
//   raw_file -> [ decompressor ] -> to_utf8 -> pieces of UTF-8 -> filters -> pieces of UTF-8 -> from_utf8 -> fd_sink
//   one of these for each file (input.hpp)       (filters.hpp)               one for all (output.hpp)
//
// With --range a range_source takes the place of raw_file. With --jobs several threads run to_utf8 and from_utf8
// (parallel.hpp). --follow is in follow.cpp.
#include "charsets.hpp"
#include "copy_check.hpp"
#include "directories.hpp"
#include "distinct_files.hpp"
#include "follow.hpp"
#include "help.hpp"
#include "input.hpp"
#include "inspection.hpp"
#include "messages.hpp"
#include "options.hpp"
#include "output.hpp"
#include "parallel.hpp"
#include "reading.hpp"
#include "rejects_file.hpp"
#include "reporter.hpp"
#include "reports.hpp"
#include "results.hpp"
#include "same_content.hpp"
#include "side_by_side.hpp"
#include "summary.hpp"
#include "system.hpp"
#include "text_path.hpp"
#include "utf16_watch.hpp"

#include <utfilter/binary.hpp>
#include <utfilter/changes.hpp>
#include <utfilter/byte_range.hpp>
#include <utfilter/config.hpp>
#include <utfilter/convert.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/lines.hpp>
#include <utfilter/params.hpp>
#include <utfilter/text.hpp>
#include <utfilter/utf_error.hpp>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace utfcat {
namespace {

using utfilter::bom;
using utfilter::encoding;
using utfilter::errc;
using utfilter::error_info;
using utfilter::evidence;
using utfilter::on_error;

/// The size of all files in bytes, or of the range, 0 if one of the files is not a regular file.
std::uint64_t total_size(const std::vector<std::string>& files, const std::optional<utfilter::byte_range>& range) {
  std::uint64_t total = 0;
  for (const std::string& file : files) {
    const std::optional<file_size> size = size_of(file);
    if (size && !size->regular) return 0;
    if (size) total += size->bytes;
  }
  return range ? std::min(range->end, total) - std::min(range->begin, total) : total;
}

std::string line_feed_in(encoding);
std::string_view format_of(const options&, const input&);
std::string line_1_of(const input&);
std::optional<encoding> utf16_by_zeros(const input&);
std::string hint_of_other_encoding(const input&);
bool is_decided(const input&, const utfilter::stream_report&);
bool more_bytes_would_decide(const options&, const input&);

/// Copies or checks files.
class command {
 public:
  /// `to` is where the text goes, or the reports of a check; null if nothing is written. Lines that are put aside go to
  /// `rejects`, or are only counted if it is null. Throws std::invalid_argument if the options do not fit together.
  command(const options&, const destination* to, rejects_file* rejects);

  /// Takes the next file. With a team, several threads decode and encode it. Throws output_failure.
  results take(const std::string& name, reporter&, thread_team*);

  /// Ends the text. Throws output_failure.
  void finish();

  /// Compares what is written with a file, too.
  void compare_with(comparison& file) noexcept { path_.output().compare_with(file); }

 private:
  void copy(const std::string& name);
  void refuse(const input&) const;
  void guard(const input&, std::string_view format) const;
  [[noreturn]] void leave_alone(const std::string& why) const;
  void begin();
  void pour(input&);
  std::exception_ptr find_utf16(const input&);
  std::shared_ptr<const charset> decode(input&, utfilter::bom);
  void pass(const input&, std::string_view text);
  void adopt_encoding(const input&, std::shared_ptr<const charset> from);
  void end_same(const input&);
  void fail(const input_failure&);
  void note_start(const input&, std::string_view text);

  utfilter::line_rules line_rules();
  std::optional<utfilter::line_counts> line_counts(const input&) const;
  std::string counts_of_lines(const input&) const;

  void tell_found(const input&);
  void tell(const input&, const found_error&);
  void report(const input&, std::uint64_t bytes_out);
  void warn(const input&);
  void report_summary(const input&);
  void report_inspection(const input&);
  void report_identity(const input&);
  std::string doubt(const input&);
  std::string wrong_declaration(const input&) const;
  struct declared_names {
    std::string before, after;  // without --filter declare, and with it
  };
  declared_names names_in(std::string_view start) const;
  std::string written() const;
  std::optional<place_report> untrue_declaration(const input&) const;
  std::string hint(const input&) const;
  void report_stats(const input&, std::uint64_t bytes_out);
  void say(const std::string& message) { reporter_->say(message); }

  options options_;  // with --to same, they name the encoding as soon as it is known
  const destination* const target_;
  rejects_file* const rejects_;
  const bool guards_;  // whether a file that is replaced must not become worse
  text_path path_;
  bool opened_ = false;  // a file could be opened
  input_buffers buffers_;
  std::optional<copy_check> copy_;  // with --to same, if only errors may change the text

  // The current file.
  reporter* reporter_ = nullptr;
  thread_team* team_ = nullptr;
  results results_;
  std::string name_;
  std::uint64_t errors_here_ = 0;
  utfilter::stream_report report_;       // on the file up to the end of its text
  utfilter::line_counts lines_;          // those that were told
  std::string start_;                    // of its text, as far as it may declare an encoding
  std::optional<declared_names> names_;  // in a start that is full
  bool may_declare_ = true;    // whether the start declares another encoding than that of the output, or is not known
  bool beyond_ascii_ = false;  // of such a text
  std::string doubt_;          // why the encoding in which it was read may be wrong; else empty
  std::optional<error_info> utf16_;       // where it begins, if the text before it is UTF-8
  bool read_ = true;                      // the file could be read to its end, or to the error that ends its text
  std::optional<summary> summary_;        // if the user wants one
  std::optional<inspection> inspection_;  // if the user wants one
};

command::command(const options& o, const destination* to, rejects_file* rejects)
    : options_(o),
      target_(to),
      rejects_(rejects),
      guards_(!o.force && (o.in_place || (to != nullptr && !to->replaced().empty()))),
      path_(options_, o.only_checks() || o.dry_run ? nullptr : to) {
  // So wrong options throw once, not for each file:
  const utfilter::params p = path_.decoder_params(path_.next_bom());
  if (o.from_charset)
    o.from_charset->decode(nullptr, p, false);
  else if (o.sorts_lines())
    utfilter::to_utf8_lines(o.from, line_rules(), p);
  else
    utfilter::to_utf8(o.from, p);
}

results command::take(const std::string& name, reporter& to, thread_team* team) {
  reporter_ = &to;
  team_ = team;
  results_ = {};
  try {
    copy(name);
  } catch (const input_failure& why) {
    fail(why);
  } catch (const left_alone& why) {
    say(why.what());
    results_.left_alone = true;
    results_.whole = false;
  }
  return results_;
}

void command::finish() {
  if (std::exchange(opened_, false)) path_.output().finish();
}

void command::copy(const std::string& name) {
  const std::optional<file_size> size = options_.range ? size_of(name) : std::nullopt;
  if (size && !size->regular) throw input_failure(visible(name) + ": --range needs a regular file");
  input in(name, options_.decompress, options_.range, buffers_);
  const bool is_guarded = guards_ && name != "-";
  const std::string_view format = options_.recursive || is_guarded ? format_of(options_, in) : std::string_view();
  if (options_.recursive && !format.empty()) {
    results_.skipped = 1;
    results_.first_skipped = name;
    return;
  }
  refuse(in);
  name_ = name;
  if (is_guarded) guard(in, format);
  const bool was_opened = opened_;
  begin();
  const std::uint64_t written = path_.output().bytes_written();
  try {
    pour(in);
  } catch (const utfilter::utf_error& error) {
    results_.whole = results_.whole && error.info().code == errc::forbidden && options_.on_error == on_error::stop;
  } catch (const input_failure& why) {
    fail(why);
    // An output without text of a file gets no byte order mark for it.
    if (path_.output().bytes_written() == written) opened_ = was_opened;
  }
  tell_found(in);
  if (options_.same) end_same(in);
  report(in, path_.output().bytes_written() - written);
  reporter_->end_file(in.bytes_read());
  if (guards_ && results_.whole && !doubt_.empty()) leave_alone(doubt_);
}

/// Throws input_failure for a file to which utfcat writes.
void command::refuse(const input& in) const {
  // A file that utfcat appends to itself would grow until the disk is full.
  if (in.raw().bytes_read() != 0 && target_ != nullptr && target_->is(in.raw().fd()))
    throw input_failure(visible(in.name()) + ": is the output as well (--output can replace it)");
  if (rejects_ != nullptr && rejects_->is(in.raw().fd()))
    throw input_failure(visible(in.name()) + ": is the file of --rejects as well");
}

/// Throws left_alone for a file that is no text but has this format, or whose code units have another size than those of
/// the encoding in which it would be read.
void command::guard(const input& in, std::string_view format) const {
  if (!format.empty()) leave_alone(format == "data" ? "is no text" : "is " + std::string(format) + ", no text");
  const std::string start = in.start_of_bytes();
  const utfilter::encoding_guess looks = utfilter::guess_encoding(start);
  const encoding named = options_.from == encoding::detect ? options_.fallback : options_.from;
  if (start.empty() || options_.guesses() || options_.from_charset || looks.decided_by != evidence::structure ||
      looks.encoding == encoding::detect)
    return;
  if (code_unit_size(named) != code_unit_size(looks.encoding))
    leave_alone("looks like " + std::string(encoding_name(looks.encoding)) + ", but would be read as " +
                std::string(encoding_name(named)) + " (--from guess reads it right)");
}

/// Throws left_alone.
void command::leave_alone(const std::string& why) const {
  throw left_alone(visible(name_) + ": " + why +
                   (options_.in_place ? ", so it is left alone" : ", so it replaces no file") +
                   " (--force writes it all the same)");
}

void command::begin() {
  opened_ = results_.opened = true;
  doubt_.clear();
  start_.clear();
  names_.reset();
  may_declare_ = true;
  beyond_ascii_ = false;
  errors_here_ = 0;
  lines_ = {};
  utf16_.reset();
  read_ = true;
  if (options_.summary) summary_.emplace();
  if (options_.inspect) inspection_.emplace();
  if (options_.only_checks()) path_.output().begin();
  if (rejects_ != nullptr && options_.in_place) rejects_->begin_text();
}

void command::pour(input& in) {
  const bom policy = path_.next_bom();
  if (options_.same && options_.filters.empty() && options_.bom != bom::strip && options_.bom != bom::add) {
    in.check_by(copy_.emplace());
    path_.output().check_by(*copy_);
  }
  path_.begin(in, policy, inspection_ ? &*inspection_ : nullptr);
  const std::shared_ptr<const charset> from = decode(in, policy);
  std::exception_ptr failure;
  std::string_view text;
  bool first = true;
  do {
    try {
      text = in.next();
    } catch (...) {  // the filters may still hold text before the failure
      failure = std::current_exception();
      text = {};
    }
    if (text.empty() && !failure) failure = find_utf16(in);
    if (std::exchange(first, false) && options_.same && is_decided(in, in.report())) adopt_encoding(in, from);
    pass(in, text);
    reporter_->show_progress(in.bytes_read());
  } while (!text.empty());
  if (failure) std::rethrow_exception(failure);
}

/// Call this at the end of the text: UTF-16 may begin there, or have begun before. Returns a failure if that is one.
std::exception_ptr command::find_utf16(const input& in) {
  if (!in.utf16() || in.report().bytes_in < in.utf16()->offset) return nullptr;  // an error has ended the text before
  utf16_ = in.utf16();
  if (!ends_at_utf16(options_)) return nullptr;
  utf16_ = path_.end_at(*utf16_);
  const bool goes_on = options_.only_checks() || options_.on_error == on_error::stop;
  return goes_on ? nullptr : std::make_exception_ptr(utfilter::utf_error(*utf16_));
}

/// Decides how to decode the file. Returns its charset, null for an encoding of the library.
std::shared_ptr<const charset> command::decode(input& in, bom policy) {
  utfilter::params p = path_.decoder_params(policy);
  const bool tells_places = path_.has_places() && !options_.inspect;
  const bool guesses = options_.guesses();
  std::shared_ptr<const charset> from = guesses ? in.guess_charset(p, options_.identify) : options_.from_charset;
  if (options_.sorts_lines() && from)
    throw input_failure(visible(in.name()) + ": is in " + from->name() + ", " + why_no_lines);
  if (options_.sorts_lines()) in.sort_lines(line_rules());
  in.end_at_utf16(ends_at_utf16(options_));
  if (!from) {
    std::optional<team_work> team;
    if (team_ != nullptr && !options_.sorts_lines())
      team = team_work{team_, options_.tells_errors() || options_.summary || options_.inspect,
                       options_.filters.empty() ? path_.output().coding() : std::nullopt};
    in.decode(guesses ? encoding::guess : options_.from, p, team ? &*team : nullptr, tells_places);
    return from;
  }
  if (guesses) p.bom = bom::automatic;
  in.decode(*from, p, tells_places);
  if (!guesses || policy != bom::require) return from;
  const error_info missing = in.lack_bom();
  path_.found(missing);
  if (options_.ends_at_error()) throw utfilter::utf_error(missing);
  return from;
}

/// The output gets the encoding of the file, and a byte order mark if the file has one.
void command::adopt_encoding(const input& in, std::shared_ptr<const charset> from) {
  const utfilter::stream_report report = in.report();
  if (from == nullptr && report.encoding == encoding::detect) return;  // it is no text, as an error says
  const bool adds_bom = options_.bom == bom::add && !report.bom;
  if (adds_bom && (from != nullptr || !has_bom(report.encoding))) {
    const std::string why = visible(in.name()) + ": is in " + in.encoding() + ", which has no byte order mark to add";
    if (options_.in_place) throw left_alone(why + ", so it is left alone");
    throw input_failure(why);
  }
  const bool writes_bom = adds_bom || (options_.bom != bom::strip && report.bom);
  options_.to_charset = std::move(from);
  options_.to = report.encoding;
  path_.output().begin_same(writes_bom);
}

/// Says if --to same would change what is no error: an encoding may read more than it writes.
void command::end_same(const input& in) {
  finish();
  std::string why;
  char code_point[12];
  std::snprintf(code_point, sizeof code_point, "U+%04X", static_cast<unsigned>(path_.lacking()));
  const utfilter::stream_report report = path_.report();
  const auto lines = in.line_counts();
  const bool is_repaired =
      errors_here_ != 0 || report.errors != 0 || (lines && lines->records_put_aside + lines->records_fallen_back != 0);
  if (path_.lacking() != 0 && !(options_.ends_at_error() && errors_here_ != 0))  // otherwise an error has told it
    why = ", which is not written with the character " + std::string(code_point);
  else if (const auto at = copy_ && results_.whole && !is_repaired ? copy_->difference() : std::nullopt)
    why = ", in which the text is written with other bytes from byte " + std::to_string(*at) + " on";
  if (why.empty()) return;
  results_.whole = false;
  results_.ill_formed = true;
  say(visible(name_) + ": is in " + in.encoding() + why + ", so --to same would change it (--to utf-8 does not)");
}

/// Writes the next text, and tells what is found in it. No text is the end.
void command::pass(const input& in, std::string_view text) {
  note_start(in, text);
  std::exception_ptr failure;
  try {
    path_.pass(text, text.empty(), in.parallel() != nullptr ? in.parallel()->encoded() : nullptr);
  } catch (const utfilter::utf_error&) {
    failure = std::current_exception();
  }
  tell_found(in);
  if (summary_) summary_->pass(path_.passed().text, path_.passed().at);
  if (failure) std::rethrow_exception(failure);
}

/// Keeps the start of the text. Whether the rest of it is ASCII matters only if the start declares an encoding.
void command::note_start(const input& in, std::string_view text) {
  const std::size_t size = start_.size();
  start_ += text.substr(0, utfilter::default_guess_bytes - size);
  if (size != start_.size() && start_.size() == utfilter::default_guess_bytes) {  // now it is full
    if (!options_.only_checks() && written() != in.encoding()) names_ = names_in(start_);
    may_declare_ = names_ && !names_->before.empty();
  }
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (may_declare_ && !beyond_ascii_) beyond_ascii_ = !std::all_of(text.begin(), text.end(), is_ascii);
}

void command::fail(const input_failure& why) {
  say(why.what());
  results_.failed = true;
  results_.whole = false;
  read_ = false;
  ++results_.files_not_read;
}

//------------------------------------------------------------------------------------------------------- lines with errors

utfilter::line_rules command::line_rules() {
  utfilter::line_rules rules;
  rules.policy = options_.line_fallbacks.empty() ? utfilter::line_policy::put_aside : utfilter::line_policy::fall_back;
  rules.fallbacks = options_.line_fallbacks;
  rules.records = options_.records;
  rules.delimiter = options_.delimiter;
  rules.quote = options_.quote;
  if (options_.rejects)
    for (const filter_choice& f : options_.filters)
      if (f.kind->find != nullptr) rules.finder = [&f](std::string_view text) { return f.kind->find(text, f); };
  const auto put_aside = [this](const utfilter::odd_line& line) {
    lines_.lines_put_aside += options_.records == utfilter::record_kind::line ? line.part <= 1 : line.line_feeds;
    lines_.records_put_aside += line.part <= 1;
    lines_.bytes_put_aside += line.text.size();
    if (rejects_ != nullptr) rejects_->write(line, name_, line_feed_in(path_.report().encoding));
  };
  const auto fell_back = [this](const utfilter::odd_line&) { ++lines_.records_fallen_back; };
  if (options_.rejects)
    rules.sink = [this, put_aside](const utfilter::odd_line& line) { path_.put_aside(line, put_aside); };
  if (!rules.fallbacks.empty())
    rules.observer = [this, fell_back](const utfilter::odd_line& line) { path_.fell_back(line, fell_back); };
  return rules;
}

/// The counts of the lines up to the end of the text.
std::optional<utfilter::line_counts> command::line_counts(const input& in) const {
  std::optional<utfilter::line_counts> n = in.line_counts();
  if (!n || !path_.end()) return n;
  n = lines_;  // but not how many records have passed
  n->lines_passed = path_.end()->line - lines_.lines_put_aside;
  return n;
}

/// Which lines or records did not pass as they are, such as "2 of 1000 lines put aside (57 bytes), 1 line read by a
/// fallback", or "2 of 1000 records put aside (3 lines, 57 bytes)". Empty if all did.
std::string command::counts_of_lines(const input& in) const {
  const std::optional<utfilter::line_counts> n = line_counts(in);
  if (!n) return "";
  const bool by_line = options_.records == utfilter::record_kind::line;
  const std::string all =
      counted((by_line ? n->lines_passed : n->records_passed) + n->records_put_aside, by_line ? "line" : "record");
  // Where the text ends at an error, nobody has counted the records before it.
  const auto some = [&](std::uint64_t count) {
    return by_line || !path_.end() ? std::to_string(count) + " of " + all : counted(count, "record");
  };
  std::string text;
  if (n->records_put_aside != 0)
    text += some(n->records_put_aside) + (options_.dry_run ? " would be" : "") + " put aside (" +
            (by_line ? "" : counted(n->lines_put_aside, "line") + ", ") + counted(n->bytes_put_aside, "byte") + ')';
  if (n->records_fallen_back != 0)
    text += (text.empty() ? some(n->records_fallen_back) : ", " + std::to_string(n->records_fallen_back)) +
            " read by a fallback";
  return text;
}

//-------------------------------------------------------------------------------------------------------------- reports

/// Tells the errors in the text that has been written.
void command::tell_found(const input& in) {
  for (const found_error& found : path_.take_found()) {
    if (summary_) summary_->found(found.error, found.text, size_of_repair(options_, found.error, in.report().encoding));
    tell(in, found);
  }
  reporter_->flush();
}

void command::tell(const input& in, const found_error& found) {
  const bool of_bom = is_of_bom(found.error);  // no policy repairs such an error
  results_.whole = results_.whole && (!of_bom || options_.on_error == on_error::stop);
  results_.ill_formed = results_.ill_formed || options_.tells_errors() || of_bom;
  ++errors_here_;
  if (summary_ || inspection_ || options_.quiet || options_.names_only) return;  // told with the whole text, or never
  std::string hints;
  if (errors_here_ == 1 || is_start_of_utf16(found.error.code)) hints = hint(in);
  if (errors_here_ == 1) hints += line_1_of(in);
  reporter_->tell(options_, in.name(), found.error, hints, found.is_placed || in.knows_offsets());
}

/// Tells what is told about the whole text.
void command::report(const input& in, std::uint64_t bytes_out) {
  report_ = path_.report();
  results_.lines = report_.lines;
  if (const auto lines = line_counts(in)) results_.lines_put_aside = lines->lines_put_aside;
  results_.errors = errors_here_;
  results_.files_with_errors = errors_here_ != 0;
  if (options_.names_only && errors_here_ != 0 && !inspection_) reporter_->report(name_ + '\n');
  if (options_.identify) return report_identity(in);
  if (!options_.quiet) warn(in);
  const bool wanted = (!options_.quiet || errors_here_ != 0) && is_decided(in, report_);
  if (summary_ && wanted) report_summary(in);
  if (inspection_ && is_decided(in, report_)) report_inspection(in);
  if (options_.stats && wanted) report_stats(in, bytes_out);
}

/// Says what looks wrong in a text, errors aside.
void command::warn(const input& in) {
  const auto say_of_file = [&](const std::string& what) {
    if (!what.empty()) say(visible(name_) + ": " + what);
  };
  std::string other;
  if (utf16_ && !ends_at_utf16(options_))
    say_of_file(about_passed_utf16(options_, in.name(), *utf16_, in.decompressed() != compression::none));
  else if (options_.begins_file() && read_ && report_.errors == 0 && errors_here_ == 0)
    other = hint_of_other_encoding(in);
  if (!other.empty()) say_of_file("well-formed, but " + other);
  // Zeros that another message explains, here or with the first error, are not told again.
  const bool is_explained = utf16_ || !other.empty() || (errors_here_ != 0 && utf16_by_zeros(in));
  if (const std::string damage = path_.take_warning(name_); !damage.empty() && !is_explained)
    say(damage + (errors_here_ == 0 ? line_1_of(in) : ""));
  if (!path_.is_no_text() || !options_.tells_errors()) say_of_file(doubt(in));  // otherwise an error has told it
  if (!options_.stats && !summary_) say_of_file(counts_of_lines(in));
  if (!options_.only_checks() && !options_.dry_run && doubt_.empty()) say_of_file(wrong_declaration(in));
}

/// The names of other encodings than that of the output which a text declares that begins so. Empty if it declares none. The
/// text is UTF-8 here. Its end cannot declare anything, unless the start is all of it.
command::declared_names command::names_in(std::string_view start) const {
  start = start.substr(0, utfilter::complete_prefix(start));
  const auto wrong_in = [&](std::string_view text) {
    const std::string declared(utfilter::guess_encoding(text).unused_declaration);
    const auto known = utfilter::encoding_from_name(declared);
    const bool is_right = options_.to_charset ? declared == written() : known == options_.to;
    return is_right ? std::string() : declared;
  };
  const auto declaring_in = [&](const filter_choice& name) {
    const std::vector<filter_choice> declare = {name};  // the chain needs it as long as it lives
    return std::string(filter_chain(declare, utfilter::log_params(), true).pass(start, true));
  };
  std::string updated = declaring_in(declaration_of_output(options_));
  const bool has_name = updated != start;
  std::string before = wrong_in(start);
  if (!before.empty()) return {std::move(before), wrong_in(updated)};
  // A guess of this text does not doubt that it is UTF-8. The name is where the filter changes the text. TeX and RTF lack names
  // for some encodings: there it is where the filter would write a name that they have.
  const bool may_lack_it =
      !options_.to_charset && code_unit_size(options_.to) == 1 && start.find('\\') != std::string_view::npos;
  if (!has_name && may_lack_it) updated = declaring_in(declaring(encoding::latin1, ""));
  if (updated == start) return {};
  const auto is_of_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
  };
  const auto changed = std::mismatch(start.begin(), start.end(), updated.begin(), updated.end()).first;
  const auto begin = std::find_if_not(std::make_reverse_iterator(changed), start.rend(), is_of_name).base();
  const std::string name(begin, std::find_if_not(changed, start.end(), is_of_name));
  if (has_name) return {name, ""};
  const bool is_right = utfilter::encoding_from_name(name) == options_.to;
  return is_right ? declared_names() : declared_names{name, name};
}

/// The name of the encoding in which the text is written.
std::string command::written() const {
  return std::string(options_.to_charset ? options_.to_charset->name() : encoding_name(options_.to));
}

/// What to say if the text declares an encoding, as XML does, and was written in another one than it was read in. Empty if it
/// declares none, or the one in which it is written. ASCII needs no word, unless it becomes UTF-16 or UTF-32.
std::string command::wrong_declaration(const input& in) const {
  if (written() == in.encoding() || !report_.unused_declaration.empty())
    return "";  // told with the reason for the encoding
  const bool is_ascii = !beyond_ascii_ || options_.to == encoding::ascii;
  if (!options_.to_charset && is_ascii && code_unit_size(options_.to) == 1) return "";
  const auto [before, after] = names_ ? *names_ : names_in(start_);
  const bool is_updated = options_.has_filter("declare");
  if (before.empty() || (is_updated && after.empty())) return "";
  return "still declares " + (is_updated ? after : before) + ", but is written in " + written() +
         (after.empty() ? " (--filter declare changes that)" : ", which has no such name: change the text");
}

/// Why the encoding in which the file was read may be wrong. Keeps the reason for what replaces a file, if that must not be
/// done then, and returns it otherwise. Empty if there is none.
std::string command::doubt(const input& in) {
  const bool would_replace = guards_ && results_.whole;
  std::string why;
  bool is_harm = true;
  if (in.utf8_sequences() > (would_replace ? 0u : 1u)) {
    why = "is UTF-8 already, but read as " + in.encoding();
    if (!would_replace) why += " (--from utf-8 reads it right)";
  } else {
    why = doubt_of(options_, in.encoding(), report_);
    is_harm = report_.decided_by == evidence::assumption && options_.guesses() && !options_.legacy;
  }
  if (would_replace && is_harm) doubt_ = std::exchange(why, "");
  return why;
}

/// A guess at the real format of the file, for the report of its first error. Empty if there is no guess.
std::string command::hint(const input& in) const {
  if (utf16_) return parts_of(options_, in.name(), *utf16_, in.decompressed() != compression::none);
  const compression data =
      in.decompressed() == compression::none ? guess_compression(in.raw().head()).data : compression::none;
  if (data != compression::none) return " (" + advice_on(data) + ')';
  if (path_.is_no_text()) {
    constexpr std::size_t enough = 32;  // bytes
    const std::string_view head = in.raw().head();
    const utfilter::encoding_guess rest = utfilter::guess_encoding(head.substr(head.empty() ? 0 : 1));
    if (head.size() >= enough && utfilter::code_unit_size(rest.encoding) == 2)
      return " (without its first byte it looks like " + std::string(encoding_name(rest.encoding)) +
             ": a code unit may have been cut there; tail -c +2 leaves that byte out)";
    return " (if it is text all the same, --from names its encoding)";
  }

  const encoding read_as = in.report().encoding;
  const std::string_view start = in.raw().head().substr(0, 2);
  if (read_as == encoding::utf8 && (start == "\xFF\xFE" || start == "\xFE\xFF")) return ": try --from detect";
  if (more_bytes_would_decide(options_, in))
    return " (the first " + std::to_string(options_.guess_bytes) +
           " bytes are ASCII, which shows no encoding: try a larger --guess-bytes)";
  const auto first_error = in.report().first_error;
  if (read_as == encoding::utf8 && first_error && first_error->code == errc::surrogate)
    return " (UTF-8 has no surrogates; CESU-8 has pairs of them: --from cesu-8 reads those)";
  if (const auto utf16 = utf16_by_zeros(in))
    return *utf16 == encoding::utf16le ? " (looks like UTF-16LE: try --from utf-16le)"
                                       : " (looks like UTF-16BE: try --from utf-16be)";
  const bool has_zero = in.raw().head().find('\0') != std::string_view::npos;
  const bool is_told = read_as == encoding::utf8 && in.decompressed() == compression::none && has_zero;
  if (is_told) return " (there are NUL bytes: is it text?)";
  if (read_as != encoding::utf8 || options_.guesses() || !first_error || is_of_bom(*first_error)) return "";
  constexpr double sure = 0.9;
  const utfilter::encoding_guess guess = utfilter::guess_encoding(in.start_of_bytes());
  if (guess.decided_by != evidence::statistics || guess.confidence < sure) return "";
  return " (--from guess reads it as " + std::string(encoding_name(guess.encoding)) + ')';
}

/// The bytes of a line feed in an encoding.
std::string line_feed_in(encoding e) {
  std::string bytes(code_unit_size(e), '\0');
  const bool is_little = e == encoding::utf16le || e == encoding::utf32le;
  (is_little ? bytes.front() : bytes.back()) = '\n';
  return bytes;
}

/// Where the lines of a range begin to count; empty for a whole file.
std::string line_1_of(const input& in) {
  return in.start() == 0 ? "" : " (line 1 begins at byte " + std::to_string(in.start()) + ')';
}

/// Whether a line of single bytes begins the file. UTF-16 that was added after it is no sign of the file's encoding. In
/// UTF-16 and UTF-32, text in most scripts has a byte below 9 among the first four.
bool begins_with_line_of_bytes(std::string_view head) {
  const auto is_small = [](char c) { return static_cast<unsigned char>(c) < 9; };
  const std::string_view line = head.substr(0, head.find('\n'));
  return line.size() >= 3 && line.size() != head.size() && std::none_of(line.begin(), line.end(), is_small);
}

/// The UTF-16 in which a file that was read as UTF-8 looks to be, by the zeros at its start.
std::optional<encoding> utf16_by_zeros(const input& in) {
  const std::string_view head = in.raw().head();
  if (in.report().encoding != encoding::utf8 || in.decompressed() != compression::none) return std::nullopt;
  std::size_t zeros[2] = {0, 0};  // at even and at odd offsets
  for (std::size_t i = 0; i < head.size(); ++i) zeros[i % 2] += head[i] == 0;
  const auto [fewer, more] = std::minmax(zeros[0], zeros[1]);
  // In UTF-16 the zeros are all at even or all at odd offsets. At least one byte in eight is zero, because text in any
  // script has line feeds, spaces and digits.
  if (more == 0 || fewer != 0 || more * 8 < head.size() || begins_with_line_of_bytes(head)) return std::nullopt;
  return zeros[0] < zeros[1] ? encoding::utf16le : encoding::utf16be;
}

/// Whether a guess by more bytes may find another encoding than UTF-8: those that were looked at are ASCII, and the
/// first error comes after them. The end of the sample may cut the sequence that is the error.
bool more_bytes_would_decide(const options& o, const input& in) {
  const utfilter::stream_report report = in.report();
  if (report.decided_by == evidence::bom || report.encoding != encoding::utf8) return false;
  if (in.sample().size() != o.guess_bytes) return false;
  const std::string_view sample = in.sample().substr(0, utfilter::complete_prefix(in.sample()));
  return report.first_error && report.first_error->offset >= sample.size() &&
         std::none_of(sample.begin(), sample.end(), [](char c) { return static_cast<signed char>(c) < 0; });
}

/// The format of a file that is no text, by its first bytes; empty for text. UTF-32 without a byte order mark is text if the
/// user expects it. A hole at the start that a filter leaves out does not count.
std::string_view format_of(const options& o, const input& in) {
  const std::string start = in.start_of_bytes();
  std::string_view text = start;
  const std::size_t zeros = std::min(text.find_first_not_of('\0'), text.size());
  if (o.has_filter("skip-hole") && zeros >= utfilter::changes::skip_hole::least)
    text.remove_prefix(zeros == text.size() ? zeros : zeros - zeros % 4);  // the last ones may begin a code unit
  if (!o.decompress && guess_compression(text).data != compression::none) return name_of(guess_compression(text).data);
  const std::string_view format = utfilter::binary_format(text);
  const bool may_be_utf32 = o.guesses() || code_unit_size(o.from) == 4;
  const bool is_utf32 = may_be_utf32 && format == "data" && code_unit_size(utfilter::guess_encoding(text)) == 4;
  return is_utf32 ? std::string_view() : format;
}

/// A hint for a text without errors that has zeros where UTF-16 or UTF-32 has them: "looks like UTF-16 without ...".
std::string hint_of_other_encoding(const input& in) {
  const encoding read_as = in.report().encoding;
  const bool is_wide = code_unit_size(read_as) > 1;
  if (is_wide || in.decompressed() != compression::none || guess_compression(in.raw().head()).data != compression::none)
    return "";
  // In most scripts the more significant bytes of characters are below 9. In text of single bytes such a byte is a
  // control character.
  std::size_t small[4] = {0, 0, 0, 0}, zeros[4] = {0, 0, 0, 0};  // counts, by offset modulo 4
  const std::string_view head = in.raw().head();
  if (begins_with_line_of_bytes(head)) return "";
  const std::size_t groups = head.size() / 4;
  for (std::size_t i = 0; i < 4 * groups; ++i) {
    small[i % 4] += static_cast<unsigned char>(head[i]) < 9;
    zeros[i % 4] += head[i] == 0;
  }
  const auto all = [&](std::size_t place) { return groups > 1 && zeros[place] == groups; };
  const auto most = [&](std::size_t place) { return groups != 0 && small[place] * 4 >= groups * 3; };
  const auto few = [&](std::size_t place) { return small[place] * 8 <= groups; };
  const auto like = [](const char* name, const char* option) {
    return std::string("looks like ") + name + " without a byte order mark: try --from " + option;
  };
  if (most(2) && all(3) && few(0)) return like("UTF-32", "utf-32le");
  if (all(0) && most(1) && few(3)) return like("UTF-32", "utf-32be");
  if (most(1) && most(3) && few(0) && few(2)) return like("UTF-16", "utf-16le");
  if (most(0) && most(2) && few(1) && few(3)) return like("UTF-16", "utf-16be");
  return "";
}

/// Why the text is read in its encoding, such as " (by its structure, though it declares KOI8-R)". Empty where that needs
/// no word: the user named it, or the text has a byte order mark.
std::string words_for(const utfilter::stream_report& report) {
  if (report.decided_by == evidence::named || report.decided_by == evidence::bom) return "";
  const std::string declared(report.unused_declaration);
  return std::string(" (") + words_for_evidence(report.decided_by) +
         (declared.empty() ? ")" : ", though it declares " + declared + ')');
}

/// Whether the encoding of the file was decided, or the file was found to be no text. Before that, such as in a file
/// that utfcat refuses, there is nothing to report.
bool is_decided(const input& in, const utfilter::stream_report& report) {
  return in.in_charset() != nullptr || report.decided_by != evidence::named ||
         (report.encoding != encoding::detect && report.encoding != encoding::guess);
}

/// The beginning of a report, such as "NAME: gzip, UTF-8, no byte order mark, ".
std::string description(const input& in, const utfilter::stream_report& report) {
  const bool packed = in.decompressed() != compression::none;
  const bool is_no_text = report.decided_by != evidence::named && in.encoding() == encoding_name(encoding::detect);
  return visible(in.name()) + ": " + (packed ? std::string(name_of(in.decompressed())) + ", " : "") +
         (in.start() != 0 ? "from byte " + std::to_string(in.start()) + ", " : "") +
         (is_no_text ? "no text" : in.encoding()) + words_for(report) +
         (report.bom ? ", byte order mark, " : ", no byte order mark, ");
}

/// A report on the name of an encoding that the text declares, but in which the file is not. ASCII is in any.
std::optional<place_report> command::untrue_declaration(const input& in) const {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (path_.is_no_text() || !inspection_->has_non_ascii()) return std::nullopt;
  // Characters beyond ASCII would decide about the encoding.
  std::string start = start_;
  for (char& c : start) c = is_ascii(c) ? c : '?';
  const utfilter::encoding_guess guess = utfilter::guess_encoding(start);
  if (guess.decided_by != evidence::declaration && guess.unused_declaration.empty()) return std::nullopt;
  const std::string declared(guess.unused_declaration.empty() ? encoding_name(guess.encoding)
                                                              : guess.unused_declaration);
  const auto without_order = [](encoding e) {
    const bool is_utf16 = e == encoding::utf16le || e == encoding::utf16be;
    return is_utf16 ? encoding::utf16 : e == encoding::latin1 ? encoding::windows1252 : e;
  };
  const auto is = utfilter::encoding_from_name(in.encoding()), says = utfilter::encoding_from_name(declared);
  // A declaration of UTF-16 in ASCII means UTF-8 to readers, so only its meaning is known.
  if (!is || (says == encoding::utf8 && code_unit_size(*is) != 1)) return std::nullopt;
  if (says && without_order(*is) == without_order(*says)) return std::nullopt;
  return place_report{
      in.name(),
      {},
      false,
      "declaration",
      "the text declares another encoding than its own",
      "the text declares " + declared + ", but is read as " + in.encoding() + " (--filter declare changes that)",
      1,
      place_report::level::warning};
}

void command::report_inspection(const input& in) {
  std::vector<place_report> all = inspection_->reports(in.name(), report_, options_.fail_on);
  if (utf16_) all.push_back(report_on(in.name(), *utf16_, hint(in)));
  if (auto untrue = untrue_declaration(in)) all.insert(all.begin(), *untrue);
  const auto is_among = [](const std::vector<std::string>& kinds, const std::string& kind) {
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  };
  bool fails = false;
  for (const place_report& report : all) {
    if (is_among(options_.allow, report.rule)) continue;
    fails = fails || is_among(options_.fail_on, "any") || is_among(options_.fail_on, report.rule);
    if (!options_.quiet && !options_.names_only) reporter_->report(report);
  }
  results_.ill_formed = results_.ill_formed || fails;
  if (fails && options_.names_only) reporter_->report(name_ + '\n');
  reporter_->flush();
}

void command::report_identity(const input& in) {
  if (!read_) return;  // a message has told why
  using utfilter::finding;
  identity_report found;
  found.file = in.name();
  found.encoding = path_.is_no_text() ? std::string(encoding_name(encoding::detect)) : in.encoding();
  found.language = report_.decided_by == evidence::bom ? std::string_view() : in.language();
  found.confidence = report_.confidence;
  found.why = report_.decided_by;
  found.declared = report_.unused_declaration;
  found.bom = report_.bom;
  found.errors = report_.errors;
  found.line_ends = "none";
  const utfilter::text_inspection& text = inspection_->found();
  for (const auto& [kind, name] : {std::pair(finding::lf, "LF"), {finding::crlf, "CR LF"}, {finding::cr, "CR"}})
    if (text[kind].count != 0) found.line_ends = found.line_ends == "none" ? name : "mixed";
  results_.ill_formed = found.why == evidence::assumption || path_.is_no_text();
  if (options_.names)
    reporter_->report(name_for_iconv(found) + '\n');
  else
    reporter_->report(found);
  reporter_->flush();
}

void command::report_summary(const input& in) {
  summary_->pass({}, path_.passed().at + path_.passed().text.size());  // gives an error at the end its place
  std::string text = description(in, report_) + counted(report_.lines, "line") + ", ";
  const std::string lines = counts_of_lines(in);
  if (summary_->errors() == 0) {
    text += (!read_ ? "not read to its end" : lines.empty() ? "well-formed" : lines) + '\n';
  } else {
    std::string why = hint(in);
    if (why.empty() && report_.encoding == encoding::utf8 && !summary_->beyond_ascii())
      why = " (no character beyond ASCII is UTF-8: try --from windows-1252)";
    if (options_.ends_at_error()) why = ", and the text after it is left out" + why;
    if (!lines.empty()) why += ", " + lines;
    const bool in_colour = shows_colours(options_.only_checks() ? standard_output : standard_error);
    text += counted(summary_->errors(), "error") + why + '\n' + summary_->lines(in_colour);
  }
  reporter_->report(text);
}

void command::report_stats(const input& in, std::uint64_t bytes_out) {
  const std::string lines = counts_of_lines(in);
  const std::string line = description(in, report_) + counted(report_.bytes_in - in.start(), "byte") + " in, " +
                           counted(bytes_out, "byte") + " out, " + counted(report_.lines, "line") + ", " +
                           counted(report_.errors, "error") + (lines.empty() ? "" : ", " + lines) + path_.changes() +
                           '\n';
  reporter_->print(line);
}

/// Prints the text of --help, --list or --version, and returns the exit status.
int print(const std::string& text) {
  destination out(std::nullopt);
  fd_sink sink(&out);
  sink.write(text.data(), static_cast<std::streamsize>(text.size()));
  sink.flush();
  out.commit();
  return 0;
}

/// What --help is asked about: its value, or the next word.
std::string topic_of(const options& o) {
  const std::string& word = o.files.front();
  const bool is_given = word != "-" && word != ".";  // these are there if no word is
  return o.help->empty() && is_given ? word : *o.help;
}

/// One line for each encoding: its name and its other names. Then an empty line, and the same for the charsets of ICU.
std::string list_of_encodings() {
  std::size_t width = 0;
  for (const encoding e : utfilter::encodings()) width = std::max(width, encoding_name(e).size() + 2);
  std::string text;
  const auto add = [&](std::string_view name, std::string_view others) {
    text += name;
    if (!others.empty()) text.append(std::max(width, name.size() + 2) - name.size(), ' ') += others;
    text += '\n';
  };
  for (const encoding e : utfilter::encodings()) {
    const std::string_view name = encoding_name(e), names = encoding_names(e);
    add(name, names.substr(std::min(name.size() + 1, names.size())));
  }
  const auto charsets = list_of_charsets();
  if (!charsets.empty()) text += '\n';
  for (const auto& [name, others] : charsets) add(name, others);
  return text;
}

/// The library's message in terms of the command line: "utfilter: reading UTF-16: REASON" becomes
/// "--from UTF-16: REASON".
std::string reason_of(const std::invalid_argument& why) {
  std::string text = why.what();
  for (const auto& [words, option] :
       {std::pair("utfilter: reading ", "--from "), std::pair("utfilter: writing ", "--to ")})
    if (text.rfind(words, 0) == 0) text.replace(0, std::strlen(words), option);
  return text;
}

/// `unread` counts directories that could not be read.
std::string total_of(std::size_t files, const results& all, std::size_t unread) {
  std::string text = "total: " + counted(files, "file") + ", " + counted(all.lines, "line") + ", ";
  if (all.lines_put_aside != 0) text += counted(all.lines_put_aside, "line") + " put aside, ";
  text +=
      all.errors == 0 ? "well-formed" : counted(all.errors, "error") + " in " + counted(all.files_with_errors, "file");
  if (all.files_not_read != 0) text += ", " + counted(all.files_not_read, "file") + " could not be read";
  if (unread == 1) text += ", 1 directory could not be read";
  if (unread > 1) text += ", " + std::to_string(unread) + " directories could not be read";
  return text + '\n';
}

/// Why the file is not written.
std::string incomplete(const std::string& file, bool is_dry_run) {
  return visible(file) + (is_dry_run ? ": would not be" : ": not") + " written, because the text is not complete";
}

/// Copies all files as one text, or checks them one after the other.
results copy_files(const options& o, const std::vector<std::string>& files, const destination& target,
                   thread_team* team, rejects_file* rejects, reporter& to) {
  command copying(o, &target, rejects);
  results all;
  for (const std::string& name : files) all.add(copying.take(name, to, team));
  copying.finish();
  return all;
}

/// Why the file may not be replaced: other names of it would keep its old text, or its copy would replace another one. Empty
/// if it may.
std::string obstacle(const options& o, const std::string& file) {
  std::error_code none;
  const auto names = std::filesystem::hard_link_count(path_of(file), none);
  if (o.force) return "";
  if (!none && names > 1)
    return visible(file) + ": has " + std::to_string(names) +
           " names, and the others would keep the old text, so it is left alone (--force replaces this one)";
  const std::string backup = o.backup ? name_of_backup(file, *o.backup) : "";
  if (!backup.empty() && exists(symlink_status(path_of(backup), none)))
    return visible(file) + ": " + visible(backup) +
           " is there already, so the file is left alone (--force replaces both)";
  return "";
}

/// Gives the output its name, as the options say. Returns false if `is_unchanged` does. Throws left_alone.
bool commit(const options& o, destination& target, const std::function<bool()>& is_unchanged) {
  const std::string file = target.replaced();
  const auto may_replace = [&] {
    if (!is_unchanged()) return false;
    const std::string why_not = file.empty() ? "" : obstacle(o, file);
    if (!why_not.empty()) throw left_alone(why_not);
    return true;
  };
  return target.commit({may_replace, o.keep_times, o.backup ? name_of_backup(file, *o.backup) : ""});
}

/// Works on one file, which its text replaces. With --dry-run the file is only named if that would change it. A file that may
/// not be replaced is only read, and puts no line aside: then its lines are where they were.
results replace_file(options o, const std::string& name, reporter& to, thread_team* team, rejects_file* rejects) {
  results done;
  const bool is_dry_run = o.dry_run;
  try {
    const std::optional<file_size> size = size_of(name);
    if (is_descriptor(name)) throw input_failure(visible(name) + ": is no name of a file, so it cannot be replaced");
    if (size && !size->regular) throw input_failure(visible(name) + ": is no regular file, so it cannot be replaced");
    if (!size) throw input_failure(because(name, ENOENT));
    const file_version version(name);
    const std::string why_not = obstacle(o, name);
    o.dry_run = is_dry_run || !why_not.empty();
    std::optional<destination> target;
    std::optional<comparison> before;
    if (!o.dry_run) target.emplace(name);
    command replacing(o, target ? &*target : nullptr, o.dry_run ? nullptr : rejects);
    if (o.dry_run) replacing.compare_with(before.emplace(name));
    done = replacing.take(name, to, team);
    replacing.finish();

    const auto is_unchanged = [&] { return version == file_version(name); };
    if (!done.whole) {
      if (!done.left_alone) to.say(incomplete(name, is_dry_run));
    } else if (done.opened) {  // otherwise it is skipped
      bool is_done = is_unchanged();
      done.would_change = is_done && before && !before->is_same();
      if (done.would_change && !why_not.empty()) throw left_alone(why_not);
      if (done.would_change) to.report(name + '\n');
      if (is_done && target && rejects != nullptr) rejects->sync();
      if (is_done && target) is_done = commit(o, *target, is_unchanged);
      if (!is_done) throw input_failure(visible(name) + ": has been changed by another program, so it is left alone");
    }
  } catch (const left_alone& why) {
    to.say(why.what());
    done.left_alone = true;
    done.whole = false;
    done.would_change = false;
  } catch (const std::invalid_argument&) {
    throw;  // wrong options
  } catch (const std::runtime_error& why) {
    to.say(why.what());
    done.failed = true;
  }
  return done;
}

/// Checks files, or finds out which of them would change, several at the same time.
results read_files(const options& o, const std::vector<std::string>& files, const destination& target,
                   thread_team& team, reporter& to) {
  std::mutex guard;
  std::vector<std::unique_ptr<command>> idle;  // checks that no thread uses
  const auto check = [&](const std::string& name, reporter& words, thread_team* helpers) {
    std::unique_ptr<command> checking;
    {
      const std::lock_guard lock(guard);
      if (!idle.empty()) {
        checking = std::move(idle.back());
        idle.pop_back();
      }
    }
    if (checking == nullptr) checking = std::make_unique<command>(o, &target, nullptr);
    results found = checking->take(name, words, helpers);
    const std::lock_guard lock(guard);
    idle.push_back(std::move(checking));
    return found;
  };
  return read_side_by_side(files, team, to, [&](const std::string& name, reporter& words, thread_team* helpers) {
    return o.dry_run ? replace_file(o, name, words, helpers, nullptr) : check(name, words, helpers);
  });
}

/// Runs the command on the files of the options, and returns the exit status.
int run(options o) {
  std::size_t unread = 0;  // directories
  std::vector<std::string> files = std::move(o.files);
  o.has_one_file = files.size() == 1 && files[0] != "-";
  if (o.recursive) {
    found_files found = files_of(files);
    files = std::move(found.names);
    unread = found.unread;
    if (o.in_place && o.backup) leave_out_copies(files, *o.backup);
  }
  refuse_one_file_twice(o, files);
  const command checked(o, nullptr, nullptr);  // throws for options that do not fit together, before a file is opened
  std::optional<thread_team> threads;
  if (o.jobs != 1) threads.emplace(o.jobs);
  thread_team* const team = threads ? &*threads : nullptr;

  std::optional<destination> target;  // of the text of all files, or of reports
  if (!o.in_place || o.dry_run) target.emplace(o.output);
  std::optional<rejects_file> rejects;  // this one may be emptied, so it is opened last
  if (o.rejects && !o.dry_run) rejects.emplace(*o.rejects, o.reject_format, replaces_an_input(o, files));
  rejects_file* const aside = rejects ? &*rejects : nullptr;
  const bool shows = o.progress && is_terminal(standard_error) && !(target && is_terminal(target->fd()));
  direct_reporter to(o, target ? &*target : nullptr, shows, shows ? total_size(files, o.range) : 0);

  results all;
  if (team != nullptr && files.size() > 1 && (o.only_checks() || o.dry_run) && aside == nullptr)
    all = read_files(o, files, *target, *team, to);
  else if (o.in_place)
    for (const std::string& name : files) all.add(replace_file(o, name, to, team, aside));
  else
    all = copy_files(o, files, *target, team, aside, to);
  to.finish();
  if (o.summary && !o.quiet && files.size() > 1 && !o.in_place) to.report(total_of(files.size(), all, unread));
  if (target && target->replaces() && !all.whole) {
    to.say(incomplete(target->name(), false));
  } else if (target) {
    try {
      if (aside != nullptr && target->replaces()) aside->sync();
      commit(o, *target, [] { return true; });
    } catch (const left_alone& why) {
      to.say(why.what());
      all.left_alone = true;
    }
  }
  if (all.skipped != 0 && !o.quiet)
    to.say(counted(all.skipped, "binary file") + " skipped, the first is " + visible(all.first_skipped));
  return unread == 0 && !to.failed() ? all.status() : 2;
}

}  // namespace
}  // namespace utfcat

int main(int argc, char** argv) {
  using namespace utfcat;
  prepare(argc, argv);
  try {
    const options o = parse(argc, argv);
    if (o.help) return print(help_text(topic_of(o)));
    if (o.list) return print(list_of_encodings());
    if (o.manual) return print(manual_page());
    if (o.words) return print(words_after(*o.words));
    if (o.version) return print(version_text());
    if (o.follow) return follow(o);
    return run(o);
  } catch (const std::invalid_argument& why) {
    complain(reason_of(why));
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const std::exception& why) {
    complain(why.what());
  }
  return 2;
}
