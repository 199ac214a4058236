// follow.cpp: utfcat --follow: a file that grows, decoded as it comes, and the place that a restart goes on from.
//
// The order of each step is: the text goes to the output and from there to the disk; then the state does. So the state
// is never ahead of what was written. After a crash the output may be ahead of the state: a file of --output is cut to
// the size that the state has, and the text is written again. A pipe cannot be cut: there the state waits until the
// text was read.
//
// Under guess the start of each file waits until it decides the encoding. Until then nothing is decoded, and the state
// has no place in the file. So a restart guesses anew; after the decision the place has the encoding.
//
// If the file was rewritten, the text before the line with the first change is not written again. The follower goes back to
// a place that it has kept before that, looks for the line from there on, and begins with it as it begins with a state.
#include "follow.hpp"

#include "charsets.hpp"
#include "directories.hpp"
#include "distinct_files.hpp"
#include "follow_state.hpp"
#include "kept_places.hpp"
#include "messages.hpp"
#include "placed_text.hpp"
#include "reading.hpp"
#include "reporter.hpp"
#include "system.hpp"
#include "text_path.hpp"
#include "utf16_watch.hpp"

#include <utfilter/decoder.hpp>
#include <utfilter/follow_source.hpp>
#include <utfilter/text.hpp>
#include <utfilter/utf_error.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <ios>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace utfcat {
namespace {

namespace fs = std::filesystem;
using utfilter::codec_status;
using utfilter::encoding;
using utfilter::file_end;
using utfilter::follow_source;
using utfilter::follow_streambuf;
using clock = std::chrono::steady_clock;

/// The shortest time between two writes of the state. Each waits for the disk.
constexpr std::chrono::milliseconds between_states(1000);
/// The longest time that the readers of a pipe have at the end.
constexpr std::chrono::milliseconds time_for_readers(1000);
/// The greatest number of states that wait for the readers of a pipe.
constexpr std::size_t most_waiting_states = 64;
/// So many bytes decide a guess, or fewer if no more come in this time.
constexpr std::size_t most_guess_bytes = 512;
constexpr std::chrono::milliseconds silence(1000);

constexpr clock::time_point never = clock::time_point::max();

std::atomic<follow_source*> followed{nullptr};
std::atomic<bool> is_stopped{false};  // also before there is a file
void stop_followed() {
  is_stopped = true;
  if (follow_source* const file = followed) file->stop();
}

//------------------------------------------------------------------------------------------------- where to go on

struct beginning {
  utfilter::follow_options files;
  std::vector<std::string> identities;  // of the files, if the state knows the first one
  kept_place place;                     // in the first file
  std::string truncated;                // a message, if the file was truncated
  std::string lost;                     // a message, if the file of the state is not there
};

/// Whether the file at this name has the text of the state, up to its place.
bool has_text_of(const std::string& name, const follow_state& state) {
  const auto text = fingerprint_maker::of_file(name, state.offset());
  return text && text->at(state.offset()) == state.text;
}

/// The file of the state under the name that it got when it was renamed; or else a copy of it whose name begins with
/// that of the file, because some programs copy a log and truncate it. Empty if there is none.
fs::path find_renamed(const fs::path& path, const follow_state& state) {
  const std::string start = name_of(path.filename());
  fs::path copy;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path.has_parent_path() ? path.parent_path() : ".", error)) {
    const fs::path found = path.parent_path() / entry.path().filename();
    const std::string name = name_of(found.filename());
    const bool is_same = follow_streambuf::identity_of(found) == state.file;
    const bool may_be_copy = state.offset() != 0 && name.compare(0, start.size(), start) == 0;
    if (name == start || !(is_same || may_be_copy) || !has_text_of(name_of(found), state)) continue;
    if (is_same) return found;
    copy = found;
  }
  return copy;
}

/// The end of a name that a file got when it was renamed: what it has after the name of the file that is followed.
struct name_end {
  /// More digits are a date or a time.
  static constexpr std::size_t most_digits_of_count = 5;

  explicit name_end(std::string end) : text(std::move(end)), form(text) {
    for (char& c : form)
      if (c >= '0' && c <= '9') c = '0';
  }

  std::string text;  // such as ".3", ".20240131" or "-2024-01-31"
  std::string form;  // the same with 0 for each digit

  std::size_t digits() const { return static_cast<std::size_t>(std::count(form.begin(), form.end(), '0')); }
  /// The count of ".3"; nothing for all other ends.
  std::optional<int> count() const {
    const std::size_t size = text.size() - !text.empty();
    if (size == 0 || size > most_digits_of_count || form != '.' + std::string(size, '0')) return std::nullopt;
    return std::stoi(text.substr(1));
  }
  /// Whether a file with this end was renamed after one with the other end, as far as they tell.
  bool is_later_than(const name_end& other) const {
    if (other.count()) return count() && *count() < *other.count();
    return other.digits() > most_digits_of_count && form == other.form && text > other.text;
  }
};

/// The file and those that had the name after it: after NAME.3 these are NAME.2 and NAME.1, after NAME.20240131 those
/// with later dates. Other schemes of names do not tell.
std::vector<fs::path> with_later_files(const fs::path& file, const fs::path& path) {
  std::vector<fs::path> files = {file};
  const std::string start = name_of(path.filename()), name = name_of(file.filename());
  if (name.compare(0, start.size(), start) != 0) return files;
  const name_end end(name.substr(start.size()));
  std::vector<name_end> later;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path.has_parent_path() ? path.parent_path() : ".", error)) {
    const std::string found = name_of(entry.path().filename());
    if (found.compare(0, start.size(), start) != 0 || !entry.is_regular_file(error)) continue;
    name_end one(found.substr(start.size()));
    if (one.is_later_than(end)) later.push_back(std::move(one));
  }
  std::sort(later.begin(), later.end(), [](const auto& a, const auto& b) { return b.is_later_than(a); });
  for (const name_end& one : later) files.push_back(path.parent_path() / path_of(start + one.text));
  return files;
}

/// Finds the file of the state.
beginning find_place(const options& o, const follow_state& state) {
  const std::string& name = o.files[0];
  beginning result;
  if (state.file.empty() && !state.place) return result;  // nothing was read yet
  const auto begin_at_place = [&](const std::string& file) {
    for (const fs::path& one : result.files.earlier) result.identities.push_back(follow_streambuf::identity_of(one));
    if (result.identities.empty()) result.identities.push_back(state.file);
    result.place = {state.place, state.filters,
                    fingerprint_maker::of_file(file, state.offset()).value_or(fingerprint_maker())};
    result.files.offset = state.offset();
    return result;
  };

  const std::string identity = follow_streambuf::identity_of(path_of(name));
  if (identity == state.file && has_text_of(name, state)) return begin_at_place(name);
  if (const fs::path found = find_renamed(path_of(name), state); !found.empty()) {
    result.files.earlier = with_later_files(found, path_of(name));
    return begin_at_place(name_of(found));
  }
  const std::optional<file_size> size = size_of(name);
  if (identity == state.file && size && size->bytes < state.offset()) {
    result.truncated =
        visible(name) + ": truncated since the last run, so it is read from its start; what was not read is lost";
    return result;
  }
  const char* const difference = identity.empty()         ? "does not exist, and neither does"
                                 : identity != state.file ? "is another file (by device and inode) than"
                                                          : "has other bytes than";
  result.lost = visible(name) + ": " + difference + " the file of the state " + visible(*o.state);
  return result;
}

/// Opens the files. They may be renamed just now: so it finds them again after that, and accepts only what it has found
/// twice. Throws input_failure if the file of the state is not there, unless the user wants to begin anew then.
follow_source open_files(const options& o, const std::optional<follow_state>& state, beginning& from) {
  const fs::path path = path_of(o.files[0]);
  const std::size_t named_unit = utfilter::code_unit_size(o.from), unit_size = named_unit == 1 ? 0 : named_unit;
  from.files.unit_size = unit_size;
  if (!state) return follow_source(path, from.files);
  for (int attempts = 10;; --attempts) {
    try {
      from = find_place(o, *state);
      from.files.unit_size = unit_size;
      if (from.lost.empty() || attempts == 0) {
        if (!from.lost.empty() && !o.from_start)
          throw input_failure(from.lost + "; no file beside it is that one (--from-start begins anew)");
        follow_source file(path, from.files);
        const std::vector<std::string> identities = find_place(o, *state).identities;
        if (attempts == 0 ||
            (identities == from.identities && (identities.empty() || file.identity() == identities[0]))) {
          if (!from.truncated.empty()) complain(from.truncated);
          if (!from.lost.empty()) complain(from.lost + "; begun anew, what was not read of that file is lost");
          return file;
        }
      }
    } catch (const std::ios_base::failure&) {
      if (attempts == 0) throw;
    } catch (const std::invalid_argument&) {
      if (attempts == 0) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

/// Ends utfcat because another process has the state.
[[noreturn]] void refuse_taken(const kept_file& file) {
  const std::optional<follow_state> state = follow_state_from_string(file.content().value_or(""));
  const std::string process = state ? " (process " + std::to_string(state->process) + ")" : "";
  throw input_failure(visible(file.name()) + ": another utfcat" + process +
                      " keeps its place there; a state is for one utfcat at a time");
}

/// Text that was filtered and text that was not must not become one output.
void refuse_other_filters(const options& o, const follow_state& state) {
  std::string of_state, given;
  for (const filter_memory& one : state.filters) of_state += (of_state.empty() ? "" : ",") + one.filter;
  for (const filter_choice& one : o.filters) given += (given.empty() ? "" : ",") + one.full_name();
  if (of_state == given) return;
  const std::string same = of_state.empty() ? "leave out --filter" : "give --filter " + of_state;
  throw input_failure(visible(*o.state) + ": is the state of " +
                      (of_state.empty() ? "text without filters" : "text after --filter " + of_state) + " (" + same +
                      " to go on, or another --state and --output to begin anew)");
}

/// Reads the state. Empty if there is none yet.
std::optional<follow_state> read_state(const options& o, const kept_file& file) {
  if (file.is_taken()) refuse_taken(file);
  if (!file.content()) return std::nullopt;
  std::optional<follow_state> state = follow_state_from_string(*file.content());
  const auto refuse = [&](const char* what, utfilter::encoding e) {
    throw input_failure(visible(*o.state) + ": is the state of " + what + " in " + std::string(encoding_name(e)));
  };
  if (state && state->to != o.to) refuse("an output", state->to);
  if (state && state->place && !is_decided_by_bom(o.from) && o.from != state->place->encoding)
    refuse("a file", state->place->encoding);
  if (state) refuse_other_filters(o, *state);
  if (state) return state;
  const std::string why = visible(*o.state) + ": is no state of this version of utfcat, or damaged";
  if (!o.from_start) throw input_failure(why + " (without it, or with --from-start, utfcat begins anew)");
  complain(why + ": not used");
  return std::nullopt;
}

void write_state(kept_file& file, const follow_state& state) {
  if (!file.replace(to_string(state))) {
    const kept_file other(file.name());
    if (other.is_taken()) refuse_taken(other);
    throw output_failure(visible(file.name()) + ": another program has replaced it");
  }
}

/// The options, after a look at the output: it may have text of an earlier run, with a state or without.
options resumed(options o, const std::optional<follow_state>& state) {
  const std::optional<file_size> size = o.output && !state ? size_of(*o.output) : std::nullopt;
  o.resumes = state ? state->output_size != 0 : size && size->regular && size->bytes != 0;
  return o;
}

//----------------------------------------------------------------------------------------------------------- following

class follower final : text_origin {
 public:
  /// `state` is what `state_file` has; both are empty without --state.
  follower(const options& o, const std::optional<follow_state>& state, kept_file* state_file);
  ~follower() override { followed = nullptr; }
  follower(const follower&) = delete;
  follower& operator=(const follower&) = delete;

  int run();

 private:
  void refuse_output() const;
  void begin_output(const std::optional<follow_state>& state);
  void begin_text(const kept_place& from, std::size_t guess_bytes);
  void watch_for_utf16(encoding read_as, std::uint64_t offset);
  bool begin_next_file();
  bool go_back();
  void search_line(std::string_view bytes);
  void end_search();
  void keep_place();
  void follow_file();
  clock::time_point state_due() const;
  std::size_t guess_bytes() { return deciding_.of(sample_ ? *sample_ : ""); }
  void take(std::string_view bytes);
  void guess_in_silence();
  void guess(bool last);
  utfilter::charset_guess charset_of(std::string_view sample, std::size_t guess_bytes) const;
  void refuse_charset(const utfilter::charset_guess&) const;
  void pass(std::string_view bytes, bool last);
  void tell_found();
  void tell_doubt();
  void tell_utf16();
  void save();
  void write_waiting_states();
  std::uint64_t output_size() const;

  utfilter::stream_report report() const override { return decoder_->report(); }
  bool may_have_zeros() const noexcept override { return utf16_->may_have_zeros(); }
  std::uint64_t start() const noexcept override { return 0; }
  bool shows_sizes() const override { return !utfilter::detail::is_irregular(report().encoding); }
  utfilter::text_position place_of(std::uint64_t line, std::uint64_t column) const override;

  const options options_;
  kept_file* const state_file_;  // null without --state
  const std::string& name_;
  destination target_;
  direct_reporter reporter_;
  text_path path_;
  std::uint64_t written_before_ = 0;  // bytes of output of earlier runs
  std::string output_identity_;       // empty if the output cannot be cut
  beginning begin_;
  follow_source file_;

  // The text of the present file.
  std::optional<std::string> sample_;  // its first bytes, until they decide about the encoding
  deciding_size deciding_{std::min(options_.guess_bytes, most_guess_bytes)};
  clock::time_point guess_due_ = never;  // when silence decides
  std::optional<utfilter::decoder> decoder_;
  std::optional<utf16_watch> utf16_;
  fingerprint_maker text_;
  kept_places places_before_;
  std::optional<line_search> search_;  // after a file was rewritten, until the line with the first change is found
  std::uint64_t changed_from_ = 0;     // the offset of that change
  std::string identity_;               // of the file that the state names
  bool ended_ = false;                 // an error has ended the text
  bool is_told_ = false;               // that the encoding is doubtful
  bool is_utf16_told_ = false;
  // For text that does not show the sizes of its characters:
  std::optional<utfilter::transcoder> before_;  // the codec before the bytes that are being passed
  std::string_view passed_;                     // those bytes
  mutable std::optional<place_finder<utfilter::transcoder>> places_;  // of them

  bool ill_formed_ = false;
  bool changed_ = false;              // since the last state was made
  bool final_ = false;                // the state may not go on
  std::deque<follow_state> waiting_;  // states that are not written yet, the oldest first
  clock::time_point saved_ = clock::now() - between_states;
};

follower::follower(const options& o, const std::optional<follow_state>& state, kept_file* state_file)
    : options_(resumed(o, state)),
      state_file_(state_file),
      name_(options_.files[0]),
      target_(o.output, destination::way::append),
      reporter_(options_, &target_, false, 0),
      path_(options_, o.check ? nullptr : &target_),
      file_(open_files(o, state, begin_)) {
  begin_output(state);
  begin_text(begin_.place, guess_bytes());
}

/// The file may be there only now, or another one may have got its name.
void follower::refuse_output() const {
  if (target_.is(open_regular(name_).get()))
    throw output_failure(visible(target_.name()) + ": is the file that is followed as well");
}

void follower::begin_output(const std::optional<follow_state>& state) {
  refuse_output();
  if (options_.state && !target_.lock())
    throw output_failure(visible(target_.name()) +
                         ": is locked by another program, such as a utfcat with another --state");
  if (state) written_before_ = state->output_size;
  const std::optional<std::uint64_t> size = target_.size();
  if (size) output_identity_ = follow_streambuf::identity_of(path_of(target_.name()));
  if (!size && options_.state && !options_.check) {
    const bool is_file = target_.is(target_.fd());
    const char* const more = is_file            ? ""
                             : target_.unread() ? ", and text that its reader has not read"
                                                : ", and text is lost if its reader ends before it has read it";
    complain(visible(target_.name()) + ": cannot be cut, so after a crash the text of up to a second comes twice" +
             more);
  }
  if (!size || !state) {
    written_before_ = size.value_or(written_before_);
    return;
  }
  if (state->output != output_identity_)
    throw output_failure(visible(target_.name()) + ": is not the output of the state " + visible(*options_.state));
  if (*size < state->output_size)
    throw output_failure(visible(target_.name()) + ": has only " + std::to_string(*size) + " of the " +
                         std::to_string(state->output_size) + " bytes of the state " + visible(*options_.state));
  target_.cut(state->output_size);
}

void follower::begin_text(const kept_place& from, std::size_t guess_bytes) {
  const std::optional<utfilter::checkpoint>& place = from.at;
  const utfilter::bom policy = path_.next_bom();
  utfilter::params p = path_.decoder_params(policy);
  p.guess_bytes = guess_bytes;
  p.start = place;
  is_told_ = place.has_value();  // by the run that decided
  is_utf16_told_ = false;
  sample_.reset();
  guess_due_ = never;
  if (options_.guesses() && !place) {
    sample_.emplace();
    deciding_ = deciding_size(std::min(options_.guess_bytes, most_guess_bytes));
  }
  watch_for_utf16(place                               ? place->encoding
                  : options_.from == encoding::detect ? options_.fallback
                                                      : options_.from,
                  place ? place->offset : 0);
  decoder_.emplace(options_.from, p);
  text_ = from.text;
  path_.begin(*this, policy);
  if (!place) return;
  path_.resume(*place, from.filters);
  places_before_.add(from);
}

/// Looks for UTF-16 in the bytes from this offset on, if they are UTF-8.
void follower::watch_for_utf16(encoding read_as, std::uint64_t offset) {
  utf16_.emplace();
  if (read_as == encoding::utf8) utf16_->on(offset, 0, ends_at_utf16(options_));
}

int follower::run() {
  followed = &file_;
  if (is_stopped) file_.stop();
  save();
  if (state_file_ != nullptr && state_file_->lock_error() != 0)
    complain("no other utfcat may use the same --state, and it cannot be locked: " +
             because(state_file_->name(), state_file_->lock_error()));
  try {
    do {
      follow_file();
      // After stop, the next run goes on with what is incomplete, or not decided.
      if (ended_ || (file_.ended() == file_end::stopped && options_.state)) continue;
      // What is incomplete is read again.
      if (file_.ended() == file_end::rewritten || search_) continue;
      if (sample_)
        guess(true);
      else
        pass({}, true);
    } while (!ended_ && begin_next_file());
  } catch (const std::ios_base::failure& why) {
    save();
    throw input_failure(visible(why.what()));
  }
  path_.output().finish();
  changed_ = true;  // the end of the text may have given more
  if (state_file_ != nullptr) target_.wait_for_readers(time_for_readers);
  save();
  target_.commit();
  return ill_formed_ ? 1 : 0;
}

bool follower::begin_next_file() {
  if (file_.ended() == file_end::truncated)
    reporter_.say(visible(name_) + ": truncated, so it is read again from its start");
  if (file_.ended() == file_end::rewritten) return go_back();
  search_.reset();
  if (!file_.next_file()) return false;
  refuse_output();
  places_before_ = {};
  begin_text({}, guess_bytes());
  save();
  return true;
}

/// Goes back in a file that was rewritten, to a place before the line with the first change.
bool follower::go_back() {
  changed_from_ = file_.unchanged();
  const bool is_decided = !sample_;
  kept_place from = is_decided ? places_before_.cut(changed_from_) : kept_place();
  if (!file_.next_file(from.offset())) return false;
  const bool was_guessed = options_.guesses() && is_decided && !from.at;
  const encoding read_as = was_guessed ? report().encoding : options_.from;
  const utfilter::bom policy = utfilter::has_bom(read_as) ? path_.next_bom() : utfilter::bom::automatic;
  search_.emplace(options_, std::move(from), read_as, input_params(options_, policy));
  if (!is_decided || search_->offset() == changed_from_) end_search();
  return true;
}

/// Looks for the line in bytes that are as they were.
void follower::search_line(std::string_view bytes) {
  const std::uint64_t left = changed_from_ - search_->offset();
  const std::string_view same = bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(left, bytes.size())));
  search_->take(same);
  if (same.size() != left) return;
  end_search();
  if (same.size() != bytes.size()) take(bytes.substr(same.size()));
}

/// Begins with the line that was found.
void follower::end_search() {
  const kept_place from = search_->place();
  const std::string rest = search_->rest();
  search_.reset();
  const std::string where =
      from.at ? "line " + std::to_string(from.at->line) + " (byte " + std::to_string(from.offset()) + ')' : "its start";
  reporter_.say(visible(name_) + ": rewritten from byte " + std::to_string(changed_from_) +
                " on, so it is read again from " + where + (options_.check ? "" : "; its old text was written before"));
  const bool is_told = is_told_, is_utf16_told = is_utf16_told_;
  begin_text(from, guess_bytes());
  if (from.at) {
    is_told_ = is_told;
    is_utf16_told_ = is_utf16_told;
  }
  changed_ = true;
  save();
  if (!rest.empty()) take(rest);
}

/// Keeps the place after the text so far, if no other one is near.
void follower::keep_place() {
  if (!places_before_.wants(text_.size())) return;
  const utfilter::checkpoint place = decoder_->here();
  if (!places_before_.wants(place.offset) || ended_) return;
  kept_place kept = {place, path_.memory(), text_};
  kept.text.cut(place.offset);
  places_before_.add(std::move(kept));
}

/// Writes the text of a file until it ends.
void follower::follow_file() {
  std::vector<char> bytes(65536);
  while (!ended_) {
    // A state with the new file comes before its text.
    if (identity_ != file_.identity()) save();
    if (clock::now() >= state_due()) save();
    const clock::time_point due = std::min(state_due(), guess_due_);
    if (!file_.wait_for(std::chrono::ceil<std::chrono::milliseconds>(due - clock::now()))) {
      if (clock::now() >= guess_due_) guess_in_silence();
      continue;
    }
    if (identity_ != file_.identity()) continue;
    const std::streamsize size = file_.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (size < 0) return;
    take({bytes.data(), static_cast<std::size_t>(size)});
  }
}

/// When to save, if there is anything.
clock::time_point follower::state_due() const {
  return changed_ || !waiting_.empty() ? saved_ + between_states : never;
}

//------------------------------------------------------------------------------------------------------------- guessing

/// Passes bytes of the file, as soon as their encoding is decided.
void follower::take(std::string_view bytes) {
  if (search_) return search_line(bytes);
  if (!sample_) {
    changed_ = true;
    pass(bytes, false);
    keep_place();
    return;
  }
  sample_->append(bytes);
  guess_due_ = clock::now() + silence;
  if (sample_->size() >= guess_bytes() || begins_with_bom(*sample_)) guess(false);
}

/// Guesses, unless the writer may have stopped inside the very character that decides. Then the rest of it, or the end
/// of the file, must come first.
void follower::guess_in_silence() {
  constexpr std::size_t longest_unit = 4;
  const std::string_view sample = *sample_;
  const utfilter::charset_guess of_start = charset_of(sample, sample.size()),
                                of_whole = charset_of(sample, guess_bytes());
  const bool is_cut = utfilter::complete_prefix(sample) != sample.size() && of_start != of_whole;
  const bool is_part_of_unit = sample.size() < longest_unit && of_start == encoding_name(utfilter::encoding::detect);
  guess_due_ = never;
  if (!is_cut && !is_part_of_unit && !deciding_.is_hole(sample)) guess(false);
}

/// Guesses by the bytes that are there, and passes them. With `last` the file ends after them.
void follower::guess(bool last) {
  const std::size_t deciding = guess_bytes();
  const std::string sample = std::move(*sample_);
  // A sample that is shorter than what decides counts as a whole text. The decoder would wait for the rest.
  const std::size_t part = size_before_utf16(sample);
  const std::size_t size = last && part == sample.size() ? deciding : std::min(part, deciding);
  begin_text({}, size);
  const utfilter::charset_guess guessed = charset_of(sample, size);
  refuse_charset(guessed);
  watch_for_utf16(utfilter::encoding_from_name(guessed).value_or(encoding::detect), 0);
  sample_.reset();
  changed_ = true;
  pass(sample, last);
  keep_place();
}

/// What the decoder would find, or the name of the charset that it lacks.
utfilter::charset_guess follower::charset_of(std::string_view sample, std::size_t guess_bytes) const {
  utfilter::params p = input_params(options_, utfilter::bom::automatic);
  p.guess_bytes = guess_bytes;
  return utfilter::guess_charset(sample, p);
}

void follower::refuse_charset(const utfilter::charset_guess& guess) const {
  const std::optional<utfilter::encoding> known = utfilter::encoding_from_name(guess);
  if (known && utfilter::detail::has_states(*known))
    throw input_failure(visible(name_) + " looks like " + std::string(guess) + why_states + "--follow");
  const std::string looks(look_of_charset(guess));
  if (looks.empty()) return;
  const auto found = find_charset(std::string(guess));
  throw input_failure(visible(name_) + looks + (found ? found->name() : std::string(guess)) + ", " +
                      (found ? std::string(why_no_following) + ": read the file without --follow, or name"
                             : std::string("which utfcat cannot read: name")) +
                      " another encoding with --from");
}

//------------------------------------------------------------------------------------------------------------- the text

/// Decodes and writes the bytes. With `last` the text ends after them.
void follower::pass(std::string_view bytes, bool last) {
  char text[16384];
  bytes = utf16_->take(bytes, last);
  const bool is_end = last || utf16_->ended();
  utfilter::codec_progress done{};
  if (path_.has_places()) {
    before_ = decoder_->codec();
    passed_ = bytes;
    places_.reset();
  }
  try {
    do {
      done = decoder_->convert(bytes.data(), bytes.size(), text, sizeof text, is_end);
      text_.add(bytes.substr(0, done.consumed));
      bytes.remove_prefix(done.consumed);
      path_.pass({text, done.produced}, done.status == codec_status::done || done.status == codec_status::malformed);
    } while (done.status == codec_status::need_output);
    ended_ = done.status == codec_status::malformed || (done.status == codec_status::done && !last);
  } catch (const utfilter::utf_error&) {  // a character that the output's encoding lacks, or that a filter rejects
    ended_ = final_ = true;               // the decoder is ahead of the output
  }
  if (utf16_->ended()) {
    ended_ = true;
    if (decoder_->report().bytes_in == utf16_->found()->offset) path_.end_at(*utf16_->found());
  }
  tell_found();
  tell_doubt();
  const std::string damage = path_.take_warning(name_);
  if (utf16_->found() && !utf16_->ended())
    tell_utf16();
  else if (!damage.empty())
    reporter_.say(damage);
}

/// The place of a character of the bytes that are being passed.
utfilter::text_position follower::place_of(std::uint64_t line, std::uint64_t column) const {
  // The codec that guesses would need many bytes at once.
  const bool guesses = before_->lookahead() != 0;
  if (!places_)
    places_.emplace(guesses ? utfilter::transcoder::decoding(report().encoding, utfilter::bom::keep) : *before_);
  return places_->place_of(line, column, passed_, false);
}

//------------------------------------------------------------------------------------------------- errors and the state

void follower::tell_found() {
  for (const found_error& found : path_.take_found()) {
    ill_formed_ = true;
    reporter_.tell(options_, name_, found.error,
                   is_start_of_utf16(found.error.code) ? parts_of(options_, name_, found.error, false) : "", true);
  }
  reporter_.flush();
}

/// Says once for each file that it goes on in UTF-16, although errors are repaired.
void follower::tell_utf16() {
  if (std::exchange(is_utf16_told_, true)) return;
  reporter_.say(visible(name_) + ": " + about_passed_utf16(options_, name_, *utf16_->found(), false));
}

/// Says once for each file that its encoding is doubtful.
void follower::tell_doubt() {
  if (is_told_ || (path_.is_no_text() && options_.tells_errors())) return;
  const utfilter::stream_report report = decoder_->report();
  const std::string doubt = doubt_of(options_, std::string(encoding_name(report.encoding)), report);
  if (doubt.empty()) return;
  reporter_.say(visible(name_) + ": " + doubt);
  is_told_ = true;
}

/// The bytes of the output of this run and of those before it.
std::uint64_t follower::output_size() const {
  return written_before_ + (options_.check ? reporter_.written() : path_.output().bytes_written());
}

/// Keeps the place of all text that has been written, or makes states wait until it was read.
void follower::save() {
  if (search_) return;  // what was written last is not in the file any more
  const bool is_new = changed_ || waiting_.empty() || identity_ != file_.identity();
  identity_ = file_.identity();
  if (changed_ || !waiting_.empty()) saved_ = clock::now();
  changed_ = false;
  if (state_file_ == nullptr || final_) return;
  if (is_new) {
    follow_state state;
    state.process = process_id();
    state.file = identity_;
    const utfilter::checkpoint place = decoder_->here();
    if (place.offset != 0) state.place = place;
    state.text = text_.at(place.offset);
    state.filters = path_.memory();
    state.output = output_identity_;
    state.output_size = output_size();
    state.to = options_.to;
    if (waiting_.size() == most_waiting_states) waiting_.pop_back();  // the new state stands for this one, too
    waiting_.push_back(std::move(state));
  }
  write_waiting_states();
}

/// Writes the last state whose text was read. If the output is no pipe, that is the last state.
void follower::write_waiting_states() {
  target_.sync();
  const std::uint64_t size = output_size(), unread = std::min(target_.unread().value_or(0), size);
  // Before this run has written text, none of it can be lost.
  const std::uint64_t read = std::max(size - unread, written_before_);
  std::optional<follow_state> last;
  for (; !waiting_.empty() && waiting_.front().output_size <= read; waiting_.pop_front())
    last = std::move(waiting_.front());
  if (last) write_state(*state_file_, *last);
}

}  // namespace

int follow(const options& o) {
  refuse_one_file_twice(o, o.files);
  at_signals_to_end(stop_followed);
  if (!o.state) return follower(o, std::nullopt, nullptr).run();
  kept_file file(*o.state);
  std::optional<follow_state> state = read_state(o, file);
  if (state) {  // from now on it tells others which process has it
    state->process = process_id();
    write_state(file, *state);
  }
  return follower(o, state, &file).run();
}

}  // namespace utfcat
