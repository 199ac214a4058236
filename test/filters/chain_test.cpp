// chain_test.cpp: chains of every shape: over compressed files and memory, three filters deep, composed, piped, with
// filters by reference.
// build: optimised
#define BOOST_TEST_MODULE chain
#include "support/brief.hpp"
#include "support/files.hpp"
#include "support/outcomes.hpp"
#include "support/test_devices.hpp"
#include "support/test_streambufs.hpp"
#include "support/texts.hpp"

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/compose.hpp>
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/device/file.hpp>
#include <boost/iostreams/device/mapped_file.hpp>
#include <boost/iostreams/device/null.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/newline.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <boost/iostreams/restrict.hpp>
#include <boost/iostreams/stream.hpp>
#include <boost/iostreams/tee.hpp>
#include <boost/ref.hpp>

#include <iterator>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace io = boost::iostreams;
using namespace utfilter;
using namespace texts;
using devices::piecewise_source;
using devices::recording_sink;
using files::temporary_file;

namespace {

using texts::euro;

struct samples {
  std::u32string text = random_lines(100'000);
  std::string as_utf8 = utf8(text);
  std::string as_utf16 = utf16le(text);
  std::string signed_utf16 = "\xFF\xFE" + as_utf16;
};
const samples& sample() {
  static const samples it;
  return it;
}

io::array_source over(const std::string& text) { return {text.data(), text.size()}; }

/// The ways to read a stream to its end.
std::string by_copy(std::istream& in) {
  std::string text;
  io::copy(in, io::back_inserter(text));
  return text;
}
std::string by_iterator(std::istream& in) {
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}
std::string by_getline(std::istream& in) {
  std::string text, line;
  while (std::getline(in, line)) {
    text += line;
    if (!in.eof()) text += '\n';
  }
  BOOST_TEST(!in.bad());
  return text;
}
std::string by_blocks(std::istream& in) {
  std::string text;
  char block[1000];
  do {
    in.read(block, sizeof block);
    text.append(block, static_cast<std::size_t>(in.gcount()));
  } while (in);
  return text;
}
std::string by_characters(std::istream& in) {
  std::string text;
  for (int c = in.get(); c != std::char_traits<char>::eof(); c = in.get()) text += static_cast<char>(c);
  return text;
}

using reader = std::string (*)(std::istream&);
const std::pair<const char*, reader> readers[] = {{"copy", by_copy},
                                                  {"iterator", by_iterator},
                                                  {"getline", by_getline},
                                                  {"blocks", by_blocks},
                                                  {"characters", by_characters}};

/// The ways to write a text.
void whole(std::ostream& out, const std::string& text) { out << text; }
void character_by_character(std::ostream& out, const std::string& text) {
  for (const char c : text) out.put(c);
}
void in_flushed_pieces(std::ostream& out, const std::string& text) {
  for (const std::string& piece : devices::in_pieces(text, 777)) out << piece << std::flush;
}
void by_output_iterator(std::ostream& out, const std::string& text) {
  std::copy(text.begin(), text.end(), std::ostreambuf_iterator<char>(out));
}

using text_writer = void (*)(std::ostream&, const std::string&);
const std::pair<const char*, text_writer> writers[] = {{"whole", whole},
                                                       {"characters", character_by_character},
                                                       {"flushed pieces", in_flushed_pieces},
                                                       {"iterator", by_output_iterator}};

/// Writes text through filters and a compressor into a file, as a user's program does, and reads it back in every way.
template <class Compressor, class Decompressor>
void there_and_back(Compressor compressor, Decompressor decompressor) {
  for (const auto& [writer_name, write] : writers) {
    temporary_file file;
    {
      io::filtering_ostream out(utf8_validator() | from_utf8(encoding::utf16le, params{on_error::strict, bom::add}) |
                                compressor() | io::file_sink(file.path().string(), std::ios::binary));
      write(out, sample().as_utf8);
      BOOST_TEST(out.good());
      out.reset();
    }
    {
      io::filtering_istream raw(decompressor() | io::file_source(file.path().string(), std::ios::binary));
      BOOST_TEST((by_copy(raw) == sample().signed_utf16));
    }
    for (const auto& [reader_name, read] : readers)
      for (const int buffer : {-1, 1, 65536}) {
        BOOST_TEST_INFO_SCOPE("written: " << writer_name << ", read: " << reader_name << ", buffer " << buffer);
        to_utf8 decode;
        io::filtering_istream in;
        in.push(decode);
        in.push(decompressor(), buffer);
        in.push(io::file_source(file.path().string(), std::ios::binary), buffer);
        BOOST_TEST((read(in) == sample().as_utf8));
        in.reset();
        BOOST_TEST((decode.report().encoding == encoding::utf16le));
        BOOST_TEST(decode.report().bytes_in == sample().signed_utf16.size());
        BOOST_TEST(decode.report().bytes_out == sample().as_utf8.size());
      }
  }
}

}  // namespace

//----------------------------------------------------------------------------------------------------------- compressed

BOOST_AUTO_TEST_CASE(text_is_written_and_read_through_gzip) {
  there_and_back([] { return io::gzip_compressor(); }, [] { return io::gzip_decompressor(); });
}
BOOST_AUTO_TEST_CASE(text_is_written_and_read_through_bzip2) {
  there_and_back([] { return io::bzip2_compressor(); }, [] { return io::bzip2_decompressor(); });
}
BOOST_AUTO_TEST_CASE(text_is_written_and_read_through_zstd) {
  there_and_back([] { return io::zstd_compressor(); }, [] { return io::zstd_decompressor(); });
}

BOOST_AUTO_TEST_CASE(a_writing_chain_can_decompress_and_a_reading_chain_can_compress) {
  // Boost's compressors and decompressors are dual-use, too: a reading chain can compress, a writing chain decompress.
  std::string packed;
  io::filtering_istream in(io::gzip_compressor() | from_utf8(encoding::utf16le) | over(sample().as_utf8));
  io::copy(in, io::back_inserter(packed));
  std::string text;
  io::filtering_ostream out(io::gzip_decompressor() | to_utf8(encoding::utf16le) | io::back_inserter(text));
  out << packed;
  out.reset();
  BOOST_TEST((text == sample().as_utf8));
}

BOOST_AUTO_TEST_CASE(an_error_in_compressed_text_is_reported_at_its_place_in_the_text) {
  std::string packed;
  {
    io::filtering_ostream out(io::gzip_compressor() | io::back_inserter(packed));
    out << "one\ntwo \xC0\n";
    out.reset();
  }
  io::filtering_istream in(utf8_validator() | io::gzip_decompressor() | over(packed));
  in.exceptions(std::ios::badbit);
  std::string line;
  std::getline(in, line);
  BOOST_TEST(thrown_by<utf_error>([&] { std::getline(in, line); }) ==
             "line 2, column 5 (byte 8): overlong encoding: C0");
  BOOST_TEST(line == "two ");
}

//--------------------------------------------------------------------------------------------------------------- memory

BOOST_AUTO_TEST_CASE(memory_is_read_and_written) {
  for (const auto& [name, read] : readers) {
    BOOST_TEST_INFO_SCOPE(name);
    io::filtering_istream in(utf8_validator() | over(sample().as_utf8));
    BOOST_TEST((read(in) == sample().as_utf8));
  }
  for (const auto& [name, write] : writers) {
    BOOST_TEST_INFO_SCOPE(name);
    std::string text;
    io::filtering_ostream out(to_utf8() | io::back_inserter(text));
    write(out, sample().signed_utf16);
    BOOST_TEST(out.good());
    out.reset();
    BOOST_TEST((text == sample().as_utf8));
  }
}

BOOST_AUTO_TEST_CASE(an_array_is_written_and_flushed) {
  for (const auto& [name, write] : writers) {
    BOOST_TEST_INFO_SCOPE(name);
    std::vector<char> memory(sample().as_utf8.size());
    io::filtering_ostream out(utf8_validator() | io::array_sink(memory.data(), memory.size()));
    write(out, sample().as_utf8);
    out.flush();
    BOOST_TEST(out.good());
    BOOST_CHECK_NO_THROW(out.reset());
    BOOST_TEST((std::string(memory.begin(), memory.end()) == sample().as_utf8));
  }
  std::vector<char> composed(3);
  io::filtering_ostream small(io::compose(utf8_validator(), io::array_sink(composed.data(), composed.size())));
  small << euro << std::flush;
  BOOST_TEST(small.good());
  BOOST_CHECK_NO_THROW(small.reset());
  BOOST_TEST(std::string(composed.begin(), composed.end()) == euro);

  // An array that is too small is a full sink.
  std::vector<char> memory(10);
  io::filtering_ostream out(utf8_validator() | io::array_sink(memory.data(), memory.size()));
  out << "more than ten bytes" << std::flush;
  BOOST_TEST(out.bad());
  BOOST_CHECK_THROW(out.reset(), std::ios_base::failure);
}

BOOST_AUTO_TEST_CASE(a_mapped_file_is_written_and_read) {
  temporary_file file;
  io::mapped_file_params p(file.path().string());
  p.new_file_size = static_cast<io::stream_offset>(sample().as_utf8.size());
  {
    // push(mapped_file_sink) does not compile in Boost. The chain can take the mapped memory, or a stream over it.
    io::mapped_file_sink mapped(p);
    io::filtering_ostream out(to_utf8() | io::array_sink(mapped.data(), mapped.size()));
    out << sample().signed_utf16;
    out.flush();
    BOOST_TEST(out.good());
    BOOST_CHECK_NO_THROW(out.reset());
  }
  for (const auto& [name, read] : readers) {
    BOOST_TEST_INFO_SCOPE(name);
    const io::mapped_file_source mapped(file.path().string());
    io::filtering_istream in(utf8_validator() | io::array_source(mapped.data(), mapped.size()));
    BOOST_TEST((read(in) == sample().as_utf8));
    io::stream<io::mapped_file_source> stream(mapped);
    io::filtering_istream through;
    through.push(utf8_validator());
    through.push(stream);
    BOOST_TEST((read(through) == sample().as_utf8));
  }
}

BOOST_AUTO_TEST_CASE(streams_and_stream_buffers_are_devices) {
  std::istringstream source(sample().signed_utf16);
  std::ostringstream sink;
  io::filtering_istream in;
  in.push(to_utf8());
  in.push(source);
  io::filtering_ostream out;
  out.push(utf8_validator());
  out.push(sink);
  out << in.rdbuf();
  out.reset();
  BOOST_TEST((sink.str() == sample().as_utf8));

  // A stream that is composed with a dual-use filter must have one direction, as std::istream and std::ostream have.
  // Boost takes a std::streambuf for a device with both directions.
  std::istringstream from(sample().as_utf8);
  std::ostringstream to;
  io::filtering_istream in2;
  in2.push(io::compose(utf8_validator(), static_cast<std::istream&>(from)));
  io::filtering_ostream out2;
  out2.push(io::compose(utf8_validator(), static_cast<std::ostream&>(to)));
  io::copy(in2, out2);
  BOOST_TEST((to.str() == sample().as_utf8));

  // A stream buffer without a get area gives one character at a time.
  streambufs::pieces_streambuf buffer({sample().signed_utf16}, streambufs::area::none);
  std::istream slow(&buffer);
  io::filtering_istream in3(io::compose(to_utf8(), slow));
  BOOST_TEST((by_blocks(in3) == sample().as_utf8));
}

//----------------------------------------------------------------------------------------------------- shapes of chains

BOOST_AUTO_TEST_CASE(three_filters_work_with_links_of_every_buffer_size) {
  for (const int first : {-1, 0, 1, 3, 4096}) {
    if (brief::nth != 1 && first != 3) continue;
    for (const int second : {-1, 0, 1, 5, 65536}) {
      for (const auto& [name, read] : readers) {
        BOOST_TEST_INFO_SCOPE("buffers " << first << " and " << second << ", " << name);
        io::filtering_istream in;
        in.push(utf8_validator(), first);
        in.push(utf16_to_utf8(encoding::utf16le), second);
        in.push(bom_filter(bom::strip, encoding::utf16le), first);
        in.push(over(sample().signed_utf16));
        BOOST_TEST((read(in) == sample().as_utf8));
      }
      for (const auto& [name, write] : writers) {
        BOOST_TEST_INFO_SCOPE("buffers " << first << " and " << second << ", " << name);
        recording_sink sink;
        io::filtering_ostream out;
        out.push(utf8_validator(), first);
        out.push(from_utf8(encoding::utf16le), second);
        out.push(bom_filter(bom::add, encoding::utf16le), first);
        out.push(sink);
        write(out, sample().as_utf8);
        BOOST_TEST(out.good());
        out.reset();
        BOOST_TEST((sink.text() == sample().signed_utf16));
        BOOST_TEST(sink.seen().closes == 1u);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(filtering_streambuf_and_filtering_stream_of_one_mode_take_our_filters) {
  std::string text;
  {
    io::filtering_streambuf<io::output> out;
    out.push(utf8_validator());
    out.push(io::back_inserter(text));
    out.sputn(sample().as_utf8.data(), static_cast<std::streamsize>(sample().as_utf8.size()));
    BOOST_TEST(out.pubsync() == 0);
    out.reset();
  }
  BOOST_TEST((text == sample().as_utf8));
  {
    io::filtering_streambuf<io::input> in;
    in.push(utf8_validator());
    in.push(over(text));
    std::string got(text.size(), '\0');
    BOOST_TEST(in.sgetn(got.data(), static_cast<std::streamsize>(got.size())) ==
               static_cast<std::streamsize>(got.size()));
    BOOST_TEST((got == text));
    BOOST_TEST(in.sgetc() == std::char_traits<char>::eof());
  }
  io::filtering_stream<io::input> in;
  in.push(to_utf8());
  in.push(over(text));
  BOOST_TEST((by_copy(in) == text));
  std::string copy;
  io::filtering_stream<io::output> out;
  out.push(from_utf8(encoding::utf16le));
  out.push(io::back_inserter(copy));
  out << text;
  out.reset();
  BOOST_TEST((copy == sample().as_utf16));
}

BOOST_AUTO_TEST_CASE(a_filter_can_be_composed_with_a_device) {
  for (const auto& [name, read] : readers) {
    BOOST_TEST_INFO_SCOPE(name);
    io::filtering_istream in(io::compose(to_utf8(), over(sample().signed_utf16)));
    BOOST_TEST((read(in) == sample().as_utf8));
    io::stream<io::composite<to_utf8, piecewise_source>> stream(
        io::compose(to_utf8(), piecewise_source(devices::in_pieces(sample().signed_utf16, 1001))));
    BOOST_TEST((read(stream) == sample().as_utf8));
  }
  for (const auto& [name, write] : writers) {
    BOOST_TEST_INFO_SCOPE(name);
    recording_sink sink;
    io::filtering_ostream out(io::compose(from_utf8(encoding::utf16le), sink));
    write(out, sample().as_utf8);
    out.reset();
    BOOST_TEST((sink.text() == sample().as_utf16));
    BOOST_TEST(sink.seen().closes == 1u);

    recording_sink other;
    io::stream<io::composite<from_utf8, recording_sink>> stream(io::compose(from_utf8(encoding::utf16le), other));
    write(stream, sample().as_utf8);
    stream.close();
    BOOST_TEST((other.text() == sample().as_utf16));
    BOOST_TEST(other.seen().closes == 1u);
  }
}

BOOST_AUTO_TEST_CASE(filters_can_be_composed_with_each_other) {
  for (const auto& [name, read] : readers) {
    for (const std::size_t cut : {1u, 3u, 1000u}) {
      BOOST_TEST_INFO_SCOPE(name << ", pieces of " << cut);
      const piecewise_source source(devices::in_pieces(sample().signed_utf16, cut));
      utf8_validator kept;
      to_utf8 decode;
      io::filtering_istream in;
      in.push(io::compose(kept, decode));
      in.push(source);
      BOOST_TEST((read(in) == sample().as_utf8));
      in.reset();
      BOOST_TEST(kept.report().bytes_in == sample().as_utf8.size());
      BOOST_TEST(decode.report().bytes_in == sample().signed_utf16.size());
    }
    const piecewise_source three(devices::in_pieces(sample().signed_utf16, 1001));
    io::filtering_istream in(
        io::compose(utf8_validator(), io::compose(utf8_validator(), io::compose(to_utf8(), three))));
    BOOST_TEST((read(in) == sample().as_utf8));
  }
  for (const auto& [name, write] : writers) {
    BOOST_TEST_INFO_SCOPE(name);
    recording_sink sink;
    utf8_validator kept;
    io::filtering_ostream out;
    out.push(io::compose(kept, from_utf8(encoding::utf16le)));
    out.push(sink);
    write(out, sample().as_utf8);
    BOOST_TEST(out.good());
    out.reset();
    BOOST_TEST((sink.text() == sample().as_utf16));
    BOOST_TEST(kept.report().bytes_in == sample().as_utf8.size());
    BOOST_TEST(sink.seen().closes == 1u);

    recording_sink nested;
    io::filtering_ostream deep;
    deep.push(io::compose(utf8_validator(), io::compose(to_utf8(encoding::utf8), from_utf8(encoding::utf16le))));
    deep.push(io::compose(bom_filter(bom::add, encoding::utf16le), nested));
    write(deep, sample().as_utf8);
    deep.reset();
    BOOST_TEST((nested.text() == sample().signed_utf16));
  }
}

BOOST_AUTO_TEST_CASE(our_filter_can_be_composed_with_a_filter_of_boost_after_it) {
  std::string packed;
  {
    io::filtering_ostream out;
    out.push(io::compose(from_utf8(encoding::utf16le), io::gzip_compressor()));
    out.push(io::back_inserter(packed));
    out << sample().as_utf8;
    out.reset();
  }
  io::filtering_istream in;
  in.push(io::compose(to_utf8(encoding::utf16le), io::gzip_decompressor()));
  in.push(over(packed));
  BOOST_TEST((by_copy(in) == sample().as_utf8));
}

BOOST_AUTO_TEST_CASE(io_copy_takes_composed_devices_on_both_sides) {
  recording_sink sink;
  io::copy(io::compose(to_utf8(), piecewise_source(devices::in_pieces(sample().signed_utf16, 100))),
           io::compose(from_utf8(encoding::utf16le), sink));
  BOOST_TEST((sink.text() == sample().as_utf16));
  BOOST_TEST(sink.seen().closes == 1u);
}

BOOST_AUTO_TEST_CASE(sixteen_bytes_can_be_put_back) {
  for (const int size : {1, 2, 16, 128, 4096})
    for (const bool direct : {false, true}) {
      io::filtering_istream in;
      in.push(utf8_validator(), size, 16);
      if (direct)
        in.push(piecewise_source(devices::in_pieces(sample().as_utf8, 64)));
      else
        in.push(over(sample().as_utf8));
      std::string got;
      while (got.size() < 10'000) {
        for (int i = 0; i < 33; ++i) got += static_cast<char>(in.get());
        for (int i = 0; i < 16; ++i) in.unget();
        BOOST_REQUIRE(in.good());
        std::string again;
        for (int i = 0; i < 16; ++i) again += static_cast<char>(in.get());
        BOOST_TEST((again == got.substr(got.size() - 16)));
      }
      BOOST_TEST(sample().as_utf8.compare(0, got.size(), got) == 0);
    }
}

BOOST_AUTO_TEST_CASE(filters_can_be_piped_and_found_again) {
  std::string text;
  io::filtering_ostream out;
  out.push(utf8_validator() | from_utf8(encoding::utf16le) | bom_filter(bom::add, encoding::utf16le) |
           io::back_inserter(text));
  BOOST_TEST(out.size() == 4);
  BOOST_TEST(out.component<utf8_validator>(0) != nullptr);
  BOOST_TEST(out.component<from_utf8>(1) != nullptr);
  BOOST_TEST(out.component<bom_filter>(2) != nullptr);
  out << sample().as_utf8;
  out.flush();
  BOOST_TEST(out.component<utf8_validator>(0)->report().bytes_in == sample().as_utf8.size());
  BOOST_TEST(out.component<from_utf8>(1)->report().bytes_out == sample().as_utf16.size());
  out.reset();
  BOOST_TEST((text == sample().signed_utf16));

  io::filtering_istream in;
  in.push(utf8_validator() | to_utf8() | over(text));
  BOOST_TEST(in.component<utf8_validator>(0) != nullptr);
  BOOST_TEST(in.component<to_utf8>(1) != nullptr);
  BOOST_TEST((by_copy(in) == sample().as_utf8));

  // A codec_filter can be piped and found under its own name, too.
  using generic = codec_filter<transcoder>;
  io::filtering_istream unnamed(generic(transcoder::decoding(encoding::utf16, bom::automatic)) | over(text));
  BOOST_TEST(unnamed.component<generic>(0) != nullptr);
  BOOST_TEST((by_copy(unnamed) == sample().as_utf8));
}

BOOST_AUTO_TEST_CASE(a_filter_can_be_pushed_by_reference) {
  utf8_validator check;
  to_utf8 decode;
  {
    io::filtering_istream in;
    in.push(boost::ref(check));
    in.push(boost::ref(decode));
    in.push(over(sample().signed_utf16));
    BOOST_TEST((by_copy(in) == sample().as_utf8));
  }
  BOOST_TEST(check.report().bytes_in == sample().as_utf8.size());
  BOOST_TEST(decode.report().bytes_out == sample().as_utf8.size());
  recording_sink sink;
  io::filtering_ostream out;
  out.push(boost::ref(check));
  out.push(sink);
  out << "a" << euro;
  out.reset();
  BOOST_TEST(sink.text() == "a\u20AC");
  BOOST_TEST(check.report().bytes_in == 4u);

  recording_sink next;
  io::filtering_ostream composed(io::compose(boost::ref(check), next));
  composed << euro;
  composed.reset();
  BOOST_TEST(next.text() == euro);
  BOOST_TEST(check.report().bytes_in == 3u);
}

BOOST_AUTO_TEST_CASE(a_device_that_was_pushed_after_its_filter_can_be_popped_and_replaced) {
  recording_sink sink;
  io::filtering_ostream out;
  utf8_validator check;
  out.push(check);
  BOOST_TEST(!out.is_complete());
  out.push(sink);
  out << "one";
  out.pop();  // the device has got the text written so far
  BOOST_TEST(sink.text() == "one");
  BOOST_TEST(check.report().bytes_in == 3u);
  recording_sink other;
  out.push(other);
  out << "two";
  out.reset();
  BOOST_TEST(sink.text() == "one");
  BOOST_TEST(other.text() == "two");
}

BOOST_AUTO_TEST_CASE(our_filters_work_next_to_the_devices_and_filters_of_boost) {
  temporary_file file;
  {
    io::filtering_ostream out(utf8_validator() | io::file_sink(file.path().string(), std::ios::binary));
    out << "abc" << euro << "def\n";
    out.reset();
  }
  io::filtering_istream part(utf8_validator() |
                             io::restrict(io::file_source(file.path().string(), std::ios::binary), 2, 5));
  BOOST_TEST(by_copy(part) == "c\u20ACd");
  io::filtering_istream composed_part(
      io::compose(utf8_validator(), io::restrict(io::file_source(file.path().string(), std::ios::binary), 2, 5)));
  BOOST_TEST(by_copy(composed_part) == "c\u20ACd");

  std::string one, two;
  for (const bool composed : {false, true}) {
    io::filtering_ostream out;
    const auto both = io::tee(io::back_inserter(one), io::back_inserter(two));
    if (composed) {
      out.push(io::compose(utf8_validator(), both));
    } else {
      out.push(utf8_validator());
      out.push(both);
    }
    out << euro << std::flush;
    BOOST_TEST(out.good());
    out.reset();
  }
  BOOST_TEST(one == euro + euro);
  BOOST_TEST(two == euro + euro);

  std::string lines;
  io::filtering_ostream dos(utf8_validator() | io::newline_filter(io::newline::dos) | from_utf8(encoding::latin1) |
                            io::back_inserter(lines));
  dos << "\xC3\xA4\nb\n" << std::flush;
  BOOST_TEST(dos.good());
  dos.reset();
  BOOST_TEST(lines == "\xE4\r\nb\r\n");

  io::filtering_istream posix(to_utf8(encoding::latin1) | io::newline_filter(io::newline::posix) | over(lines));
  BOOST_TEST(by_getline(posix) == "\xC3\xA4\nb\n");

  io::filtering_ostream nowhere(io::compose(utf8_validator(), io::null_sink()));
  nowhere << euro << std::flush;
  BOOST_TEST(nowhere.good());
  BOOST_CHECK_NO_THROW(nowhere.reset());

  io::filtering_istream inner(to_utf8() | over(sample().signed_utf16));
  io::filtering_istream outer;
  outer.push(utf8_validator());
  outer.push(inner);
  BOOST_TEST((by_blocks(outer) == sample().as_utf8));
}

BOOST_AUTO_TEST_CASE(a_chain_without_a_device_does_no_harm) {
  {
    io::filtering_ostream out{from_utf8(encoding::utf16)};
    io::filtering_istream in;
    in.push(to_utf8());
  }
  io::filtering_ostream out;
  out.push(utf8_validator());
  BOOST_CHECK_NO_THROW(out.reset());
}
