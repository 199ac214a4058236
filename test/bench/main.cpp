// main.cpp: utfilter_bench CORPUS MEBIBYTES DIRECTORY [--benchmark_...]: measures everything on one corpus, or the
// multi-byte encodings on a text of the right language for each.
//
// CORPUS is the name of a generated corpus, or a file. MEBIBYTES is the size of the text in memory; it should exceed
// the caches. DIRECTORY is for files of four times that size. Times are processor times, including the operating
// system's, so that other programs may use the machine. Without arguments the program prints the names of the generated
// corpora.
#include "bench.hpp"

#include "kernels/kernels.hpp"

#include <utfilter/encoding.hpp>

#ifdef UTFILTER_BENCH_SIMDUTF
#  include <simdutf.h>
#endif

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <utility>

namespace bench {

void verifier::operator()(const char* s, std::size_t n) {
  right_ = right_ && n <= left_;
  while (right_ && n != 0) {
    const std::size_t size = std::min(n, expected_.size() - at_);
    right_ = expected_.compare(at_, size, s, size) == 0;
    at_ = (at_ + size) % expected_.size();
    left_ -= size;
    s += size;
    n -= size;
  }
}

namespace {

/// Whether the action makes the output that the task expects. False also if the action throws.
template <class Action>
bool proven(const task& t, const Action& act, std::string& why) try {
  verifier seen(t.expected, t.times);
  act(&seen);
  why = "the output is wrong";
  return seen.passed();
} catch (const std::exception& error) {
  why = error.what();
  return false;
}

template <class Action, class Loop>
benchmark::internal::Benchmark* add(const task& t, const std::string& who, Action act, Loop loop) {
  const auto measure = [t, act = std::move(act), loop, checked = false](benchmark::State& state) mutable {
    std::string why;
    checked = checked || proven(t, act, why);
    if (!checked) return state.SkipWithError(why.c_str());
    loop(state, act);
    const auto runs = static_cast<std::int64_t>(state.iterations());
    if (t.lines != 0)
      state.SetItemsProcessed(runs * static_cast<std::int64_t>(t.lines));
    else
      state.SetBytesProcessed(runs * static_cast<std::int64_t>(t.bytes));
  };
  return benchmark::RegisterBenchmark((t.what + '/' + t.corpus + '/' + who).c_str(), measure);
}

}  // namespace

void task::add(const std::string& who, action act) const {
  bench::add(*this, who, std::move(act), [](benchmark::State& state, const action& run) {
    for (auto unused : state) {
      static_cast<void>(unused);
      run(nullptr);
    }
  });
}

void task::add_timed(const std::string& who, timed_action act) const {
  bench::add(*this, who, std::move(act), [](benchmark::State& state, const timed_action& run) {
    for (auto unused : state) {
      static_cast<void>(unused);
      state.SetIterationTime(run(nullptr));
    }
  })->UseManualTime();
}

corpus::corpus(const std::string& name_or_file, std::size_t bytes, std::string working_directory)
    : name(name_or_file.substr(name_or_file.rfind('/') + 1)),
      memory(make_corpus(name_or_file, bytes), bytes, excerpt::form::utf8),
      hot8(memory.utf8, 128 << 10, excerpt::form::utf8),
      hot16(memory.utf8, 128 << 10, excerpt::form::utf16),
      normalized(hot8.utf8),
      directory(std::move(working_directory)),
      file_size(4 * bytes),
      output(std::max(memory.utf8.size(), memory.utf16le.size()) + 4 * hot8.utf8.size() + chunk, '\0') {
  for (const char* const encoding : {"windows-1252", "KOI8-R", "ISO-8859-1", "UTF-32LE", "CESU-8"}) {
    encoded.push_back(bench::encoded(encoding, memory.utf8, 128 << 10));
    if (encoded.back().utf8.empty()) encoded.pop_back();
  }
  for (const utfilter::encoding several_bytes : utfilter::encodings()) {
    if (!utfilter::detail::is_cjk(several_bytes)) continue;
    const std::string encoding = to_string(several_bytes);
    const std::string text = is_of_languages(name) ? make_text_for(encoding, name, 192 << 10) : memory.utf8;
    multi_byte.push_back(in_charset(encoding, text, 128 << 10));
    if (multi_byte.back().utf8.empty()) multi_byte.pop_back();
  }
  for (const char* const charset : {"IBM852", "EUC-TW"}) {
    charsets.push_back(in_charset(charset, memory.utf8, 128 << 10));
    if (charsets.back().utf8.empty()) charsets.pop_back();
  }
}

task decoding(const corpus& c, const encoded_text& text) {
  return {text.name + " to UTF-8, hot", c.name, text.other.size(), text.utf8};
}

task encoding(const corpus& c, const encoded_text& text) {
  return {"UTF-8 to " + text.name + ", hot", c.name, text.utf8.size(), text.other};
}

}  // namespace bench

int main(int argc, char** argv) try {
  if (argc == 1) {
    for (const std::string& name : bench::corpus_names()) std::cout << name << '\n';
    return 0;
  }
  benchmark::Initialize(&argc, argv);
  if (argc != 4) {
    std::cerr << "usage: utfilter_bench CORPUS MEBIBYTES DIRECTORY [--benchmark_...]\n";
    return 2;
  }
  benchmark::AddCustomContext("compiler", UTFILTER_BENCH_COMPILER);
  benchmark::AddCustomContext("mebibytes", argv[2]);
  benchmark::AddCustomContext("kernels", utfilter::detail::kernels().name);
#ifdef UTFILTER_BENCH_SIMDUTF
  benchmark::AddCustomContext("simdutf",
                              SIMDUTF_VERSION " " + std::string(simdutf::get_active_implementation()->name()));
#endif

  const bench::corpus text(argv[1], std::strtoull(argv[2], nullptr, 10) << 20, argv[3]);
  bench::add_multi_byte(text);
  bench::add_others_of_multi_byte(text);
  if (text.name == bench::languages_dense) bench::add_repairs_of_multi_byte(text);
  if (!bench::is_of_languages(text.name)) {
    for (const auto add : {bench::add_kernels, bench::add_others, bench::add_chains, bench::add_lines,
                           bench::add_threads, bench::add_typed, bench::add_charsets, bench::add_nfc, bench::add_files})
      add(text);
#ifdef UTFILTER_BENCH_SPDLOG
    bench::add_logs(text);
#endif
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
} catch (const std::exception& error) {
  std::cerr << "utfilter_bench: " << error.what() << '\n';
  return 1;
}
