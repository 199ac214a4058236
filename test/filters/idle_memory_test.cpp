// idle_memory_test.cpp: the heap memory of ten thousand idle connections, with chains and with the codec alone. Each
// has delivered a line and then waits inside a character, because its source would block.
#define BOOST_TEST_MODULE idle_memory
#define COUNT_LIVE_BYTES
#include "support/counting_new.hpp"

#include <utfilter/utfilter.hpp>

#include <boost/iostreams/categories.hpp>
#include <boost/iostreams/filter/counter.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace io = boost::iostreams;
using namespace utfilter;

namespace {

/// The memory that is allocated, as malloc rounds it up. The bookkeeping of malloc, about 8 bytes a block, is not
/// included.
struct heap {
  std::size_t bytes;
  std::size_t blocks;
};
heap now() { return {live_bytes, static_cast<std::size_t>(live_blocks)}; }

constexpr std::size_t connections = 10'000;

constexpr char arrived[] = "a line\n\xF0\x9F\x98";
constexpr std::size_t size = sizeof arrived - 1;

/// Gives the bytes that have arrived. After them it would block.
struct idle_source {
  using char_type = char;
  using category = io::source_tag;
  std::streamsize read(char* s, std::streamsize n) {
    if (done) return 0;
    done = true;
    BOOST_REQUIRE(n >= static_cast<std::streamsize>(size));
    std::copy_n(arrived, size, s);
    return size;
  }
  bool done = false;
};

constexpr std::streamsize by_default = -1;

/// A chain with this filter, and with link buffers of these sizes, in bytes.
template <class Filter>
auto idle_chain(const Filter& filter, std::streamsize filter_buffer, std::streamsize device_buffer) {
  auto in = std::make_unique<io::filtering_istream>();
  in->push(filter, filter_buffer);
  in->push(idle_source(), device_buffer);
  char line[20];
  BOOST_REQUIRE(in->getline(line, sizeof line));
  BOOST_REQUIRE(line == std::string("a line"));
  in->peek();  // asks the source for more, as a waiting reader does
  return in;
}

/// Returns and prints the heap memory of one object that `make` returns.
template <class Make>
heap cost(const char* what, Make make) {
  std::vector<decltype(make())> all;
  all.reserve(connections);
  make();  // allocates what all of them share
  const heap before = now();
  while (all.size() < connections) all.push_back(make());
  const heap each{(now().bytes - before.bytes) / connections, (now().blocks - before.blocks) / connections};
  std::cout << std::setw(7) << each.bytes << " bytes in " << std::setw(2) << each.blocks << " blocks: " << what << '\n';
  return each;
}

/// The limit for codec, policy and report together, without buffers, in bytes.
constexpr std::size_t small_block = 1152;

}  // namespace

BOOST_AUTO_TEST_CASE(each_of_ten_thousand_idle_chains_costs_one_small_block_more_than_a_chain_with_an_identity_filter) {
  struct row {
    std::streamsize filter_buffer, device_buffer;
    const char* identity;
    const char* ours;
  };
  // Both chains have links of the same size here. By default our filter asks for 65472 bytes, and Boost's counter for
  // none.
  const row table[] = {{4096, by_default, "chain of io::counter, link of 4096", "chain of to_utf8, link of 4096"},
                       {64, by_default, "chain of io::counter, link of 64", "chain of to_utf8, link of 64"},
                       {64, 64, "chain of io::counter, both links of 64", "chain of to_utf8, both links of 64"}};
  for (const row& r : table) {
    const heap identity = cost(r.identity, [&] { return idle_chain(io::counter(), r.filter_buffer, r.device_buffer); });
    const heap ours = cost(r.ours, [&] { return idle_chain(to_utf8(), r.filter_buffer, r.device_buffer); });
    BOOST_TEST(ours.blocks == identity.blocks + 1);
    BOOST_TEST(ours.bytes <= identity.bytes + small_block);
  }
}

BOOST_AUTO_TEST_CASE(by_default_an_idle_chain_also_has_a_link_of_65472_bytes) {
  const heap identity = cost("chain of io::counter", [] { return idle_chain(io::counter(), by_default, by_default); });
  const heap ours = cost("chain of to_utf8", [] { return idle_chain(to_utf8(), by_default, by_default); });
  const heap validator =
      cost("chain of utf8_validator", [] { return idle_chain(utf8_validator(), by_default, by_default); });
  BOOST_TEST(ours.blocks == identity.blocks + 1);
  BOOST_TEST(ours.bytes <= identity.bytes + 65472 + small_block);
  BOOST_TEST(validator.bytes == ours.bytes);
}

BOOST_AUTO_TEST_CASE(an_idle_codec_without_a_chain_costs_only_the_small_block) {
  const heap alone = cost("conversion<transcoder>", [] {
    auto codec =
        std::make_unique<conversion<transcoder>>(transcoder::decoding(encoding::detect, bom::automatic), params{});
    codec->begin(conversion<transcoder>::direction::reading);
    char line[20];
    const auto done = codec->convert(arrived, size, line, sizeof line, false);
    BOOST_REQUIRE(done.consumed == size);
    BOOST_REQUIRE(std::string(line, done.produced) == "a line\n");
    return codec;
  });
  BOOST_TEST(alone.blocks == 1u);
  BOOST_TEST(alone.bytes <= small_block);
}

BOOST_AUTO_TEST_CASE(destroyed_chains_leave_no_memory_allocated) {
  const heap before = now();
  for (std::size_t i = 0; i < connections; ++i) idle_chain(to_utf8(), 64, 64);
  BOOST_TEST(now().blocks == before.blocks);
  BOOST_TEST(now().bytes == before.bytes);
}
