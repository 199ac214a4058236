// deduction.hpp: which codec decoders, encoders and streams have, by the arguments of their constructors. Not for users.
// layer: conversion
#ifndef UTFILTER_DETAIL_DEDUCTION_HPP
#define UTFILTER_DETAIL_DEDUCTION_HPP

#include <utfilter/config.hpp>
#include <utfilter/detail/naming.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/transcoder.hpp>

namespace utfilter::detail {
UTFILTER_BEGIN_EXCEPTIONS_NAMESPACE

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
