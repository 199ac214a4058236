// without_models.cpp: stands for detector.cpp in a library that was built without the models of languages (CMake's
// UTFILTER_GUESS): no text is likely in any encoding.
#ifdef UTFILTER_WITHOUT_MODELS
#  include "encodings/detector.hpp"

namespace utfilter::detail {

std::uint8_t language_number(std::string_view) noexcept { return 0; }

const char* why_no_language(std::string_view code) noexcept {
  return code.empty()
             ? nullptr
             : "this library was built without models of languages (UTFILTER_GUESS), so params::language must be empty";
}

ranking rank_encodings(std::string_view, const guess_rules&) noexcept { return {}; }

}  // namespace utfilter::detail
#endif
