// economy_test.cpp: the costs of a filter: a validator copies no text, calls allocate no memory, and the number of
// calls to the neighbours is limited. Also: each piece that a filter hands on consists of whole characters.
#define BOOST_TEST_MODULE economy
#include "support/counting_new.hpp"
#include "support/identity_filter.hpp"
#include "support/outcomes.hpp"
#include "support/test_devices.hpp"
#include "support/texts.hpp"

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/iostreams/pipeline.hpp>
#include <boost/iostreams/operations.hpp>

#include <istream>
#include <memory>
#include <new>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace io = boost::iostreams;
using namespace utfilter;
using devices::identity_filter;
using devices::piecewise_source;
using devices::recording_sink;
using texts::repeated;

namespace {

/// Characters of every length in UTF-8 and UTF-16.
const std::string mixture = repeated("a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\n", 500);

const std::streamsize our_link = utf8_validator().optimal_buffer_size();  // bytes

/// Devices that allocate nothing.
struct null_sink {
  using char_type = char;
  struct category : io::sink_tag, io::flushable_tag {};
  std::streamsize write(const char*, std::streamsize n) { return n; }
  bool flush() { return true; }
};
struct repeating_source {
  using char_type = char;
  using category = io::source_tag;
  std::streamsize read(char* s, std::streamsize n) {
    std::streamsize got = 0;
    for (; got < n && got < 100; ++got) {
      s[got] = (*text)[at];
      at = (at + 1) % text->size();
    }
    return got;
  }
  const std::string* text;
  std::size_t at = 0;
};

//---------------------------------------------------------------------------------------------------------- allocations

/// Checks that `use` allocates one small block more with one of our filters, which these functions make, than with an
/// identity filter.
template <class Use, class... Makers>
void check_one_block_more(const Use& use, const Makers&... ours) {
  const allocation_counts identity = allocated([&] { use(identity_filter()); });
  for (const allocation_counts& seen : {allocated([&] { use(ours()); })...}) {
    BOOST_TEST(seen.calls == identity.calls + 1);
    BOOST_TEST(seen.bytes > identity.bytes);
    BOOST_TEST(seen.bytes <= identity.bytes + 1152);
    BOOST_TEST(seen.largest == identity.largest);
  }
}

BOOST_AUTO_TEST_CASE(an_input_chain_allocates_one_small_block_more_than_a_chain_with_an_identity_filter) {
  const auto open = [](const auto& filter) { io::filtering_istream in(filter | repeating_source{&mixture}); };
  check_one_block_more(
      open, [] { return utf8_validator(); }, [] { return to_utf8(); }, [] { return bom_filter(); },
      [] { return from_utf8(encoding::utf16le); }, [] { return utf16_to_utf8(); });
}

BOOST_AUTO_TEST_CASE(
    an_output_chain_that_writes_a_line_allocates_one_small_block_more_than_one_with_an_identity_filter) {
  const auto write_line = [](const auto& filter) {
    io::filtering_ostream out(filter | null_sink());
    out << "line\n" << std::flush;
    out.reset();
  };
  check_one_block_more(
      write_line, [] { return utf8_validator(); }, [] { return to_utf8(); }, [] { return bom_filter(); },
      [] { return from_utf8(encoding::utf16le); }, [] { return utf16_to_utf8(encoding::utf16le, on_error::skip); });
}

BOOST_AUTO_TEST_CASE(reading_a_chain_allocates_no_buffer_for_the_filter) {
  // The filter reads in place, from the get area of the next link.
  const auto read = [](const auto& filter) {
    io::filtering_istream in(filter | repeating_source{&mixture});
    char block[1000];
    for (int i = 0; i < 20; ++i) in.read(block, sizeof block);
  };
  check_one_block_more(
      read, [] { return utf8_validator(); }, [] { return to_utf8(); }, [] { return from_utf8(encoding::utf16le); });
}

/// Calls the action with the name of each filter under test, and with the filter.
template <class Action>
void for_every_filter(const Action& action) {
  action("utf8_validator", utf8_validator());
  action("utf8_validator, replace", utf8_validator(on_error::replace));
  action("to_utf8", to_utf8(on_error::replace));
  action("to_utf8 utf16le", to_utf8(encoding::utf16le, on_error::escape));
  action("to_utf8 latin1", to_utf8(encoding::latin1));
  action("utf16_to_utf8", utf16_to_utf8(on_error::replace));
  action("from_utf8 utf16", from_utf8(encoding::utf16));
  action("from_utf8 latin1, escape", from_utf8(encoding::latin1, on_error::escape));
  action("from_utf8 cesu8", from_utf8(encoding::cesu8));
  action("from_utf8 modified_utf8", from_utf8(encoding::modified_utf8));
  action("bom_filter", bom_filter());
  action("escape_controls", escape_controls(on_error::escape));
}

/// Checks that `run` allocates nothing after `begin`, in chains of one filter and of two.
template <class Chain, class Device, class Begin, class Run>
void check_no_allocations(const Device& device, const Begin& begin, const Run& run) {
  for_every_filter([&](const char* name, const auto& filter) {
    for (const bool twice : {false, true}) {
      BOOST_TEST_INFO_SCOPE(name);
      Chain chain;
      chain.push(filter);
      if (twice) chain.push(bom_filter(bom::keep));
      chain.push(device);
      begin(chain);
      const allocation_counts running = allocated([&] { run(chain); });
      BOOST_TEST(chain.good());
      BOOST_TEST(running.calls == 0u);
    }
  });
}

BOOST_AUTO_TEST_CASE(writing_a_thousand_lines_with_flush_allocates_nothing) {
  const std::string line = "a line with \xC3\xA4, \xE2\x82\xAC and \xF0\x9F\x98\x80\n";
  check_no_allocations<io::filtering_ostream>(
      null_sink(), [&](std::ostream& out) { out << line << std::flush; },
      [&](std::ostream& out) {
        for (int i = 0; i < 1000; ++i) out << line << std::flush;
        for (int i = 0; i < 1000; ++i) out << line;
      });
}

BOOST_AUTO_TEST_CASE(reading_a_thousand_pieces_allocates_nothing) {
  check_no_allocations<io::filtering_istream>(
      repeating_source{&mixture}, [](std::istream& in) { in.get(); },
      [](std::istream& in) {
        char block[100];
        for (int i = 0; i < 1000; ++i) in.read(block, sizeof block);
        for (int i = 0; i < 1000; ++i) in.get();
      });
}

BOOST_AUTO_TEST_CASE(reading_a_device_allocates_at_most_once) {
  const auto reading = [](auto filter, std::size_t n) {
    std::vector<char> buffer(n);
    repeating_source source{&mixture};
    const auto size = static_cast<std::streamsize>(n);
    return allocated([&] {
      for (int i = 0; i < 1000; ++i) filter.read(source, buffer.data(), size);
    });
  };
  for (const std::size_t n : {1u, 5u, 6u, 100u, 4096u}) {
    for (const allocation_counts& seen :
         {reading(utf8_validator(), n), reading(to_utf8(), n), reading(to_utf8(encoding::utf16le, on_error::skip), n),
          reading(from_utf8(encoding::utf16le), n)}) {
      BOOST_TEST(seen.calls <= 1u);
      BOOST_TEST(seen.bytes <= 4096u);
    }
  }
}

BOOST_AUTO_TEST_CASE(sanitize_allocates_once_if_the_text_does_not_grow) {
  const std::string text = repeated("line\xFF\n", 1000);
  std::string skipped;
  BOOST_TEST(allocated([&] { skipped = sanitize(text, on_error::skip); }).calls == 1u);
  BOOST_TEST(skipped.size() == 5000u);
}

BOOST_AUTO_TEST_CASE(flushing_again_without_new_text_does_not_flush_the_sink) {
  devices::recording_sink sink;
  utf8_validator filter;
  for (std::size_t flushes = 1; flushes <= 3; ++flushes) {
    filter.write(sink, "abc", 3);
    for (int i = 0; i < 3; ++i) filter.flush(sink);
    BOOST_TEST(sink.seen().flushed_at.size() == flushes);
  }
  filter.close(sink, std::ios::out);
  BOOST_TEST(sink.seen().flushed_at.size() == 3u);
}

BOOST_AUTO_TEST_CASE(repairing_errors_allocates_nothing) {
  for (const on_error policy :
       {on_error::replace, on_error::skip, on_error::escape, on_error::keep, on_error::windows1252}) {
    int observed = 0;
    params p{policy};
    p.observer = [&observed](const error_info&) { ++observed; };
    utf8_validator filter(p);
    null_sink sink;
    filter.write(sink, "pqr", 3);
    const allocation_counts running = allocated([&] {
      for (int i = 0; i < 1000; ++i) filter.write(sink, "p\xFFq\xE2\x82r\xF0\x9F", 8);
    });
    BOOST_TEST(running.calls == 0u);
    BOOST_TEST(observed >= 2999);
  }
}

//----------------------------------------------------------------------------------------------------- whole characters

/// Whether the text, in this encoding, begins and ends between characters.
bool is_whole(encoding e, std::string_view text) {
  if (text.empty()) return true;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto back = [&](std::size_t i) { return byte(text.size() - i); };
  switch (e) {
    case encoding::utf8: return is_utf8(text);
    case encoding::utf16le: return text.size() % 2 == 0 && (back(1) & 0xFC) != 0xD8 && (byte(1) & 0xFC) != 0xDC;
    case encoding::utf16:
    case encoding::utf16be: return text.size() % 2 == 0 && (back(2) & 0xFC) != 0xD8 && (byte(0) & 0xFC) != 0xDC;
    case encoding::utf32:
    case encoding::utf32le:
    case encoding::utf32be: return text.size() % 4 == 0;
    case encoding::cesu8: {
      const bool ends_in_high = text.size() >= 3 && back(3) == 0xED && (back(2) & 0xF0) == 0xA0;
      const bool begins_in_low = text.size() >= 3 && byte(0) == 0xED && (byte(1) & 0xF0) == 0xB0;
      // Whether a sequence of 1 to 3 bytes is cut. The test is that of UTF-8.
      const bool cut = (byte(0) & 0xC0) == 0x80 || back(1) >= 0xC0 || (text.size() >= 2 && back(2) >= 0xE0);
      return !ends_in_high && !begins_in_low && !cut;
    }
    default: return true;
  }
}

/// A filter that records each piece it receives, and passes it on.
class piece_observer : public io::multichar_output_filter {
 public:
  template <class Sink>
  std::streamsize write(Sink& sink, const char* s, std::streamsize n) {
    pieces_->emplace_back(s, static_cast<std::size_t>(n));
    return io::write(sink, s, n);
  }
  const std::vector<std::string>& pieces() const { return *pieces_; }

 private:
  std::shared_ptr<std::vector<std::string>> pieces_ = std::make_shared<std::vector<std::string>>();
};

std::string in_utf16(std::string_view utf8, bool little) {
  recording_sink sink;
  from_utf8 filter(little ? encoding::utf16le : encoding::utf16be);
  filter.write(sink, utf8.data(), static_cast<std::streamsize>(utf8.size()));
  filter.close(sink, std::ios::out);
  return sink.text();
}

/// Calls the action with each filter, an input for it, and the encoding of its output.
template <class Action>
void for_every_transcoding(Action action) {
  // Short texts, because they are cut at every place. One has errors, which some filters replace with a long text.
  const std::string text = "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\n\xF0\xA3\x8E\xB4z";
  const std::string wrong = "p\xE2\x82q\xF0\x9F\x98\xF0\x9F\x98\x80\xFF\xED\xA0\x80\xE2\x82\xAC\xC3";
  params long_repairs{on_error::replace};
  long_repairs.replacement = "\xF0\x9F\x98\x80<\xE2\x82\xAC>\xC3\xA4";
  action("utf8_validator", utf8_validator(), text, encoding::utf8);
  action("utf8_validator, byte order mark", utf8_validator(), "\xEF\xBB\xBF" + text, encoding::utf8);
  action("utf8_validator, replace", utf8_validator(long_repairs), wrong, encoding::utf8);
  action("utf8_validator, skip", utf8_validator(on_error::skip), wrong, encoding::utf8);
  action("utf8_validator, escape", utf8_validator(on_error::escape), wrong, encoding::utf8);
  action("utf8_validator, windows1252", utf8_validator(on_error::windows1252), wrong, encoding::utf8);
  action("escape_controls", escape_controls(), "\r\n\x1B" + text + "\xE2\x80\xAE\r", encoding::utf8);
  action("to_utf8", to_utf8(), "\xFF\xFE" + in_utf16(text, true), encoding::utf8);
  action("to_utf8, replace", to_utf8(long_repairs), wrong, encoding::utf8);
  action("to_utf8 latin1", to_utf8(encoding::latin1), text, encoding::utf8);
  action("utf16_to_utf8", utf16_to_utf8(), in_utf16(text, false), encoding::utf8);
  action("utf16_to_utf8, replace", utf16_to_utf8(long_repairs), text, encoding::utf8);
  for (const encoding to : {encoding::utf16, encoding::utf16le, encoding::utf32, encoding::utf32le, encoding::cesu8}) {
    action("from_utf8", from_utf8(to), text, to);
    action("from_utf8, replace", from_utf8(to, long_repairs), wrong, to);
    action("from_utf8, escape", from_utf8(to, on_error::escape), wrong, to);
  }
}

BOOST_AUTO_TEST_CASE(each_piece_that_is_written_is_whole_characters) {
  for_every_transcoding([](const char* name, const auto& filter, const std::string& text, encoding to) {
    for (std::size_t cut = 1; cut <= text.size(); ++cut)
      for (const bool flush : {false, true}) {
        BOOST_TEST_INFO_SCOPE(name << " to " << encoding_name(to) << ", pieces of " << cut << ", flush " << flush);
        recording_sink sink;
        auto f = filter;
        for (const std::string& piece : devices::in_pieces(text, cut)) {
          f.write(sink, piece.data(), static_cast<std::streamsize>(piece.size()));
          if (flush) f.flush(sink);
        }
        f.close(sink, std::ios::out);
        for (const std::string& piece : sink.seen().writes) BOOST_TEST(is_whole(to, piece));

        // Calls to the sink: each call to the filter makes one write for the carried bytes and one for the rest, or a
        // flush.
        BOOST_TEST(sink.seen().budget.spent() <= 2 * (text.size() + sink.text().size()) + 16);

        piece_observer observer;
        recording_sink next;
        io::filtering_ostream out;
        out.push(io::compose(filter, observer), 1);
        out.push(next);
        for (const std::string& piece : devices::in_pieces(text, cut)) {
          out << piece;
          if (!flush) continue;
          out.flush();
          BOOST_TEST(is_whole(to, next.text()));
        }
        out.reset();
        for (const std::string& piece : observer.pieces()) BOOST_TEST(is_whole(to, piece));
        BOOST_TEST((next.text() == sink.text()));
      }
  });
}

BOOST_AUTO_TEST_CASE(each_piece_that_is_read_is_whole_characters) {
  for_every_transcoding([](const char* name, const auto& filter, const std::string& text, encoding to) {
    for (std::size_t cut = 1; cut <= text.size(); ++cut)
      for (const std::size_t room : {6u, 7u, 8u, 11u, 4096u}) {
        BOOST_TEST_INFO_SCOPE(name << " to " << encoding_name(to) << ", pieces of " << cut << ", room for " << room);
        piecewise_source source(devices::in_pieces(text, cut));
        auto f = filter;
        std::vector<char> buffer(room);
        std::size_t reads = 0, output = 0;
        read_each(f, source, buffer, [&](std::string_view some) {
          BOOST_TEST(some.size() != 0u);
          BOOST_TEST(is_whole(to, some));
          ++reads;
          output += some.size();
        });
        f.close(source, std::ios::in);
        BOOST_TEST(reads <= output);
        BOOST_TEST(source.seen().budget.spent() <= 2 * (text.size() + output) + 16);
      }
  });
}

BOOST_AUTO_TEST_CASE(a_large_text_is_handed_on_in_large_pieces) {
  const std::string text = repeated(mixture, 20);
  recording_sink sink;
  from_utf8 filter(encoding::utf16le);
  filter.write(sink, text.data(), static_cast<std::streamsize>(text.size()));
  filter.close(sink, std::ios::out);
  BOOST_TEST(sink.seen().writes.size() <= sink.text().size() / 2000);

  recording_sink next;
  utf8_validator validator;
  validator.write(next, text.data(), static_cast<std::streamsize>(text.size()));
  validator.close(next, std::ios::out);
  BOOST_TEST(next.seen().writes.size() <= 4u);
}

/// Gives as many bytes as requested, while it has them, and allocates nothing.
struct memory_source {
  using char_type = char;
  using category = io::source_tag;
  std::string_view rest;

  std::streamsize read(char* s, std::streamsize n) {
    if (rest.empty()) return -1;
    const std::size_t size = rest.copy(s, static_cast<std::size_t>(n));
    rest.remove_prefix(size);
    return static_cast<std::streamsize>(size);
  }
};

BOOST_AUTO_TEST_CASE(text_before_an_error_is_delivered_even_without_memory_for_the_rest) {
  const std::string text = "a" + std::string(5000, 'b') + "\x80" + std::string(5000, 'c');
  utf8_validator filter(on_error::replace);
  memory_source source{std::string_view(text).substr(0, 1)};
  std::vector<char> room(20'000);
  const auto size = static_cast<std::streamsize>(room.size());
  BOOST_REQUIRE(filter.read(source, room.data(), 1) == 1);  // no byte order mark; the input buffer is small now
  source.rest = std::string_view(text).substr(1);

  memory_is_out = true;
  std::streamsize got = 0;
  bool seen = false;
  try {
    got = filter.read(source, room.data(), size);
    while (filter.read(source, room.data(), size) == 3) {
    }  // reads the replacement, of 3 bytes
  } catch (const std::bad_alloc&) {
    seen = true;
  }
  memory_is_out = false;
  BOOST_TEST(got == 5000);
  BOOST_TEST(seen);
  BOOST_CHECK_THROW(filter.read(source, room.data(), size), std::bad_alloc);  // the failure sticks
}

}  // namespace
