// nfc.cpp: Normalization Form C, of text that is in it already and of decomposed text, against ICU and utf8proc.
#include "bench.hpp"

#include <utfilter/nfc_normalizer.hpp>

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <utf8proc.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

namespace bench {
namespace {

void add_all(const task& t, const std::string& in, std::string& output) {
  t.add("utfilter", [&in, &output](verifier* seen) {
    utfilter::nfc_normalizer codec;
    const auto done = codec.transform(in.data(), in.size(), output.data(), output.size(), true);
    if (done.status != utfilter::codec_status::done) throw std::runtime_error("the text has not ended");
    if (seen != nullptr) (*seen)(output.data(), done.produced);
  });

  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* const nfc = icu::Normalizer2::getNFCInstance(status);
  if (U_FAILURE(status)) throw std::runtime_error(u_errorName(status));
  t.add("ICU", [&in, &output, nfc](verifier* seen) {
    icu::CheckedArrayByteSink sink(output.data(), static_cast<std::int32_t>(output.size()));
    UErrorCode failed = U_ZERO_ERROR;
    nfc->normalizeUTF8(0, in, sink, nullptr, failed);
    if (U_FAILURE(failed) || sink.Overflowed()) throw std::runtime_error(u_errorName(failed));
    if (seen != nullptr) (*seen)(output.data(), static_cast<std::size_t>(sink.NumberOfBytesWritten()));
  });

  t.add("utf8proc", [&in](verifier* seen) {
    utf8proc_uint8_t* made = nullptr;
    const utf8proc_ssize_t size =
        utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(in.data()), static_cast<utf8proc_ssize_t>(in.size()),
                     &made, static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
    const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(made, &std::free);
    if (size < 0) throw std::runtime_error(utf8proc_errmsg(size));
    if (seen != nullptr) (*seen)(reinterpret_cast<const char*>(made), static_cast<std::size_t>(size));
  });
}

}  // namespace

void add_nfc(const corpus& c) {
  const std::string &nfc = c.normalized.nfc, &nfd = c.normalized.nfd;
  add_all({"NFC of text in NFC, hot", c.name, nfc.size(), nfc}, nfc, c.output);
  if (nfd != nfc) add_all({"NFC of decomposed text, hot", c.name, nfd.size(), nfc}, nfd, c.output);
}

}  // namespace bench
