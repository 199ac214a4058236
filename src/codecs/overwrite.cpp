// overwrite.cpp: sets the size of a string of libstdc++, by the function that it has for its own use.
#include "codecs/overwrite.hpp"

#ifdef UTFILTER_SETS_LENGTH
namespace utfilter::detail {
namespace {

/// An explicit instantiation may name a private member.
template <class String, void (String::*Set)(std::size_t)>
struct length_setter {
  friend void set(String& s, std::size_t size) noexcept { (s.*Set)(size); }
};
void set(std::string&, std::size_t) noexcept;
void set(std::u16string&, std::size_t) noexcept;
void set(std::u32string&, std::size_t) noexcept;
void set(std::wstring&, std::size_t) noexcept;
template struct length_setter<std::string, &std::string::_M_set_length>;
template struct length_setter<std::u16string, &std::u16string::_M_set_length>;
template struct length_setter<std::u32string, &std::u32string::_M_set_length>;
template struct length_setter<std::wstring, &std::wstring::_M_set_length>;

}  // namespace

void set_length(std::string& s, std::size_t size) noexcept { set(s, size); }
void set_length(std::u16string& s, std::size_t size) noexcept { set(s, size); }
void set_length(std::u32string& s, std::size_t size) noexcept { set(s, size); }
void set_length(std::wstring& s, std::size_t size) noexcept { set(s, size); }

}  // namespace utfilter::detail
#endif
