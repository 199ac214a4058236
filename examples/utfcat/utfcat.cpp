// utfcat: files of any encoding as one text, checked, repaired and transcoded.
//
//   raw_file -> [ decompressor ] -> to_utf8 -> pieces of UTF-8 -> from_utf8 -> fd_sink
//   one of these for each file (input.hpp)                    one for all (output.hpp)
#include "input.hpp"
#include "locator.hpp"
#include "messages.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "summary.hpp"
#include "system.hpp"

#include <utfilter/config.hpp>
#include <utfilter/utf_error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
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
using utfilter::on_error;

bool has_signature(encoding e) noexcept {
  return e != encoding::cesu8 && e != encoding::latin1 && e != encoding::windows1252;
}

bool detects_by_signature(encoding e) noexcept {
  return e == encoding::detect || e == encoding::utf16 || e == encoding::utf32;
}

bool is_single_byte(encoding e) noexcept { return e == encoding::latin1 || e == encoding::windows1252; }

std::string counted(std::uint64_t n, const char* what) {
  return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

/// Bytes of the files, 0 where one is not a regular file.
std::uint64_t total_size(const std::vector<std::string>& files) {
  std::uint64_t total = 0;
  for (const std::string& file : files) {
    const std::optional<file_size> size = size_of(file);
    if (size && !size->regular) return 0;
    if (size) total += size->bytes;
  }
  return total;
}

/// Whether a bar is wanted, and can be seen apart from the text.
bool shows_progress(const options& o, const destination& text) noexcept {
  return o.progress && is_terminal(standard_error) && !is_terminal(text.fd());
}

class command {
 public:
  /// Throws output_failure, and std::invalid_argument where the options do not fit together.
  explicit command(const options&);

  /// The exit status. Throws output_failure.
  int run();

 private:
  void copy(const std::string& name);
  void pour(input&);
  void fail(const input_failure&);
  bom  bom_of_next_file() const;
  utfilter::params input_params(bom);

  void found(const error_info&);
  void found_lacking(const error_info&);
  void report_errors(const input&);
  void report_summary(const input&);
  std::string hint(const input&) const;
  void report_stats(const input&, std::uint64_t bytes_out, std::uint64_t lacking);
  void say(const std::string& message);

  const options& options_;
  destination    target_;   // of the text, or of a check's reports
  fd_sink        reports_;
  output         output_;
  bool           in_colour_;  // a check's reports
  progress       progress_;
  std::uint64_t  bytes_before_ = 0;      // in the files before this one
  bool           opened_       = false;  // a file could be
  bool           whole_        = true;   // nothing is missing in the output
  bool           ill_formed_   = false;
  bool           failed_       = false;  // a file could not be read

  // Of the file at hand.
  std::vector<error_info> found_;  // not reported yet
  bool                    hinted_ = false;
  std::optional<summary>  summary_;          // where one is wanted
  std::optional<locator>  locator_;          // where the output's encoding may lack a character
  std::string_view        piece_;            // being written
  std::uint64_t           piece_start_ = 0;  // its offset in the encoder's input
  std::size_t             located_     = 0;  // bytes of it that the locator has passed
};

command::command(const options& o)
    : options_(o),
      target_(o.output),
      reports_(&target_),
      output_(o, o.check ? nullptr : &target_, [this](const error_info& error) { found_lacking(error); }),
      in_colour_(shows_colours(standard_output)),
      progress_(shows_progress(o, target_), shows_progress(o, target_) ? total_size(o.files) : 0) {
  utfilter::to_utf8(o.from, input_params(bom_of_next_file()));  // throws now rather than for each file
}

int command::run() {
  for (const std::string& name : options_.files) try {
      copy(name);
    } catch (const input_failure& why) {
      fail(why);
    }
  if (opened_) output_.finish();
  progress_.erase();
  if (whole_ || !target_.replaces())
    target_.commit();
  else
    say(printable(target_.name()) + ": not written, since the text is not complete");
  return failed_ ? 2 : ill_formed_ ? 1 : 0;
}

void command::copy(const std::string& name) {
  input in(name, options_.decompress);
  // Else a file would grow until the disk is full.
  if (in.raw().bytes_read() != 0 && target_.is(in.raw().fd()))
    throw input_failure(printable(name) + ": is the output as well (--output can replace it)");
  opened_ = true;
  hinted_ = false;
  if (options_.summary) summary_.emplace();

  const std::uint64_t written = output_.bytes_written(), lacking = output_.errors();
  try {
    pour(in);
  } catch (const utfilter::utf_error& error) {
    whole_ = false;
    if (error.info().code == errc::unmappable) output_.recover();
  } catch (const input_failure& why) {
    fail(why);
  }
  report_errors(in);
  if (summary_) report_summary(in);
  if (options_.stats) report_stats(in, output_.bytes_written() - written, output_.errors() - lacking);
  bytes_before_ += in.raw().bytes_read();
}

void command::pour(input& in) {
  const bom  signature = bom_of_next_file();
  const bool left_in   = signature == bom::keep || signature == bom::reject ||
                       (signature != bom::strip && !detects_by_signature(options_.from));
  // These two leave a signature in the text where they look for it; inside the output it must not be.
  const bool alone = output_.begun() && (signature == bom::require || signature == bom::reject) && left_in;
  in.decode(options_.from, input_params(signature), alone);

  const bool locating = options_.reports_errors() && is_single_byte(options_.to);
  locator_ = locating ? std::optional<locator>(std::in_place) : std::nullopt;
  bool first = true;
  for (piece_ = in.next(); !piece_.empty(); piece_ = in.next(), first = false) {
    if (locator_ && first) locator_->begin(in.report().encoding, in.report().bom, left_in && !alone);
    piece_start_ = output_.bytes_taken();
    located_     = 0;
    output_.write(piece_);
    if (locator_) locator_->pass(piece_.substr(located_));
    report_errors(in);
    if (summary_) summary_->pass(piece_, first && in.report().bom && left_in && !alone);
    progress_.show(bytes_before_ + in.raw().bytes_read());
  }
}

void command::fail(const input_failure& why) {
  say(why.what());
  failed_ = true;
  whole_  = false;
}

/// What becomes of a file's own signature: the output has one at most, at its beginning.
bom command::bom_of_next_file() const {
  const bom none = has_signature(options_.from) ? bom::strip : bom::automatic;
  switch (options_.bom) {
    case bom::automatic:
    case bom::keep: return output_.begun() ? none : options_.bom;
    case bom::add: return none;  // the output's encoder adds it
    case bom::strip:
    case bom::require:
    case bom::reject: break;
  }
  return options_.bom;
}

utfilter::params command::input_params(bom signature) {
  utfilter::params p;
  p.bom      = signature;
  p.on_error = options_.check ? on_error::replace : options_.on_error;
  p.observer = [this](const error_info& error) { found(error); };
  if (options_.check) p.replacement = locator::repair;
  return p;
}

//---------------------------------------------------------------------------------------------------------------- reports

/// An error of the input. It is reported behind the text that precedes it.
void command::found(const error_info& error) {
  const bool of_signature = error.code == errc::missing_bom || error.code == errc::unexpected_bom;
  if (of_signature) whole_ = whole_ && options_.on_error == on_error::stop;  // no policy repairs it
  if (options_.reports_errors() || of_signature) found_.push_back(error);
  if (options_.check && locator_ && !of_signature) locator_->repaired(error);
}

/// A character that the output's encoding lacks: found in the text of all files, reported where it stands in its own.
void command::found_lacking(const error_info& error) {
  if (!locator_) return;
  const auto offset = static_cast<std::size_t>(error.offset - piece_start_);
  locator_->pass(piece_.substr(located_, offset - located_));
  located_ = offset;

  const utfilter::text_position at = locator_->position();
  error_info here  = error;
  here.offset      = at.offset;
  here.line        = at.line;
  here.column      = at.column;
  here.line_offset = at.line_offset;
  found_.push_back(here);
}

/// What the file may be, behind the first report of what it is not.
std::string command::hint(const input& in) const {
  const compression data = in.decompressed() == compression::none ? guess_compression(in.raw().head()).data : compression::none;
  if (data != compression::none) return " (" + advice_on(data) + ')';

  const encoding read_as = in.report().encoding;
  const std::string_view start = in.raw().head().substr(0, 2);
  if (read_as == encoding::utf8 && (start == "\xFF\xFE" || start == "\xFE\xFF")) return ": try --from detect";
  if (read_as != encoding::utf8 || in.decompressed() != compression::none) return "";
  std::size_t zeros[2] = {0, 0};  // at even and at odd offsets
  for (std::size_t i = 0; i < in.raw().head().size(); ++i) zeros[i % 2] += in.raw().head()[i] == 0;
  const auto [fewer, more] = std::minmax(zeros[0], zeros[1]);
  if (more == 0) return "";
  // Every eighth byte at least: a line feed, a space, a digit here and there.
  if (fewer != 0 || more * 8 < in.raw().head().size()) return " (there are NUL bytes: is it text?)";
  return zeros[0] < zeros[1] ? " (looks like UTF-16LE: try --from utf-16le)" : " (looks like UTF-16BE: try --from utf-16be)";
}

void command::report_errors(const input& in) {
  // The two kinds are found one after the other in each piece.
  std::stable_sort(found_.begin(), found_.end(),
                   [](const error_info& a, const error_info& b) { return a.offset < b.offset; });
  for (const error_info& error : found_) {
    ill_formed_ = true;
    if (summary_) {
      summary_->found(error);
      continue;
    }
    std::string report = printable(in.name()) + ':' + std::to_string(error.line) + ':' + std::to_string(error.column) +
                         ": byte " + std::to_string(error.offset) + ": " + error.message();
    if (!std::exchange(hinted_, true)) report += hint(in);
    if (options_.check) {
      report += '\n';
      reports_.write(report.data(), static_cast<std::streamsize>(report.size()));
    } else {
      say(report);
    }
  }
  found_.clear();
  reports_.flush();
}

/// "NAME: gzip, UTF-8, no byte order mark, "
std::string description(const input& in) {
  const utfilter::stream_report report = in.report();
  const bool packed = in.decompressed() != compression::none;
  return printable(in.name()) + ": " + (packed ? std::string(name_of(in.decompressed())) + ", " : "") +
         std::string(encoding_name(report.encoding)) + (report.bom ? ", byte order mark, " : ", no byte order mark, ");
}

void command::report_summary(const input& in) {
  std::string text = description(in) + counted(in.report().lines, "line") + ", ";
  if (summary_->errors() == 0) {
    text += "well-formed\n";
  } else {
    std::string why = hint(in);
    if (why.empty() && in.report().encoding == encoding::utf8 && !summary_->beyond_ascii())
      why = " (no character beyond ASCII is UTF-8: try --from windows-1252)";
    text += counted(summary_->errors(), "error") + why + '\n' + summary_->lines(in_colour_);
  }
  reports_.write(text.data(), static_cast<std::streamsize>(text.size()));
  reports_.flush();
}

void command::report_stats(const input& in, std::uint64_t bytes_out, std::uint64_t lacking) {
  const utfilter::stream_report report = in.report();
  progress_.erase();
  const std::string line = description(in) + counted(report.bytes_in, "byte") + " in, " + counted(bytes_out, "byte") + " out, " +
                           counted(report.lines, "line") + ", " + counted(report.errors + lacking, "error") + '\n';
  write_fully(standard_error, line.data(), line.size());
}

void command::say(const std::string& message) {
  progress_.erase();
  complain(message);
}

/// --help and --version.
int print(const std::string& text) {
  destination out(std::nullopt);
  fd_sink     sink(&out);
  sink.write(text.data(), static_cast<std::streamsize>(text.size()));
  sink.flush();
  out.commit();
  return 0;
}

std::string version() {
  constexpr int v = UTFILTER_VERSION;
  return "utfcat (utfilter) " + std::to_string(v / 10000) + '.' + std::to_string(v / 100 % 100) + '.' +
         std::to_string(v % 100) + '\n';
}

/// The library's reason, in terms of the command line: "utfilter::to_utf8(UTF-16): REASON" is "--from UTF-16: REASON".
std::string reason_of(const std::invalid_argument& why) {
  std::string text = why.what();
  for (const auto& [caller, option] : {std::pair("utfilter::to_utf8(", "--from "), std::pair("utfilter::from_utf8(", "--to ")}) {
    const std::size_t size = std::strlen(caller);
    if (text.compare(0, size, caller) != 0) continue;
    text.replace(0, size, option);
    text.erase(text.find(')'), 1);
  }
  return text;
}

}  // namespace
}  // namespace utfcat

int main(int argc, char** argv) {
  using namespace utfcat;
  prepare(argc, argv);
  try {
    const options o = parse(argc, argv);
    if (o.help) return print(help_text);
    if (o.version) return print(version());
    return command(o).run();
  } catch (const std::invalid_argument& why) {
    complain(reason_of(why));
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const std::exception& why) {
    complain(why.what());
  }
  return 2;
}
