// naming.hpp: makes the codecs of filters and streams from the name of an encoding or a charset. Not for users.
// layer: conversion
#ifndef UTFILTER_DETAIL_NAMING_HPP
#define UTFILTER_DETAIL_NAMING_HPP

#include <utfilter/detail/exceptions.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/transcoder.hpp>

#include <string>

namespace utfilter::detail {
UTFILTER_BEGIN_EXCEPTIONS_NAMESPACE

[[noreturn]] inline void refuse(const char* what, const std::string& name, const char* why) {
  refuse(std::string("utfilter: ").append(what).append(" ").append(name).append(": ").append(why));
}

/// Tells how to make a codec that reads or writes what a user names. Codecs of users are not made by names.
template <class Codec>
struct naming {
  /// Nobody can make an object of it, so that no constructor takes a name for this codec.
  class name {
    name();
  };
};

/// A transcoder is named by its encoding. For params that make no sense, both functions throw std::invalid_argument,
/// with the reason.
template <>
struct naming<transcoder> {
  using name = encoding;
  static constexpr encoding read_by_default = encoding::detect, written_by_default = encoding::utf8;

  static transcoder reading(encoding from, const params& p) {
    if (from == encoding::detect) from = p.declared;
    if (const char* why = transcoder::why_not_decoding(from, p)) refuse("reading", to_string(from), why);
    return transcoder::decoding(from, p);
  }
  static transcoder writing(encoding to, const params& p) {
    if (const char* why = transcoder::why_not_encoding(to, p.bom)) refuse("writing", to_string(to), why);
    return transcoder::encoding_to(to, p.bom);
  }
};

template <class Codec>
using codec_name = typename naming<Codec>::name;

/// For constructors that can do without a name: those of transcoders.
template <class Codec>
using if_name_by_default = decltype(naming<Codec>::written_by_default);

/// The codecs that a class makes from an argument of its constructor, if they are not named as its template argument:
/// an encoding, or options alone, stand for a transcoder, and a charset for a codec of ICU (charset.hpp). Anything else
/// is the codec.
template <class What, class = void>
struct codecs_of {
  using reader = What;
  using writer = What;
};
template <>
struct codecs_of<encoding> {
  using reader = transcoder;
  using writer = transcoder;
};
template <class Options>
struct codecs_of<Options, if_options<Options>> : codecs_of<encoding> {};

template <class What>
using reader_of = typename codecs_of<What>::reader;
template <class What>
using writer_of = typename codecs_of<What>::writer;

UTFILTER_END_EXCEPTIONS_NAMESPACE
}  // namespace utfilter::detail

#endif
