// cxx20.cpp: what C++20 makes of the headers: they compile, and params is an aggregate whose members can be named.
#include <utfilter/utfilter.hpp>

#include <utfilter/decoder.hpp>
#include <utfilter/fstream.hpp>
#include <utfilter/scoped_filter.hpp>
#include <utfilter/stream.hpp>
#include <utfilter/stream_source.hpp>
#include <utfilter/text.hpp>

utfilter::to_utf8 all_members_named() {
  return utfilter::to_utf8(utfilter::encoding::detect, {.on_error    = utfilter::on_error::replace,
                                                        .bom         = utfilter::bom::strip,
                                                        .fallback    = utfilter::encoding::windows1252,
                                                        .replacement = "?",
                                                        .error_limit = 100,
                                                        .observer    = [](const utfilter::error_info&) {}});
}

utfilter::from_utf8 one_member_named() { return utfilter::from_utf8(utfilter::encoding::utf16, {.bom = utfilter::bom::keep}); }

bool errors_compare(const std::error_code& code) {
  using utfilter::errc;
  return code == errc::overlong && errc::overlong == code && code != errc::surrogate && errc::surrogate != code &&
         code == make_error_code(errc::overlong) && code == std::errc::illegal_byte_sequence;
}
