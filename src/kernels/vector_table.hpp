// vector_table.hpp: the table of the vector kernels that stand before it in the file that includes it, inside the region of its
// instruction set. What has no vector kernel is scalar.
namespace utfilter::detail {
namespace {

/// A kernel that needs nothing after it.
template <auto Kernel>
struct as_it_is {
  static constexpr auto call = Kernel;
};

/// `Entry` makes of a kernel what is called.
template <template <auto> class Entry>
constexpr kernel_table vector_table(const char* name) noexcept {
  return {
      name,
      Entry<validate_utf8>::call,
      Entry<copy_utf8>::call,
      Entry<to_utf8<utf16_source<false>>>::call,
      Entry<to_utf8<utf16_source<true>>>::call,
      Entry<to_utf8<utf32_source<false>>>::call,
      Entry<to_utf8<utf32_source<true>>>::call,
      Entry<to_utf8<latin1_source>>::call,
      Entry<utf8_to_utf16<false>>::call,
      Entry<utf8_to_utf16<true>>::call,
      convert<decode_utf8, encode_utf32<little_endian>>,
      convert<decode_utf8, encode_utf32<big_endian>>,
      convert<decode_utf8, encode_latin1>,
      Entry<utf8_last_line>::call,
      Entry<utf16_last_line<false>>::call,
      Entry<utf16_last_line<true>>::call,
  };
}

}  // namespace
}  // namespace utfilter::detail
