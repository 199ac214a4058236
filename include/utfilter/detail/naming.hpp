// naming.hpp: makes the codecs of filters and streams from the name of an encoding or a charset. Not for users.
// layer: conversion
#ifndef UTFILTER_DETAIL_NAMING_HPP
#define UTFILTER_DETAIL_NAMING_HPP

#include <utfilter/detail/exceptions.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/transcoder.hpp>

#include <string>
#include <string_view>
#include <type_traits>

namespace utfilter::detail {
UTFILTER_BEGIN_EXCEPTIONS_NAMESPACE

[[noreturn]] inline void refuse(const char* what, const std::string& name, const char* why) {
  refuse(std::string("utfilter: ").append(what).append(" ").append(name).append(": ").append(why));
}

/// An encoding, or its name as a string, such as "utf-16". Throws std::invalid_argument, with the nearest names, if no
/// encoding has it.
class named_encoding {
 public:
  constexpr named_encoding(encoding e) noexcept : value_(e) {}
  template <class Name, class = std::enable_if_t<std::is_convertible_v<const Name&, std::string_view>>>
  named_encoding(const Name& name) : value_(look_up(name)) {}
  constexpr operator encoding() const noexcept { return value_; }

 private:
  static encoding look_up(std::string_view name) {
    const auto found = encoding_from_name(name);
    if (!found) refuse(why_no_encoding(name));
    return *found;
  }
  encoding value_;
};

/// Tells how to make a codec that reads or writes what a user names. Codecs of users are not made by names.
template <class Codec>
struct naming {
  /// Nobody can make an object of it, so that no constructor takes a name for this codec.
  class name {
    name();
  };
};

/// encoding_name, without the tables of all encodings if the compiler knows that it needs none.
UTFILTER_INLINE std::string name_of(encoding e) {
  return std::string(is_unicode(e) ? unicode_name(e) : encoding_name(e));
}

/// A transcoder is named by its encoding. For params that make no sense, the functions throw std::invalid_argument, with
/// the reason. UTFILTER_INLINE: if the compiler knows the encoding, the program has no others.
template <>
struct naming<transcoder> {
  using name = named_encoding;
  static constexpr encoding read_by_default = encoding::detect, written_by_default = encoding::utf8;

  UTFILTER_INLINE static transcoder reading(encoding from, const params& p) {
    if (from == encoding::detect) from = p.declared;
    return is_unicode(from) ? reading_unicode(from, p) : reading_any(from, p);
  }
  /// For UTF-8, UTF-16 and UTF-32 alone.
  static transcoder reading_unicode(encoding from, const params& p) {
    if (const char* why = transcoder::why_not_decoding_unicode(from, p))
      refuse("reading", std::string(unicode_name(from)), why);
    return transcoder::decoding_unicode(from, p);
  }
  UTFILTER_INLINE static transcoder writing(encoding to, const params& p) {
    if (const char* why = transcoder::why_not_encoding(to, p.bom)) refuse("writing", name_of(to), why);
    return transcoder::encoding_to(to, p.bom);
  }

 private:
  static transcoder reading_any(encoding from, const params& p) {
    if (const char* why = transcoder::why_not_decoding(from, p)) refuse("reading", to_string(from), why);
    return transcoder::decoding(from, p);
  }
};

UTFILTER_END_EXCEPTIONS_NAMESPACE
}  // namespace utfilter::detail

#endif
