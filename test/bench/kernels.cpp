// kernels.cpp: this library's kernels against simdutf's, and against the limits of the machine: memcpy, and only
// reading.
#include "bench.hpp"

#include "encodings/encoding_scheme.hpp"
#include "kernels/kernels.hpp"

#ifdef UTFILTER_BENCH_SIMDUTF
#  include <simdutf.h>
#endif

#include <cstring>
#include <stdexcept>

namespace bench {
namespace {

using utfilter::detail::convert_kernel;
using utfilter::detail::kernel_table;

/// simdutf's function for the same work. Returns the bytes of output, or for validation the bytes of input; 0 for
/// ill-formed text.
#ifdef UTFILTER_BENCH_SIMDUTF
using simdutf_kernel = std::size_t (*)(const simdutf::implementation&, std::string_view in, char* out);

const char16_t* units(std::string_view s) { return reinterpret_cast<const char16_t*>(s.data()); }

constexpr simdutf_kernel simdutf_validate = [](const simdutf::implementation& with, std::string_view in, char*) {
  return with.validate_utf8(in.data(), in.size()) ? in.size() : 0;
};
constexpr simdutf_kernel simdutf_copy = [](const simdutf::implementation& with, std::string_view in, char* out) {
  if (!with.validate_utf8(in.data(), in.size())) return std::size_t{0};
  std::memcpy(out, in.data(), in.size());
  return in.size();
};
constexpr simdutf_kernel simdutf_utf16le_to_utf8 = [](const simdutf::implementation& with, std::string_view in,
                                                      char* out) {
  return with.convert_utf16le_to_utf8(units(in), in.size() / 2, out);
};
constexpr simdutf_kernel simdutf_utf16be_to_utf8 = [](const simdutf::implementation& with, std::string_view in,
                                                      char* out) {
  return with.convert_utf16be_to_utf8(units(in), in.size() / 2, out);
};
constexpr simdutf_kernel simdutf_utf8_to_utf32le = [](const simdutf::implementation& with, std::string_view in,
                                                      char* out) {
  return 4 * with.convert_utf8_to_utf32(in.data(), in.size(), reinterpret_cast<char32_t*>(out));
};
constexpr simdutf_kernel simdutf_utf8_to_latin1 = [](const simdutf::implementation& with, std::string_view in,
                                                     char* out) {
  return with.convert_utf8_to_latin1(in.data(), in.size(), out);
};
constexpr simdutf_kernel simdutf_utf8_to_utf16le = [](const simdutf::implementation& with, std::string_view in,
                                                      char* out) {
  return 2 * with.convert_utf8_to_utf16le(in.data(), in.size(), reinterpret_cast<char16_t*>(out));
};

/// Adds simdutf's best implementation, or the one that SIMDUTF_FORCE_IMPLEMENTATION names. If that is the one for
/// AVX-512, also adds the one for AVX2.
void add_simdutf(const task& t, const std::string& who, simdutf_kernel kernel, std::string_view in, char* out,
                 const char* shown) {
  const std::string_view best = simdutf::get_active_implementation()->name();
  for (const simdutf::implementation* with : simdutf::get_available_implementations())
    if (with->supported_by_runtime_system() &&
        (with->name() == best || (best == "icelake" && with->name() == "haswell")))
      t.add(who + ' ' + std::string(with->name()), [=](verifier* seen) {
        const std::size_t produced = kernel(*with, in, out);
        if (produced == 0) throw std::runtime_error("simdutf: the text is ill-formed");
        if (seen != nullptr) (*seen)(shown, produced);
      });
}
#endif

/// Calls add for the kernel table in use and for each slower table.
template <class Add>
void for_each_table(Add add) {
  const kernel_table* const* table = utfilter::detail::usable_kernels();
  while (*table != &utfilter::detail::kernels()) ++table;
  for (; *table != nullptr; ++table) add(**table, std::string("utfilter ") + (*table)->name);
}

void add_conversion(const task& t, convert_kernel kernel_table::*kernel, std::string_view in, std::string& output) {
  char* const out = output.data();
  const std::size_t room = output.size();
  for_each_table([&](const kernel_table& table, const std::string& who) {
    t.add(who, [=, convert = table.*kernel](verifier* seen) {
      const utfilter::detail::run done = convert(in.data(), in.size(), out, room);
      if (done.consumed != in.size()) throw std::runtime_error("a kernel stopped early");
      if (seen != nullptr) (*seen)(out, done.produced);
    });
  });
}

/// Converts as the row of an encoding does, with each table of kernels in turn.
void add_conversion(const task& t, convert_kernel convert, std::string_view in, std::string& output) {
  for_each_table([&](const kernel_table& table, const std::string& who) {
    t.add(who, [=, &table, &output](verifier* seen) {
      const kernel_table* const chosen = utfilter::detail::chosen_kernels.exchange(&table);
      const utfilter::detail::run done = convert(in.data(), in.size(), output.data(), output.size());
      utfilter::detail::chosen_kernels = chosen;
      if (done.consumed != in.size()) throw std::runtime_error("a kernel stopped early");
      if (seen != nullptr) (*seen)(output.data(), done.produced);
    });
  });
}

void add_encoding(const corpus& c, const encoded_text& text) {
  const auto* const scheme = utfilter::detail::scheme_of(utfilter::encoding_from_name(text.name).value());
  const task from = decoding(c, text), to = encoding(c, text);
  add_conversion(from, scheme->to_utf8, text.other, c.output);
  add_conversion(to, scheme->from_utf8, text.utf8, c.output);
#ifdef UTFILTER_BENCH_SIMDUTF
  char* const out = c.output.data();
  if (text.name == "UTF-32LE") add_simdutf(to, "simdutf", simdutf_utf8_to_utf32le, text.utf8, out, out);
  if (text.name == "ISO-8859-1") add_simdutf(to, "simdutf", simdutf_utf8_to_latin1, text.utf8, out, out);
#endif
}

void add_validation(const task& t, std::string_view in) {
  for_each_table([&](const kernel_table& table, const std::string& who) {
    t.add(who, [=, &table](verifier* seen) {
      const utfilter::detail::run done = table.validate_utf8(in.data(), in.size());
      if (done.consumed != in.size()) throw std::runtime_error("a kernel stopped early");
      if (seen != nullptr) (*seen)(in.data(), done.consumed);
    });
  });
  for_each_table([&](const kernel_table& table, const std::string& who) {
    const auto is_well_formed = table.is_well_formed;
    t.add(who + ", no counts", [=](verifier* seen) {
      if (!is_well_formed(in.data(), in.size())) throw std::runtime_error("the text is ill-formed");
      if (seen != nullptr) (*seen)(in);
    });
  });
  // memchr reads all of the text, because no byte of UTF-8 is FF.
  t.add("reading alone", [=](verifier* seen) {
    if (std::memchr(in.data(), 0xFF, in.size()) != nullptr) throw std::runtime_error("the text is ill-formed");
    if (seen != nullptr) (*seen)(in);
  });
}

void add_memcpy(const task& t, std::string_view in, char* out) {
  t.add("memcpy", [=](verifier* seen) {
    std::memcpy(out, in.data(), in.size());
    if (seen != nullptr) (*seen)(out, in.size());
  });
}

void add_all(const corpus& c, const std::string& where, const excerpt& utf8, const excerpt& utf16) {
  char* const out = c.output.data();
  const auto task_of = [&](const char* what, std::string_view in, std::string_view expected) {
    return task{what + where, c.name, in.size(), expected};
  };

  const task validate = task_of("validate", utf8.utf8, utf8.utf8);
  add_validation(validate, utf8.utf8);

  const task copy = task_of("validate and copy", utf8.utf8, utf8.utf8);
  add_conversion(copy, &kernel_table::copy_utf8, utf8.utf8, c.output);
  add_memcpy(copy, utf8.utf8, out);

  const task from_le = task_of("UTF-16LE to UTF-8", utf16.utf16le, utf16.utf8);
  const task from_be = task_of("UTF-16BE to UTF-8", utf16.utf16be, utf16.utf8);
  const task to_le = task_of("UTF-8 to UTF-16LE", utf8.utf8, utf8.utf16le);
  add_conversion(from_le, &kernel_table::utf16le_to_utf8, utf16.utf16le, c.output);
  add_conversion(from_be, &kernel_table::utf16be_to_utf8, utf16.utf16be, c.output);
  add_conversion(to_le, &kernel_table::utf8_to_utf16le, utf8.utf8, c.output);

#ifdef UTFILTER_BENCH_SIMDUTF
  add_simdutf(validate, "simdutf", simdutf_validate, utf8.utf8, nullptr, utf8.utf8.data());
  add_simdutf(copy, "simdutf and memcpy", simdutf_copy, utf8.utf8, out, out);
  add_simdutf(from_le, "simdutf", simdutf_utf16le_to_utf8, utf16.utf16le, out, out);
  add_simdutf(from_be, "simdutf", simdutf_utf16be_to_utf8, utf16.utf16be, out, out);
  add_simdutf(to_le, "simdutf", simdutf_utf8_to_utf16le, utf8.utf8, out, out);
#endif
}

}  // namespace

void add_kernels(const corpus& c) {
  add_all(c, ", hot", c.hot8, c.hot16);
  add_all(c, ", memory", c.memory, c.memory);
  for (const encoded_text& text : c.encoded) add_encoding(c, text);
}

void add_multi_byte(const corpus& c) {
  for (const encoded_text& text : c.multi_byte) add_encoding(c, text);
}

}  // namespace bench
