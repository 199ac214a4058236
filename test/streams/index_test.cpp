// index_test.cpp: with params::index_every a stream seeks from places that it has marked. Afterwards its text, errors
// and report are those of a stream that has no such index.
// build: portable optimised exhaustive cost:10
#define BOOST_TEST_MODULE index
#include <boost/test/unit_test.hpp>

#include "support/boundary_texts.hpp"
#include "support/brief.hpp"
#include "support/counting_new.hpp"
#include "support/exhaustive.hpp"
#include "support/files.hpp"
#include "support/outcomes.hpp"
#include "support/policies.hpp"
#include "support/same_report.hpp"
#include "support/some_encodings.hpp"
#include "support/tally.hpp"
#include "support/test_streambufs.hpp"
#include "support/texts.hpp"

#include <utfilter/control_escaper.hpp>
#include <utfilter/decoder.hpp>
#include <utfilter/fstream.hpp>
#include <utfilter/line_reader.hpp>
#include <utfilter/stream.hpp>
#include <utfilter/to_utf8.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <ios>
#include <iterator>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace std::string_literals;
using namespace utfilter;
using namespace boundary_texts;

namespace {

constexpr auto beg = std::ios::beg, cur = std::ios::cur, end = std::ios::end;

params indexed(std::uint64_t every, on_error policy = on_error::strict) {
  params p{policy};
  p.index_every = every;
  return p;
}

/// The new position as text, or the message of the exception.
std::string seek(std::streambuf& in, std::streamoff offset, std::ios::seekdir way = beg) {
  std::string position;
  const std::string why =
      thrown_by([&] { position = std::to_string(std::streamoff(in.pubseekoff(offset, way, std::ios::in))); });
  return why.empty() ? position : why;
}

/// The text up to the end, or to the error.
std::string rest(std::streambuf& in) {
  std::string text;
  char some[64];
  thrown_by([&] {
    while (in.sgetc() != EOF)
      text.append(some,
                  static_cast<std::size_t>(in.sgetn(some, std::min<std::streamsize>(sizeof some, in.in_avail()))));
  });
  return text;
}

/// Puts back as many bytes as possible, up to four, and reads them again.
std::string put_back(std::streambuf& in) {
  std::string text;
  while (text.size() < 4 && in.sungetc() != EOF) text.insert(text.begin(), static_cast<char>(in.sgetc()));
  std::string again(text.size(), '\0');
  in.sgetn(again.data(), static_cast<std::streamsize>(again.size()));
  return text == again ? text : "another text";
}

//---------------------------------------------------------------------------------------------------------- short texts

/// A text that was read from its start without an index, and the check of streams that have one.
class seeking {
 public:
  seeking(const std::string& bytes, encoding from, const params& p, tally& all)
      : bytes_(bytes), from_(from), params_(p), all_(all) {
    params_.observer = [this](const error_info& error) { observed_.push_back(error); };
    std::stringbuf source(bytes_);
    codec_istreambuf in(source, from_, params_);
    text_ = rest(in);
    report_ = in.report();
    if (report_.failure) why_ = thrown_by([&] { std::rethrow_exception(report_.failure); });
    errors_.swap(observed_);
  }

  /// Seeks from each position to each one. Each round of seeks begins with a new stream, whose index is empty, over a
  /// source with pieces of this size.
  void check(std::uint64_t every, bool observes, std::size_t piece) {
    params p = params_;
    p.index_every = every;
    if (!observes) p.observer = nullptr;
    const auto size = static_cast<std::streamoff>(text_.size());
    for (std::streamoff first = 0; first <= size + 1; ++first) {
      streambufs::seekable_streambuf source("head" + bytes_, piece);
      source.pubseekoff(4, beg, std::ios::in);
      codec_istreambuf in(source, from_, p);
      for (std::streamoff second = 0; second <= size; ++second) {
        const bool right = goes_to(in, first) && (second % 3 != 0 || goes_to_end(in)) && goes_to(in, second) &&
                           reads_on(in, second, observes);
        if (all_.failed(right)) return show(in, every, first, second);
      }
    }
  }

 private:
  bool goes_to(codec_istreambuf<transcoder>& in, std::streamoff target) const {
    const bool exists = target <= static_cast<std::streamoff>(text_.size());
    const std::streamoff now = in.pubseekoff(0, cur, std::ios::in);
    const std::string got = now % 2 == 0 ? seek(in, target) : seek(in, target - now, cur);
    if (got != (exists ? std::to_string(target) : why_.empty() ? "-1" : why_)) return false;
    if (!exists) return true;
    const std::string back = put_back(in);
    const stream_report report = in.report();
    return back.size() <= static_cast<std::size_t>(target) &&
           text_.compare(static_cast<std::size_t>(target) - back.size(), back.size(), back) == 0 &&
           report.bytes_out >= static_cast<std::uint64_t>(target) && has_right_errors(report);
  }
  bool goes_to_end(codec_istreambuf<transcoder>& in) const {
    return seek(in, 0, end) == (why_.empty() ? std::to_string(text_.size()) : why_);
  }
  bool reads_on(codec_istreambuf<transcoder>& in, std::streamoff from, bool observes) {
    const std::uint64_t errors_before = in.report().errors;
    observed_.clear();
    if (rest(in) != text_.substr(static_cast<std::size_t>(from)) || !same_report(in.report(), report_)) return false;
    return !observes ||
           std::equal(errors_.begin() + static_cast<std::ptrdiff_t>(errors_before), errors_.end(), observed_.begin(),
                      observed_.end(), [](const error_info& a, const error_info& b) { return same_error(a, b); });
  }
  /// Whether a report on a part of the text has the right errors.
  bool has_right_errors(const stream_report& part) const {
    if (part.errors == 0) return !part.first_error && !part.last_error;
    return part.errors <= errors_.size() && same_error(part.first_error, errors_.front()) &&
           same_error(part.last_error, errors_[static_cast<std::size_t>(part.errors) - 1]);
  }

  void show(codec_istreambuf<transcoder>& in, std::uint64_t every, std::streamoff first, std::streamoff second) const {
    BOOST_ERROR(to_string(from_) << ", on_error " << static_cast<int>(params_.on_error) << ", bom "
                                 << static_cast<int>(params_.bom) << ", limit " << params_.error_limit
                                 << ", index_every " << every << ", " << hexadecimal(bytes_) << "from " << first
                                 << " to " << second << ": " << in_words(in.report()) << "\ninstead of\n"
                                 << in_words(report_));
  }

  std::string bytes_;
  encoding from_;
  params params_;
  tally& all_;
  std::string text_;
  std::string why_;  // the message of the failure, if the text fails
  stream_report report_;
  std::vector<error_info> errors_, observed_;
};

constexpr std::uint64_t distances[] = {0, 1, 7, 9, 13, 20};  // 0: no index, to check the test itself; 1 is as 6

/// Checks every nth string of up to `most` units, written several times. Each has one of the policies and distances, or
/// all.
void check_strings(std::size_t most, std::size_t nth, bool all_policies) {
  tally all;
  std::size_t string = 0, turn = 0;
  for (const encoding from : some_encodings_and_detect()) {
    std::vector<params> choices;
    for (const bom mark : every::mark)
      for (const on_error policy : every::policy) {
        if (transcoder::why_not_decoding(from, mark, encoding::utf8) != nullptr) continue;
        if (policy == on_error::keep && from != encoding::utf8) continue;
        params p{on_error::strict, mark};
        p.on_error = policy;
        choices.push_back(p);
      }
    for_each_string(units_of(from), most, [&](const std::string& unit) {
      if (string++ % nth != 0) return;
      const std::string text = texts::repeated(unit, code_unit_size(from) == 4 ? 2 : 4);
      for (std::size_t n = all_policies ? choices.size() : 1; n != 0; --n) {
        params p = choices[++turn % choices.size()];
        if (turn % 3 == 0) p.replacement = "<error \u20AC>";  // a read may end in its middle
        if (turn % 5 == 0) p.error_limit = turn % 4;
        seeking one(text, from, p, all);
        for (std::size_t d = all_policies ? std::size(distances) : 1; d != 0; --d)
          one.check(distances[(turn / 2 + d) % std::size(distances)], turn % 2 == 0, turn % 4 == 0 ? 2 : 64);
      }
    });
  }
  all.summary();
}

BOOST_AUTO_TEST_CASE(seeks_between_all_positions_of_short_texts_are_those_without_an_index) {
  check_strings(3, 4 * brief::nth, false);
}

BOOST_AUTO_TEST_CASE(seeks_in_every_string_of_two_units_under_every_policy_are_those_without_an_index, *exhaustive()) {
  check_strings(2, 1, true);
}

BOOST_AUTO_TEST_CASE(seeks_in_every_string_of_three_units_are_those_without_an_index, *exhaustive()) {
  check_strings(3, 1, false);
}

//----------------------------------------------------------------------------------------------------------- long texts

/// Seeks and reads at random. Pieces of all sizes: from a file, large ones are read directly into the caller's buffer.
void check_random_seeks(std::streambuf& in, const std::string& text, std::mt19937& random, tally& all) {
  const auto size = static_cast<std::streamoff>(text.size());
  for (int i = 0; i < 60; ++i) {
    const auto target = static_cast<std::streamoff>(random() % (text.size() + 1));
    const bool from_end = random() % 8 == 0;
    const std::string got = from_end ? seek(in, target - size, end) : seek(in, target);
    std::string piece(random() % (random() % 4 == 0 ? 200'000 : 5'000), '\0');
    piece.resize(static_cast<std::size_t>(in.sgetn(piece.data(), static_cast<std::streamsize>(piece.size()))));
    const auto at = static_cast<std::size_t>(target);
    const std::string back = put_back(in);
    const std::size_t now = at + piece.size();
    all.check(got == std::to_string(target) && text.compare(at, piece.size(), piece) == 0 &&
                  text.compare(now - back.size(), back.size(), back) == 0 && seek(in, 0, cur) == std::to_string(now),
              "another text", got);
  }
}

BOOST_AUTO_TEST_CASE(random_seeks_in_a_megabyte_find_its_text) {
  std::mt19937 random(1);
  tally all;
  for (const encoding from : some_encodings()) {
    const std::string bytes = random_text(from, random);
    const files::temporary_file file(bytes);
    for (const on_error policy : {on_error::replace, on_error::escape, on_error::skip}) {
      if (!brief::takes_next()) continue;
      utfilter::ifstream plain(file.path(), from, policy);
      const std::string text = files::rest(plain);
      for (const std::uint64_t every : {1000u, 4096u, 70'000u, 2'000'000u}) {
        utfilter::ifstream in(file.path(), from, indexed(every, policy));
        check_random_seeks(*in.rdbuf(), text, random, all);
        in.seekg(0);
        check_random_seeks(*in.rdbuf(), text, random, all);
        rest(*in.rdbuf());
        all.run([&] { BOOST_TEST(same_report(in.report(), plain.report()), in_words(in.report())); });
      }
    }
  }
  all.summary();
}

BOOST_AUTO_TEST_CASE(after_a_seek_to_anywhere_four_bytes_can_be_put_back) {
  std::string text;
  for (int i = 0; i < 4000; ++i) text += std::to_string(i) + ',';
  tally all;
  for (const std::uint64_t every : {1u, 6u, 7u, 10u, 1000u, 4096u, 5000u}) {
    std::stringbuf source(texts::utf16le(texts::text32(text.begin(), text.end())));
    codec_istreambuf in(source, encoding::utf16le, indexed(every));
    seek(in, 0, end);
    all.check(put_back(in) == text.substr(text.size() - 4), "at the end", "");
    for (std::size_t at = 0; at + 4500 < text.size(); at += at < 30 ? 1 : 97) {
      seek(in, static_cast<std::streamoff>(at));
      all.check(put_back(in) == text.substr(at - std::min<std::size_t>(at, 4), std::min<std::size_t>(at, 4)), "back",
                std::to_string(at));
      seek(in, static_cast<std::streamoff>(at) + 4500);
      all.check(put_back(in) == text.substr(at + 4496, 4), "forward", std::to_string(at));
      seek(in, 0, end);
      all.check(put_back(in) == text.substr(text.size() - 4), "to the end", std::to_string(at));
    }
  }
  all.summary();
}

// The bytes that show it are not read again.
BOOST_AUTO_TEST_CASE(after_a_seek_the_report_still_says_why_the_text_is_in_its_encoding) {
  struct row {
    encoding from, fallback;
    std::string text;
    evidence why;
  };
  const std::string koi8 = "<meta charset=koi8-r>";
  const row rows[] = {{encoding::guess, encoding::utf8, koi8 + "\xC3\xA9", evidence::structure},
                      {encoding::guess, encoding::utf8, koi8 + "\xC5", evidence::declaration},
                      {encoding::guess, encoding::utf8, "caf\xE9", evidence::statistics},
                      {encoding::guess, encoding::utf8, "\xA9", evidence::assumption},
                      {encoding::guess, encoding::utf8, "\xEF\xBB\xBF", evidence::bom},
                      {encoding::detect, encoding::latin1, "caf\xE9", evidence::assumption},
                      {encoding::detect, encoding::utf8, "caf\xC3\xA9", evidence::named}};
  for (const row& r : rows)
    for (const std::uint64_t every : {0u, 1000u}) BOOST_TEST_CONTEXT(hexadecimal(r.text) << "index_every " << every) {
        params p = indexed(every);
        p.fallback = r.fallback;
        const files::temporary_file file(r.text + std::string(20'000, 'x'));
        utfilter::ifstream in(file.path(), r.from, p);
        const auto size = static_cast<std::streamoff>(files::rest(in).size());
        const stream_report whole = in.report();
        BOOST_TEST((whole.decided_by == r.why));
        for (const std::streamoff target : {size - 1, std::streamoff(1500), size / 2, std::streamoff(0), size / 2}) {
          in.clear();
          in.seekg(target);
          in.get();
          const stream_report here = in.report();
          BOOST_TEST((here.decided_by == r.why && here.bom == whole.bom && here.encoding == whole.encoding &&
                      here.confidence == whole.confidence && here.unused_declaration == whole.unused_declaration));
        }
        files::rest(in);
        std::ofstream(file.path(), std::ios::binary | std::ios::app) << "more";
        in.clear();
        BOOST_TEST(files::rest(in) == "more");
        BOOST_TEST((in.report().decided_by == r.why));
        BOOST_TEST(in.report().unused_declaration == whole.unused_declaration);
      }
}

//------------------------------------------------------------------------------------------------- what the index saves

/// A megabyte of UTF-16 with an error in the middle of each line of ten characters.
std::string lines_with_errors() {
  return texts::repeated("a\0b\0c\0d\0\0\xDC"
                         "e\0f\0g\0h\0\n\0"s,
                         50'000);
}

BOOST_AUTO_TEST_CASE(a_seek_reads_only_from_the_nearest_place) {
  const std::string bytes = lines_with_errors();
  std::vector<std::uint64_t> observed;
  params p = indexed(10'000, on_error::replace);
  p.observer = [&](const error_info& error) { observed.push_back(error.offset); };
  streambufs::seekable_streambuf source(bytes, 512);
  codec_istreambuf in(source, encoding::utf16le, p);
  const auto size = static_cast<std::streamoff>(50'000 * 12);
  BOOST_TEST(seek(in, 0, end) == std::to_string(size));
  BOOST_TEST(observed.size() == 50'000u);

  // 10'000 bytes of text are 16'667 bytes of UTF-16. A get area of text and one of the source are read beyond.
  constexpr std::size_t most = 16'667 + 4096 * 2 + 512;
  tally all;
  for (const std::streamoff target :
       {size, size - 1, std::streamoff(500'000), std::streamoff(10'003), std::streamoff(0), std::streamoff(599'000),
        std::streamoff(300'000), std::streamoff(400'000)}) {
    source.delivered = 0;
    observed.clear();
    all.check(seek(in, target) == std::to_string(target), "another position", std::to_string(target));
    in.sgetc();
    all.check(source.delivered <= most, "more is read",
              std::to_string(target) + ' ' + std::to_string(source.delivered));
    const std::uint64_t byte = static_cast<std::uint64_t>(target) / 12 * 20;
    all.check(observed.empty() || observed.front() + most >= byte, "errors are seen again", std::to_string(target));
    all.check(in.report().errors >= static_cast<std::uint64_t>(target) / 12, "errors are not counted",
              std::to_string(target));
    all.check(in.report().first_error->offset == 8, "another first error", std::to_string(target));
  }
  source.delivered = 0;
  BOOST_TEST(seek(in, 0) == "0");
  BOOST_TEST(seek(in, 0, end) == std::to_string(size));
  all.check(source.delivered <= 2 * most, "more is read to the end", std::to_string(source.delivered));
  all.summary();
}

BOOST_AUTO_TEST_CASE(a_seek_forward_in_new_text_reads_it_once) {
  streambufs::seekable_streambuf source(lines_with_errors(), 512);
  std::size_t observed = 0;
  params p = indexed(50'000, on_error::replace);
  p.observer = [&](const error_info&) { ++observed; };
  codec_istreambuf in(source, encoding::utf16le, p);
  for (const std::streamoff target : {10'000, 60'000, 70'000, 170'000, 190'000, 600'000})
    BOOST_TEST(seek(in, target) == std::to_string(target));
  BOOST_TEST(observed == 50'000u);
  BOOST_TEST(source.delivered == 1'000'000u);
}

BOOST_AUTO_TEST_CASE(places_in_a_text_of_errors_alone_are_marked_too) {
  for (const char* replacement : {"\uFFFD", "<error \u20AC>"}) {
    streambufs::seekable_streambuf source(std::string(200'000, '\xFF'), 512);
    params p = indexed(10'000, on_error::replace);
    p.replacement = replacement;
    codec_istreambuf in(source, encoding::utf8, p);
    seek(in, 0, end);
    source.delivered = 0;
    BOOST_TEST(seek(in, 300'000) == "300000");
    BOOST_TEST(source.delivered < 10'000u);
  }
}

BOOST_AUTO_TEST_CASE(a_file_opened_at_its_end_has_its_index) {
  const files::temporary_file file(lines_with_errors());
  std::size_t observed = 0;
  params p = indexed(10'000, on_error::replace);
  p.observer = [&](const error_info&) { ++observed; };
  utfilter::ifstream in(file.path(), encoding::utf16le, p, std::ios::ate);
  BOOST_TEST(observed == 50'000u);
  BOOST_TEST(in.tellg() == 600'000);
  in.seekg(300'000);
  BOOST_TEST(in.get() == 'a');
  BOOST_TEST(observed < 52'000u);
}

BOOST_AUTO_TEST_CASE(places_take_48_bytes_each) {
  const std::string bytes = texts::repeated("0123456789", 60'000);
  std::stringbuf source(bytes);
  codec_istreambuf in(source, encoding::utf8, indexed(1));
  const auto memory = allocated([&] { seek(in, 0, end); }).bytes;
  BOOST_TEST(memory > 100'000u * 48);
  BOOST_TEST(memory < 100'000u * 56);

  std::stringbuf other(bytes);
  codec_istreambuf without(other, encoding::utf8);
  BOOST_TEST(allocated([&] { seek(without, 0, end); }).bytes < 10'000u);
}

BOOST_AUTO_TEST_CASE(a_source_that_cannot_seek_gets_no_index) {
  const std::string bytes = texts::repeated("0123456789", 60'000);
  streambufs::pieces_streambuf pipe({bytes}, streambufs::area::none);
  codec_istreambuf in(pipe, encoding::utf8, indexed(6));
  std::string text(bytes.size(), '\0');
  const auto memory = allocated([&] { in.sgetn(text.data(), static_cast<std::streamsize>(text.size())); }).bytes;
  BOOST_TEST((text == bytes));
  BOOST_TEST(memory < 10'000u);
  BOOST_TEST(seek(in, 0, cur) == "-1");
  BOOST_TEST(seek(in, 0) == "-1");
}

//--------------------------------------------------------------------------------------------------- failures and
//limits

BOOST_AUTO_TEST_CASE(an_index_without_memory_loses_no_text_and_no_position) {
  const std::string bytes = lines_with_errors().substr(0, 20'000);
  std::stringbuf plain_source(bytes);
  codec_istreambuf plain(plain_source, encoding::utf16le, on_error::replace);
  const std::string text = rest(plain);
  tally all;
  std::size_t failures = 0;
  for (const bool stays : {false, true}) {
    bool happened = true;
    for (std::size_t nth = 1; happened; ++nth) {
      std::stringbuf source(bytes);
      codec_istreambuf in(source, encoding::utf16le, indexed(50, on_error::replace));
      in.sgetc();  // the get area has been allocated
      std::string got(text.size(), '\0');
      failing_allocation failure(nth, stays);
      failure.during([&] { in.sgetn(got.data(), static_cast<std::streamsize>(got.size())); });
      all.check(got == text, "another text", std::to_string(nth));
      for (const std::streamoff target : {5000, 100, 3000, 0}) {
        seek(in, target);
        all.check(rest(in) == text.substr(static_cast<std::size_t>(target)) && same_report(in.report(), plain.report()),
                  "another rest", std::to_string(nth));
      }
      happened = failure.happened();
      failures += happened;
    }
  }
  BOOST_TEST(failures > 40u);
  all.summary();
}

BOOST_AUTO_TEST_CASE(a_source_that_fails_during_a_seek_fails_the_text_until_the_next_seek_back) {
  class fragile : public streambufs::seekable_streambuf {
   public:
    using seekable_streambuf::seekable_streambuf;
    bool broken = false, refuses = false;

   private:
    int_type underflow() override {
      if (broken) throw std::ios_base::failure("the disk is gone");
      return seekable_streambuf::underflow();
    }
    pos_type seekoff(off_type off, std::ios_base::seekdir way, std::ios_base::openmode which) override {
      if (refuses && off != 0) return pos_type(off_type(-1));
      return seekable_streambuf::seekoff(off, way, which);
    }
  };
  const std::string text = texts::repeated("0123456789", 5'000);
  fragile source(text, 100);
  codec_istreambuf in(source, encoding::utf8, indexed(1000));
  BOOST_TEST(seek(in, 20'000) == "20000");

  source.refuses = true;
  BOOST_TEST(seek(in, 3'003) == "-1");
  BOOST_TEST(seek(in, 0, cur) == "20000");
  BOOST_TEST(in.sgetc() == '0');
  source.refuses = false;

  source.broken = true;
  BOOST_TEST(seek(in, 3'003).find("the disk is gone") == 0u);
  BOOST_TEST((in.report().failure != nullptr));
  source.broken = false;
  BOOST_TEST(seek(in, 15'000).find("the disk is gone") == 0u);  // forward: the text has failed
  BOOST_TEST(seek(in, 0, end).find("the disk is gone") == 0u);
  BOOST_TEST(seek(in, 1'001) == "1001");
  BOOST_TEST(in.sgetc() == '1');
  BOOST_TEST((in.report().failure == nullptr));
  BOOST_TEST(seek(in, 15'002) == "15002");
  BOOST_TEST((rest(in) == text.substr(15'002)));
}

BOOST_AUTO_TEST_CASE(positions_count_from_the_checkpoint_at_which_the_stream_began) {
  const std::string bytes = "\xFF\xFE" + lines_with_errors();
  const files::temporary_file file(bytes);
  decoder codec(encoding::detect, on_error::replace);
  std::string out(100'000, '\0');
  codec.convert(bytes.data(), 20'001, out.data(), out.size(), false);
  for (const std::uint64_t every : {0u, 6u, 1000u, 100'000u}) {
    params p = indexed(every, on_error::replace);
    p.start = codec.here();
    utfilter::ifstream plain(file.path(), encoding::detect, on_error::replace), in(file.path(), encoding::detect, p);
    const std::string text = files::rest(plain).substr(static_cast<std::size_t>(codec.here().bytes_out));
    BOOST_TEST((rest(*in.rdbuf()) == text));
    const stream_report whole = in.report();
    BOOST_TEST(whole.errors == plain.report().errors);
    BOOST_TEST(whole.first_error->offset > 20'000u);
    for (const std::size_t target :
         {text.size(), text.size() / 2, std::size_t(0), std::size_t(1000), text.size() - 1}) {
      BOOST_TEST(seek(*in.rdbuf(), static_cast<std::streamoff>(target)) == std::to_string(target));
      BOOST_TEST((rest(*in.rdbuf()) == text.substr(target)));
      BOOST_TEST(same_report(in.report(), whole), in_words(in.report()));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_file_may_grow_inside_a_character) {
  const std::string text = texts::repeated("0123456789", 2000);
  for (const std::uint64_t every : {0u, 1u, 7u, 1000u}) {
    const files::temporary_file file(text + "\xE2\x82");
    utfilter::ifstream in(file.path(), encoding::utf8, indexed(every, on_error::replace));
    BOOST_TEST(seek(*in.rdbuf(), 0, end) == "20003");
    std::ofstream(file.path(), std::ios::binary | std::ios::app) << "\xAC"
                                                                    "abcdefghij";
    BOOST_TEST(seek(*in.rdbuf(), 1) == "1");
    BOOST_TEST(seek(*in.rdbuf(), 20'010) == "20010");
    BOOST_TEST(rest(*in.rdbuf()) == "hij");
    BOOST_TEST(in.report().errors == 0u);
    BOOST_TEST(seek(*in.rdbuf(), 19'999) == "19999");
    BOOST_TEST(rest(*in.rdbuf()) == "9\u20ACabcdefghij");
  }
}

BOOST_AUTO_TEST_CASE(positions_have_64_bits, *brief::left_out()) {
  /// Zeros, from which any place can be reached.
  class zeros : public std::streambuf {
   public:
    std::uint64_t size = 0, delivered = 0;  // bytes

   private:
    int_type underflow() override {
      if (at_ == size) return traits_type::eof();
      const std::size_t n = static_cast<std::size_t>(std::min<std::uint64_t>(size - at_, area_.size()));
      setg(area_.data(), area_.data(), area_.data() + n);
      at_ += n;
      delivered += n;
      return 0;
    }
    pos_type seekoff(off_type off, std::ios_base::seekdir, std::ios_base::openmode) override {
      at_ += static_cast<std::uint64_t>(off - (egptr() - gptr()));
      setg(nullptr, nullptr, nullptr);
      return static_cast<off_type>(at_);
    }
    std::string area_ = std::string(1 << 20, '\0');
    std::uint64_t at_ = 0;
  };
  zeros source;
  source.size = std::uint64_t{12} << 30;
  codec_istreambuf in(source, encoding::utf16be, indexed(1 << 20));
  const auto size = static_cast<std::streamoff>(source.size / 2);
  BOOST_TEST(seek(in, 0, end) == std::to_string(size));
  source.delivered = 0;
  for (const std::streamoff target : {size - 1, size / 2, std::streamoff(0), size * 3 / 4}) {
    BOOST_TEST(seek(in, target) == std::to_string(target));
    BOOST_TEST(in.sgetc() == 0);
    BOOST_TEST(in.report().bytes_in >= 2 * static_cast<std::uint64_t>(target));
  }
  BOOST_TEST(source.delivered < 4u * 4 << 20);
}

/// Prints how long a seek to a random place takes, on average, in a file that the system has in memory.
BOOST_AUTO_TEST_CASE(a_seek_in_two_gigabytes_takes_milliseconds, *exhaustive()) {
  using std::chrono::steady_clock;
  const auto seconds = [](auto action) {
    const auto begin = steady_clock::now();
    action();
    return std::chrono::duration<double>(steady_clock::now() - begin).count();
  };
  files::directory here;
  const auto path = here.path() / "text";
  {
    std::string piece;
    for (int i = 0; piece.size() < 1 << 20; ++i)
      for (const char c : "line " + std::to_string(i) + '\n') piece += {c, '\0'};
    std::ofstream file(path, std::ios::binary);
    for (int i = 0; i < 2000; ++i) file << piece;
  }
  for (const std::uint64_t every : {0u, 1u << 20, 1u << 16}) {
    ifstream in(path, encoding::utf16le, indexed(every));
    std::streamoff size = 0;
    const double all = seconds([&] { size = in.seekg(0, end).tellg(); });
    std::mt19937_64 random(1);
    const int seeks = every != 0 ? 1000 : 10;
    const double each = seconds([&] {
      for (int i = 0; i < seeks; ++i)
        in.seekg(static_cast<std::streamoff>(random() % static_cast<std::uint64_t>(size)));
    });
    BOOST_TEST(in.good());
    BOOST_TEST_MESSAGE("index_every " << every << ": " << each / seeks * 1e3 << " ms for a seek, " << all
                                      << " s to read all");
    BOOST_TEST((every == 0 || each / seeks < 0.005));
  }
}

BOOST_AUTO_TEST_CASE(errors_before_the_checkpoint_are_only_counted) {
  params p = indexed(100);
  p.start = checkpoint{{1000, 7, 1, 1000}, encoding::utf8, false, 2000, 5};
  std::stringbuf source(texts::repeated("0123456789", 100));
  codec_istreambuf in(source, encoding::utf8, p);
  seek(in, 0, end);
  BOOST_TEST(seek(in, 550) == "550");
  BOOST_TEST(in.report().errors == 5u);
  BOOST_TEST((!in.report().first_error && !in.report().last_error));
  BOOST_TEST(rest(in).size() == 450u);
}

BOOST_AUTO_TEST_CASE(the_largest_distance_keeps_no_place) {
  streambufs::seekable_streambuf source(lines_with_errors(), 512);
  codec_istreambuf in(source, encoding::utf16le, indexed(~std::uint64_t{0}, on_error::replace));
  BOOST_TEST(seek(in, 0, end) == "600000");
  source.delivered = 0;
  BOOST_TEST(seek(in, 500'000) == "500000");
  BOOST_TEST(source.delivered > 800'000u);
}

BOOST_AUTO_TEST_CASE(what_cannot_seek_in_decoded_text_refuses_an_index) {
  const params p = indexed(1000);
  const std::string why = "utfilter: params::index_every is only for streams that decode, such as istream and ifstream";
  std::stringbuf buffer;
  std::ostringstream out;
  BOOST_TEST(thrown_by([&] { decoder(encoding::utf8, p); }) == why);
  BOOST_TEST(thrown_by([&] { encoder(encoding::utf8, p); }) == why);
  BOOST_TEST(thrown_by([&] { to_utf8(encoding::utf8, p); }) == why);
  BOOST_TEST(thrown_by([&] { utfilter::ostream(out, encoding::utf8, p); }) == why);
  BOOST_TEST(thrown_by([&] { codec_istreambuf<control_escaper>(buffer, control_escaper(), p); }) == why);
  BOOST_TEST(thrown_by([&] { line_reader(buffer, encoding::utf8, p); }) == why);
  BOOST_TEST(thrown_by([&] { utfilter::istream(buffer, encoding::utf8, p); }) == "");
}

}  // namespace
