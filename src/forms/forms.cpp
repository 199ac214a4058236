// forms.cpp: which form belongs to which encoding.
#include "../forms.hpp"

namespace utfilter::detail {

const encoding_form* form_of(encoding e) noexcept {
  switch (e) {
    case encoding::detect: return nullptr;
    case encoding::utf8: return &utf8_form;
    case encoding::utf16le: return &utf16le_form;
    case encoding::utf16:
    case encoding::utf16be: return &utf16be_form;
    case encoding::utf32le: return &utf32le_form;
    case encoding::utf32:
    case encoding::utf32be: return &utf32be_form;
    case encoding::cesu8: return &cesu8_form;
    case encoding::latin1: return &latin1_form;
    case encoding::windows1252: return &windows1252_form;
  }
  return nullptr;
}

}  // namespace utfilter::detail
