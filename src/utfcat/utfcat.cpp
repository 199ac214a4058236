// utfcat: writes files of any encoding as one text, checked, repaired and transcoded.
//
//   raw_file -> [ decompressor ] -> to_utf8 -> pieces of UTF-8 -> filters -> pieces of UTF-8 -> from_utf8 -> fd_sink
//   one of these for each file (input.hpp)       (filters.hpp)               one for all (output.hpp)
//
// With --range a range_source takes the place of raw_file. With --jobs several threads run to_utf8 and from_utf8
// (parallel.hpp). --follow is in follow.cpp.
#include "charsets.hpp"
#include "directories.hpp"
#include "follow.hpp"
#include "help.hpp"
#include "input.hpp"
#include "inspection.hpp"
#include "locator.hpp"
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

#include <utfilter/byte_range.hpp>
#include <utfilter/config.hpp>
#include <utfilter/convert.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/lines.hpp>
#include <utfilter/params.hpp>
#include <utfilter/text.hpp>
#include <utfilter/utf_error.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <exception>
#include <list>
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

bool is_binary(const options&, const raw_file&);
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
  void compare_with(comparison& file) noexcept { output_.compare_with(file); }

 private:
  void copy(const std::string& name);
  void pour(input&);
  void begin_inspection(const input&);
  void pass(const input&, std::string_view text, bool last);
  void write(const input&, std::string_view text);
  void adopt_encoding(const input&, std::shared_ptr<const charset>);
  void end_at_character(const piece_locator&, bool is_decoded);
  void fail(const input_failure&);
  bool follows_a_file() const { return output_.begun() && !options_.range; }
  template <class Call>
  void for_locators(Call);
  bom bom_of_next_file() const { return bom_of_input(options_, follows_a_file()); }
  utfilter::params params_for(bom);

  utfilter::line_rules line_rules();
  void put_aside(const utfilter::odd_line&);
  void fell_back(const utfilter::odd_line&);
  std::string counts_of_lines(const input&) const;

  void found(const error_info&);
  void found_lacking(const error_info&);
  void found_by_filter(const error_info&);
  error_info placed(error_info) const;
  void warn_of_doubt(const input&);
  void report_errors(const input&);
  void report_summary(const input&);
  void report_inspection(const input&);
  std::string hint(const input&) const;
  void report_stats(const input&, std::uint64_t bytes_out, std::uint64_t lacking);
  void say(const std::string& message) { reporter_->say(message); }

  options options_;  // with --to same, they name the encoding as soon as it is known
  const destination* const target_;
  rejects_file* const rejects_;
  output output_;
  bool opened_ = false;  // a file could be opened
  input_buffers buffers_;

  // The current file.
  reporter* reporter_ = nullptr;
  thread_team* team_ = nullptr;
  results results_;
  const input* input_ = nullptr;
  std::list<error_info> found_;  // the errors that are not reported yet
  std::uint64_t errors_here_ = 0;
  utfilter::stream_report report_;  // on the file up to the end of its text
  bool read_ = true;                // the file could be read to its end, or to the error that ends its text
  bool is_no_text_ = false;         // an error of the file says that it is none
  damage_watch damage_;
  std::optional<summary> summary_;        // if the user wants one
  std::optional<inspection> inspection_;  // if the user wants one
  filter_chain filters_;
  piece_locator decoded_;                       // if a filter may find an error in the decoded text
  piece_locator written_;                       // if the output's encoding may lack a character of the written text
  std::uint64_t filtered_ = 0;                  // bytes of decoded text that the filters have taken
  bool piece_is_signed_ = false;                // the piece begins with the file's byte order mark
  std::optional<utfilter::text_position> end_;  // after the character at which the text ends
};

command::command(const options& o, const destination* to, rejects_file* rejects)
    : options_(o),
      target_(to),
      rejects_(rejects),
      output_(options_, o.only_checks() || o.dry_run ? nullptr : to,
              [this](const error_info& error) { found_lacking(error); }) {
  // So wrong options throw once, not for each file:
  if (o.from_charset)
    o.from_charset->decode(nullptr, params_for(bom_of_next_file()), false);
  else if (o.sorts_lines())
    utfilter::to_utf8_lines(o.from, line_rules(), params_for(bom_of_next_file()));
  else
    utfilter::to_utf8(o.from, params_for(bom_of_next_file()));
}

results command::take(const std::string& name, reporter& to, thread_team* team) {
  reporter_ = &to;
  team_ = team;
  results_ = {};
  try {
    copy(name);
  } catch (const input_failure& why) {
    fail(why);
  }
  return results_;
}

void command::finish() {
  if (opened_) output_.finish();
}

void command::copy(const std::string& name) {
  const std::optional<file_size> size = options_.range ? size_of(name) : std::nullopt;
  if (size && !size->regular) throw input_failure(visible(name) + ": --range needs a regular file");
  input in(name, options_.decompress, options_.range, buffers_);
  if (options_.recursive && is_binary(options_, in.raw())) {
    results_.skipped = 1;
    results_.first_skipped = name;
    return;
  }
  // A file that utfcat appends to itself would grow until the disk is full.
  if (in.raw().bytes_read() != 0 && target_ != nullptr && target_->is(in.raw().fd()))
    throw input_failure(visible(name) + ": is the output as well (--output can replace it)");
  if (rejects_ != nullptr && rejects_->is(in.raw().fd()))
    throw input_failure(visible(name) + ": is the file of --rejects as well");
  opened_ = results_.opened = true;
  input_ = &in;
  errors_here_ = 0;
  is_no_text_ = false;
  end_.reset();
  damage_ = {};
  read_ = true;
  if (options_.summary) summary_.emplace();
  if (options_.inspect) inspection_.emplace();
  if (options_.only_checks()) output_.begin();

  const std::uint64_t written = output_.bytes_written(), lacking = output_.errors();
  try {
    pour(in);
    report_ = in.report();
  } catch (const utfilter::utf_error& error) {
    const errc code = error.info().code;
    results_.whole = results_.whole && code == errc::control && options_.on_error == on_error::stop;
    report_ = in.report();
    if (code == errc::unmappable) {
      output_.recover();
      end_at_character(written_, false);
    }
    if (end_) {
      report_.errors = 0;
      report_.bytes_in = end_->offset;
      report_.lines = end_->line - 1;
    }
    report_errors(in);
    if (summary_ && code == errc::unmappable) summary_->pass(written_.through(error.info()), piece_is_signed_);
  } catch (const input_failure& why) {
    report_ = in.report();
    fail(why);
  }
  report_errors(in);
  results_.lines = report_.lines;
  if (const auto lines = in.line_counts()) results_.lines_put_aside = lines->lines_put_aside;
  results_.errors = errors_here_;
  results_.files_with_errors = errors_here_ != 0;
  if (options_.names_only && errors_here_ != 0) reporter_->report(name + '\n');
  if (options_.begins_file() && read_ && report_.errors == 0 && errors_here_ == 0 && !options_.quiet) {
    const std::string other = hint_of_other_encoding(in);
    if (!other.empty()) say(visible(name) + ": well-formed, but " + other);
  }
  if (const std::string damage = damage_.take_warning(name); !damage.empty() && !options_.quiet) say(damage);
  if (!options_.quiet) warn_of_doubt(in);
  if (const std::string counts = counts_of_lines(in);
      !counts.empty() && !options_.quiet && !options_.stats && !summary_)
    say(visible(name) + ": " + counts);
  const bool wanted = (!options_.quiet || errors_here_ != 0) && is_decided(in, report_);
  if (summary_ && wanted) report_summary(in);
  if (inspection_ && wanted) report_inspection(in);
  if (options_.stats && wanted) report_stats(in, output_.bytes_written() - written, output_.errors() - lacking);
  reporter_->end_file(in.bytes_read());
}

void command::pour(input& in) {
  const bom policy = bom_of_next_file();
  const bool left_in = keeps_bom(options_, policy);
  // require and reject look for a byte order mark and leave it in the text. A byte order mark must not get into the
  // middle of the output.
  const bool alone = follows_a_file() && (policy == bom::require || policy == bom::reject) && left_in;
  const bool locates = locates_characters(options_);
  const bool locates_in_file = (locates && options_.filters.empty()) || options_.filters_reject();
  std::optional<team_work> team;
  if (team_ != nullptr && !options_.sorts_lines())
    team = team_work{team_, options_.tells_errors() || options_.summary || options_.inspect,
                     options_.filters.empty() ? output_.coding() : std::nullopt};
  utfilter::params p = params_for(policy);
  std::shared_ptr<const charset> from = options_.from_charset;
  bool lacks_bom = false;
  if (options_.guesses()) {
    from = in.guess_charset(p);
    lacks_bom = from && p.bom == bom::require;
    if (from) p.bom = bom::automatic;
    if (from && options_.sorts_lines())
      throw input_failure(visible(in.name()) + ": is in " + from->name() + ", " + why_no_lines);
  }
  if (options_.sorts_lines()) in.sort_lines(line_rules());
  if (from)
    in.decode(*from, p, locates_in_file);
  else
    in.decode(options_.guesses() ? encoding::guess : options_.from, p, alone, team ? &*team : nullptr, locates_in_file);
  if (lacks_bom) {
    const error_info missing = in.lack_bom();
    found(missing);
    if (options_.ends_at_error()) throw utfilter::utf_error(missing);
  }

  written_.reset(locates);
  decoded_.reset(options_.filters_reject() || options_.inspect);
  utfilter::params of_filters = input_params(options_, bom::automatic);
  if (options_.filters_reject()) of_filters.observer = [this](const error_info& error) { found_by_filter(error); };
  filters_ = filter_chain(options_.filters, of_filters);
  filtered_ = 0;
  bool first = true;
  const auto begin_places = [&](piece_locator& places, bool is_of_file, bool has_bom) {
    if (!places || (is_of_file && in.in_charset() != nullptr)) return;
    places->begin(is_of_file ? in.report().encoding : encoding::utf8, in.start());
    if (has_bom) places->bom(left_in, left_in && !alone);
  };
  std::exception_ptr failure;
  std::string_view text;
  do {
    try {
      text = in.next();
    } catch (...) {  // the filters may still hold text before the failure
      failure = std::current_exception();
      text = {};
    }
    const bool has_bom = first && in.start() == 0 && in.report().bom;
    if (first && options_.same && is_decided(in, in.report())) adopt_encoding(in, from);
    if (first && !text.empty()) {
      begin_places(decoded_, true, has_bom);
      begin_places(written_, options_.filters.empty(), has_bom);
      if (inspection_) begin_inspection(in);
    }
    piece_is_signed_ = has_bom && left_in && !alone;
    pass(in, text, text.empty());
    damage_.look(text, in.report());
    reporter_->show_progress(in.bytes_read());
    first = false;
  } while (!text.empty() && !failure);
  if (failure) std::rethrow_exception(failure);
}

/// Offsets in the file are those of a locator, if the text shows the sizes of its characters.
void command::begin_inspection(const input& in) {
  if (in.in_charset() == nullptr && !utfilter::detail::is_irregular(in.report().encoding))
    inspection_->begin(*decoded_);
  else
    decoded_.reset(false);
}

/// The output gets the encoding of the file, and a byte order mark if the file has one.
void command::adopt_encoding(const input& in, std::shared_ptr<const charset> from) {
  const utfilter::stream_report report = in.report();
  if (from == nullptr && report.encoding == encoding::detect) return;  // it is no text, as an error says
  const bool is_marked = options_.bom == bom::add || (options_.bom != bom::strip && report.bom);
  options_.bom = is_marked ? bom::add : from ? bom::automatic : bom::strip;
  options_.to_charset = std::move(from);
  options_.to = report.encoding;
  output_.begin();
}

/// Writes decoded text, through the filters. With `last` the text ends after it.
void command::pass(const input& in, std::string_view text, bool last) {
  if (inspection_) {
    inspection_->pass(text);
    if (last) inspection_->finish();
    return;
  }
  decoded_.begin(text, filtered_);
  filtered_ += text.size();
  for (const std::string_view filtered : {filters_.pass(text), last ? filters_.finish() : std::string_view()}) {
    if (filters_.failure() && !end_) end_at_character(decoded_, true);
    write(in, filtered);
  }
  decoded_.end();
  if (filters_.failure()) std::rethrow_exception(filters_.failure());
}

void command::write(const input& in, std::string_view text) {
  if (text.empty()) return report_errors(in);
  const parallel_text* const parallel = in.parallel();
  written_.begin(text, output_.bytes_taken());
  output_.write(text, parallel != nullptr && filters_.is_empty() ? parallel->encoded() : nullptr);
  written_.end();
  report_errors(in);
  if (summary_) summary_->pass(text, piece_is_signed_);
}

/// Ends the file's text before the character that has been noted last. The decoder has gone on to the end of the piece,
/// but what it found after the character does not count.
void command::end_at_character(const piece_locator& places, bool is_decoded) {
  const error_info last = found_.back();
  const bool counts_in_file = is_decoded || filters_.is_empty();
  found_.remove_if([&](const error_info& error) {
    return counts_in_file ? error.offset > last.offset : error.code != last.code && !is_of_bom(error);
  });
  error_info after = last;
  after.pass_columns(1, places.size_of(last));
  end_ = counts_in_file ? placed(after) : after;
}

void command::fail(const input_failure& why) {
  say(why.what());
  results_.failed = true;
  results_.whole = false;
  read_ = false;
  ++results_.files_not_read;
}

utfilter::params command::params_for(bom policy) {
  utfilter::params p = input_params(options_, policy);
  // Otherwise found() has nothing to note, and a decoder without an observer repairs faster.
  const bool looks_for_one = policy == bom::require || policy == bom::reject;
  if (options_.tells_errors() || options_.summary || options_.inspect || options_.filters_reject() ||
      options_.guesses() || looks_for_one)
    p.observer = [this](const error_info& error) { found(error); };
  return p;
}

//-------------------------------------------------------------------------------------------------------------- reports

/// Notes an error of the input. utfcat reports the error after it has written the text before the error.
void command::found(const error_info& error) {
  const bool of_bom = is_of_bom(error);
  is_no_text_ = is_no_text_ || error.code == errc::no_text;
  if (of_bom)
    results_.whole = results_.whole && options_.on_error == on_error::stop;  // no policy repairs such an error
  if (options_.tells_errors() || of_bom || summary_) found_.push_back(error);
  if (of_bom || error.code == errc::no_text) return;
  for_locators([&](locator& places, const utfilter::stream_report& report) {
    places.repaired(error, report.bytes_out, size_of_repair(options_, error, report.encoding));
  });
}

/// Calls the function with each locator that follows the decoded text. With filters, written_ counts in the filtered
/// text. There the text of a file ends at its first error, or no errors are told.
template <class Call>
void command::for_locators(Call call) {
  if (decoded_) call(*decoded_, input_->report());
  if (written_ && filters_.is_empty()) call(*written_, input_->report());
}

//------------------------------------------------------------------------------------------------------- lines with
//errors

utfilter::line_rules command::line_rules() {
  utfilter::line_rules rules;
  rules.policy = options_.line_fallbacks.empty() ? utfilter::line_policy::put_aside : utfilter::line_policy::fall_back;
  rules.fallbacks = options_.line_fallbacks;
  if (options_.rejects) rules.sink = [this](const utfilter::odd_line& line) { put_aside(line); };
  if (!rules.fallbacks.empty()) rules.observer = [this](const utfilter::odd_line& line) { fell_back(line); };
  return rules;
}

/// The place after a line. After a part of a line that is too long, another part follows or the text ends.
utfilter::text_position after(const utfilter::odd_line& line) {
  utfilter::text_position next;
  next.offset = line.end;
  next.pass_lines(line.error.line);
  return next;
}

void command::put_aside(const utfilter::odd_line& line) {
  if (rejects_ != nullptr) rejects_->write(line, input_->name());
  for_locators([&](locator& places, const utfilter::stream_report& report) {
    places.go_on(report.bytes_out, after(line), report.encoding);
  });
}

void command::fell_back(const utfilter::odd_line& line) {
  utfilter::text_position begin;
  begin.offset = line.begin;
  begin.pass_lines(line.error.line - 1);
  utfilter::params all;  // no character is a byte order mark
  all.bom = bom::keep;
  for_locators([&](locator& places, const utfilter::stream_report& report) {
    const std::size_t size = utfilter::to_utf8_string(line.text, line.read_as, all).size();
    places.go_on(report.bytes_out, begin, line.read_as);
    places.go_on(report.bytes_out + size, after(line), report.encoding);
  });
}

/// Which lines did not pass as they are, such as "2 of 1000 lines put aside (57 bytes), 1 line read by a fallback".
/// Empty if all did.
std::string command::counts_of_lines(const input& in) const {
  const std::optional<utfilter::line_counts> n = in.line_counts();
  if (!n) return "";
  const std::string of_lines = " of " + counted(n->lines_passed + n->lines_put_aside, "line");
  std::string text;
  if (n->lines_put_aside != 0)
    text += std::to_string(n->lines_put_aside) + of_lines + " put aside (" + counted(n->bytes_put_aside, "byte") + ')';
  if (n->lines_fallen_back != 0)
    text += (text.empty() ? "" : ", ") + std::to_string(n->lines_fallen_back) + (text.empty() ? of_lines : "") +
            " read by a fallback";
  return text;
}

/// Notes a character that the output's encoding lacks. The encoder finds it in the text of all files; the report has
/// the character's place in its own file.
void command::found_lacking(const error_info& error) {
  if (!written_) return;
  if (const auto here = written_.find(error)) found_.push_back(filters_.is_empty() ? placed(*here) : *here);
}

/// Notes an error that a filter has found in the decoded text.
void command::found_by_filter(const error_info& error) {
  if (error.code != errc::control) return;
  if (const auto here = decoded_.find(error); here && options_.tells_errors()) found_.push_back(placed(*here));
}

/// The error with its offsets in the file. The locator knows only lines and columns of a text in a charset.
error_info command::placed(error_info error) const {
  if (input_->in_charset() == nullptr) return error;
  const utfilter::text_position at = input_->in_charset()->place_of(error.line, error.column);
  error.offset = at.offset;
  error.line_offset = at.line_offset;
  return error;
}

/// A guess at the real format of the file, for the report of its first error. Empty if there is no guess.
std::string command::hint(const input& in) const {
  const compression data =
      in.decompressed() == compression::none ? guess_compression(in.raw().head()).data : compression::none;
  if (data != compression::none) return " (" + advice_on(data) + ')';
  if (is_no_text_) {
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
  if (read_as != encoding::utf8 || in.decompressed() != compression::none) return "";
  std::size_t zeros[2] = {0, 0};  // at even and at odd offsets
  for (std::size_t i = 0; i < in.raw().head().size(); ++i) zeros[i % 2] += in.raw().head()[i] == 0;
  const auto [fewer, more] = std::minmax(zeros[0], zeros[1]);
  if (more == 0) return "";
  // In UTF-16 the zeros are all at even or all at odd offsets. At least one byte in eight is zero, because text in any
  // script has line feeds, spaces and digits.
  if (fewer != 0 || more * 8 < in.raw().head().size()) return " (there are NUL bytes: is it text?)";
  return zeros[0] < zeros[1] ? " (looks like UTF-16LE: try --from utf-16le)"
                             : " (looks like UTF-16BE: try --from utf-16be)";
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

/// Whether the file is no text, by its first bytes. NUL in bytes shows that, because data may have much text. Small
/// numbers of 32 bits look like UTF-32, and are more frequent than it where nothing else speaks for UTF-32.
bool is_binary(const options& o, const raw_file& file) {
  if (!o.decompress && guess_compression(file.head()).data != compression::none) return true;
  const std::string_view start = file.start().substr(0, utfilter::default_guess_bytes);
  if (start.empty()) return false;
  const encoding found = utfilter::guess_encoding(start).encoding;
  if (found == encoding::detect) return true;
  const bool is_utf32 = o.guesses() || begins_with_bom(start) || code_unit_size(o.from) == 4;
  const bool is_wide = code_unit_size(found) == 2 || (code_unit_size(found) == 4 && is_utf32);
  return !is_wide && start.find('\0') != std::string_view::npos;
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

/// Says that the encoding of the text is doubtful, unless an error has told that it is no text.
void command::warn_of_doubt(const input& in) {
  if (is_no_text_ && options_.tells_errors()) return;
  const std::string doubt = doubt_of(options_, in.name(), in.encoding(), report_);
  if (!doubt.empty()) say(doubt);
}

void command::report_errors(const input& in) {
  // In each piece the errors of the input are found first, then those of the encoder.
  found_.sort([](const error_info& a, const error_info& b) { return a.offset < b.offset; });
  for (const error_info& error : found_) {
    results_.ill_formed = results_.ill_formed || options_.tells_errors() || is_of_bom(error);
    ++errors_here_;
    if (summary_) summary_->found(error, size_of_repair(options_, error, in.report().encoding));
    if (summary_ || options_.quiet || options_.names_only) continue;
    std::string hints;
    if (errors_here_ == 1) hints = hint(in);
    if (errors_here_ == 1 && in.start() != 0) hints += " (line 1 begins at byte " + std::to_string(in.start()) + ')';
    if (options_.only_checks())
      reporter_->report(report_on(in.name(), error, hints));
    else
      say(report_of(in.name(), error, hints));
  }
  found_.clear();
  reporter_->flush();
}

/// Why the text is read in its encoding, such as " (by its structure, though it declares KOI8-R)". Empty where that
/// needs no word: the user named it, or the text has a byte order mark.
std::string words_for(const utfilter::stream_report& report) {
  std::string_view why;
  switch (report.decided_by) {
    case evidence::named:
    case evidence::bom: return "";
    case evidence::declaration: why = "as it declares"; break;
    case evidence::structure: why = "by its structure"; break;
    case evidence::statistics: why = "by statistics"; break;
    case evidence::assumption: why = "assumed"; break;
  }
  const std::string declared(report.unused_declaration);
  return " (" + std::string(why) + (declared.empty() ? ")" : ", though it declares " + declared + ')');
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

void command::report_inspection(const input& in) {
  for (const place_report& report : inspection_->reports(in.name(), report_)) reporter_->report(report);
  reporter_->flush();
}

void command::report_summary(const input& in) {
  summary_->pass("", false);  // gives an error at the end its place
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

void command::report_stats(const input& in, std::uint64_t bytes_out, std::uint64_t lacking) {
  const std::string lines = counts_of_lines(in);
  const std::string line = description(in, report_) + counted(report_.bytes_in - in.start(), "byte") + " in, " +
                           counted(bytes_out, "byte") + " out, " + counted(report_.lines, "line") + ", " +
                           counted(report_.errors + lacking, "error") + (lines.empty() ? "" : ", " + lines) +
                           filters_.counts() + '\n';
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

std::string total_of(std::size_t files, const results& all) {
  std::string text = "total: " + counted(files, "file") + ", " + counted(all.lines, "line") + ", ";
  if (all.lines_put_aside != 0) text += counted(all.lines_put_aside, "line") + " put aside, ";
  text +=
      all.errors == 0 ? "well-formed" : counted(all.errors, "error") + " in " + counted(all.files_with_errors, "file");
  if (all.files_not_read != 0) text += ", " + counted(all.files_not_read, "file") + " could not be read";
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

/// Works on one file, which its text replaces. With --dry-run the file is only named if that would change it.
results replace_file(const options& o, const std::string& name, reporter& to, thread_team* team,
                     rejects_file* rejects) {
  results done;
  try {
    const std::optional<file_size> size = size_of(name);
    if (size && !size->regular) throw input_failure(visible(name) + ": is no regular file, so it cannot be replaced");
    if (!size) throw input_failure(because(name, ENOENT));
    const file_version version(name);
    std::optional<destination> target;
    std::optional<comparison> before;
    if (!o.dry_run) target.emplace(name);
    command replacing(o, target ? &*target : nullptr, rejects);
    if (o.dry_run) replacing.compare_with(before.emplace(name));
    done = replacing.take(name, to, team);
    replacing.finish();

    const auto is_unchanged = [&] { return version == file_version(name); };
    if (!done.whole) {
      to.say(incomplete(name, o.dry_run));
    } else if (done.opened) {  // otherwise it is skipped
      bool is_done = is_unchanged();
      if (is_done && before && !before->is_same()) to.report(visible(name) + '\n');
      if (is_done && target) is_done = target->commit(is_unchanged);
      if (!is_done) throw input_failure(visible(name) + ": has been changed by another program, so it is left alone");
    }
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
  bool is_complete = true;
  std::vector<std::string> files = std::move(o.files);
  if (o.recursive) {
    found_files found = files_of(files);
    files = std::move(found.names);
    is_complete = found.is_complete;
  }
  std::optional<rejects_file> rejects;
  if (o.rejects && !o.dry_run) rejects.emplace(*o.rejects, o.reject_format);
  rejects_file* const aside = rejects ? &*rejects : nullptr;
  std::optional<thread_team> threads;
  if (o.jobs != 1) threads.emplace(o.jobs);
  thread_team* const team = threads ? &*threads : nullptr;

  std::optional<destination> target;  // of the text of all files, or of reports
  if (!o.in_place || o.dry_run) target.emplace(o.output);
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
  if (o.summary && !o.quiet && files.size() > 1 && !o.in_place) to.report(total_of(files.size(), all));
  if (target && target->replaces() && !all.whole)
    to.say(incomplete(target->name(), false));
  else if (target)
    target->commit();
  if (all.skipped != 0 && !o.quiet)
    to.say(counted(all.skipped, "binary file") + " skipped, the first is " + visible(all.first_skipped));
  return is_complete && !to.failed() ? all.status() : 2;
}

}  // namespace
}  // namespace utfcat

int main(int argc, char** argv) {
  using namespace utfcat;
  prepare(argc, argv);
  try {
    const options o = parse(argc, argv);
    if (o.help) return print(help_text());
    if (o.list) return print(list_of_encodings());
    if (o.manual) return print(manual_page());
    if (o.words) return print(words_after(*o.words));
    if (o.version) return print("utfcat (utfilter) " + version_number() + '\n');
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
