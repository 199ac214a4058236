// checked_codec.hpp: makes the transcoders of filters and streams, and refuses combinations that make no sense. Not for
// users.
#ifndef UTFILTER_DETAIL_CHECKED_CODEC_HPP
#define UTFILTER_DETAIL_CHECKED_CODEC_HPP

#include <utfilter/detail/exceptions.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/params.hpp>
#include <utfilter/transcoder.hpp>

#include <string>

namespace utfilter::detail {
UTFILTER_BEGIN_EXCEPTIONS_NAMESPACE

[[noreturn]] inline void refuse(const char* caller, encoding e, const char* why) {
  refuse("utfilter::" + std::string(caller) + '(' + std::string(encoding_name(e)) + "): " + why);
}

/// A decoder for the params. Refuses a combination that makes no sense, with the name of the caller and the
/// reason.
inline transcoder checked_decoder(const char* caller, encoding from, const params& p) {
  if (from == encoding::detect) from = p.declared;
  if (const char* why = transcoder::why_not_decoding(from, p)) refuse(caller, from, why);
  return transcoder::decoding(from, p);
}

/// An encoder for the params. Refuses what makes no sense, as checked_decoder does.
inline transcoder checked_encoder(const char* caller, encoding to, const params& p) {
  if (const char* why = transcoder::why_not_encoding(to, p.bom)) refuse(caller, to, why);
  return transcoder::encoding_to(to, p.bom);
}

UTFILTER_END_EXCEPTIONS_NAMESPACE
}  // namespace utfilter::detail

#endif
