// normalizing.cpp: --nfc, by utfilter::nfc, or the reason why it is not there.
#include "normalizing.hpp"

#ifdef UTFCAT_WITH_NFC
#  include <utfilter/nfc.hpp>
#endif

#include <utility>

namespace utfcat {

#ifndef UTFCAT_WITH_NFC

const char* why_not_normalizing() noexcept {
  return "this utfcat was built without it: build it with libutf8proc-dev (Debian) and UTFILTER_BUILD_NFC";
}
text_reader normalized(text_reader read, std::uint64_t&) { return read; }

#else

const char* why_not_normalizing() noexcept { return nullptr; }

text_reader normalized(text_reader read, std::uint64_t& inserted) {
  return [filter = utfilter::normalize_nfc(), source = reader_source(std::move(read)), &inserted](
             char* s, std::streamsize n) mutable {
    const std::streamsize got = filter.read(source, s, n);
    inserted = filter.report().inserted;
    return got;
  };
}

#endif

}  // namespace utfcat
