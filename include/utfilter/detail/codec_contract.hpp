// codec_contract.hpp: checks at compile time that a type is a codec (doc/codecs.md has the rules). Not for users.
// layer: conversion
#ifndef UTFILTER_DETAIL_CODEC_CONTRACT_HPP
#define UTFILTER_DETAIL_CODEC_CONTRACT_HPP

#include <utfilter/codec.hpp>

#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>

namespace utfilter::detail {

template <class Codec, class = void>
inline constexpr bool has_min_output = false;
template <class Codec>
inline constexpr bool has_min_output<Codec, std::enable_if_t<(Codec::min_output > 0)>> = true;

template <class Codec, class = void>
inline constexpr bool has_transform = false;
template <class Codec>
inline constexpr bool has_transform<
    Codec, std::enable_if_t<std::is_same_v<codec_progress, decltype(std::declval<Codec&>().transform(
                                                               std::declval<const char*>(), std::size_t{},
                                                               std::declval<char*>(), std::size_t{}, bool{}))>>> = true;

template <class Codec, class = void>
inline constexpr bool has_encode = false;
template <class Codec>
inline constexpr bool has_encode<
    Codec, std::enable_if_t<std::is_convertible_v<
               decltype(std::declval<const Codec&>().encode(char32_t{}, std::declval<char*>())), std::size_t>>> = true;

template <class Codec, class = void>
inline constexpr bool has_error = false;
template <class Codec>
inline constexpr bool has_error<
    Codec, std::enable_if_t<std::is_convertible_v<decltype(std::declval<const Codec&>().error()), error_info>>> = true;

template <class Codec, class = void>
inline constexpr bool has_position = false;
template <class Codec>
inline constexpr bool has_position<
    Codec, std::enable_if_t<std::is_convertible_v<decltype(std::declval<const Codec&>().position()), text_position>>> =
    true;

// in_place with check, facts and insert are optional. A codec with insert needs no encode.

template <class Codec>
using check_result = decltype(std::declval<Codec&>().check(std::declval<const char*>(), std::size_t{}));

template <class Codec, class = void>
inline constexpr bool names_check = false;
template <class Codec>
inline constexpr bool names_check<Codec, std::void_t<check_result<Codec>>> = true;

template <class Codec, class = void>
inline constexpr bool has_check = false;
template <class Codec>
inline constexpr bool
    has_check<Codec, std::enable_if_t<std::is_same_v<check_result<Codec>, std::size_t> &&
                                      std::is_same_v<decltype(std::declval<const Codec&>().in_place()), bool>>> =
        noexcept(std::declval<const Codec&>().in_place()) && noexcept(
            std::declval<Codec&>().check(std::declval<const char*>(), std::size_t{}));

template <class Codec, class = void>
inline constexpr bool has_facts = false;
template <class Codec>
inline constexpr bool has_facts<
    Codec, std::enable_if_t<std::is_convertible_v<decltype(std::declval<const Codec&>().facts()), text_facts>>> = true;

template <class Codec>
using insert_result = decltype(std::declval<Codec&>().insert(std::declval<const char*>(), std::size_t{},
                                                             std::declval<char*>(), std::size_t{}, bool{}));

template <class Codec, class = void>
inline constexpr bool names_insert = false;
template <class Codec>
inline constexpr bool names_insert<Codec, std::void_t<insert_result<Codec>>> = true;

/// Whether the output for a character depends on the text around it, so that repairs must go through the codec.
template <class Codec, class = void>
inline constexpr bool has_insert = false;
template <class Codec>
inline constexpr bool has_insert<Codec, std::enable_if_t<std::is_same_v<insert_result<Codec>, codec_progress>>> = true;

/// Whether the codec has `bool inserts() const noexcept`. Such a codec keeps no text back, and only some of its objects
/// have a state: repairs go through insert while inserts() is true, and through encode otherwise.
template <class Codec, class = void>
inline constexpr bool may_insert = false;
template <class Codec>
inline constexpr bool
    may_insert<Codec, std::enable_if_t<std::is_same_v<decltype(std::declval<const Codec&>().inserts()), bool>>> = true;

/// Whether the codec has `void tell(const std::function<void(const error_info&)>& observer)`, which must be called after
/// codec_status::told.
template <class Codec, class = void>
inline constexpr bool has_tell = false;
template <class Codec>
inline constexpr bool has_tell<Codec, std::void_t<decltype(std::declval<Codec&>().tell(
                                          std::declval<const std::function<void(const error_info&)>&>()))>> = true;

/// Whether the codec has `bool gives_back() const noexcept` and `std::size_t give_back(char* out) noexcept`: while
/// gives_back() is true, give_back writes all bytes that the codec carries to `out` and forgets them. Then check gets them
/// again, with those that follow.
template <class Codec, class = void>
inline constexpr bool has_give_back = false;
template <class Codec>
inline constexpr bool
    has_give_back<Codec, std::enable_if_t<std::is_same_v<decltype(std::declval<const Codec&>().gives_back()), bool>>> =
        std::is_same_v<decltype(std::declval<Codec&>().give_back(std::declval<char*>())), std::size_t>;

/// Whether the codec has `const char* broken_rule() const noexcept`: the rule that the change of a text_codec has broken.
template <class Codec, class = void>
inline constexpr bool has_broken_rule = false;
template <class Codec>
inline constexpr bool has_broken_rule<Codec, std::void_t<decltype(std::declval<const Codec&>().broken_rule())>> = true;

/// Fails the build, with a sentence for each member that is missing.
template <class Codec>
constexpr bool is_codec() noexcept {
  static_assert(std::is_copy_constructible_v<Codec> && std::is_copy_assignable_v<Codec>,
                "utfilter: a codec must be copyable");
  static_assert(
      has_min_output<Codec>,
      "utfilter: a codec must have `static constexpr std::size_t min_output`, more than 0 (see doc/codecs.md)");
  static_assert(has_transform<Codec>,
                "utfilter: a codec must have `codec_progress transform(const char* in, std::size_t size, char* out, "
                "std::size_t room, bool last) noexcept` (see doc/codecs.md)");
  static_assert(
      has_encode<Codec> || has_insert<Codec>,
      "utfilter: a codec must have `std::size_t encode(char32_t, char* out) const noexcept`, as codec_base has");
  static_assert(has_error<Codec>,
                "utfilter: a codec must have `const error_info& error() const noexcept`, as codec_base has");
  static_assert(has_position<Codec>,
                "utfilter: a codec must have `text_position position() const noexcept`, as codec_base has");
  static_assert(
      has_check<Codec> || !names_check<Codec>,
      "utfilter: a codec's check must be `std::size_t check(const char* in, std::size_t size) noexcept`, beside "
      "`bool in_place() const noexcept` (see doc/codecs.md)");
  static_assert(has_insert<Codec> || !names_insert<Codec>,
                "utfilter: a codec's insert must be `codec_progress insert(const char* in, std::size_t size, char* "
                "out, std::size_t room, bool last) noexcept` (see doc/codecs.md)");
  if constexpr (has_min_output<Codec> && std::is_base_of_v<codec_base, Codec> && has_encode<Codec>)
    static_assert(
        !std::is_same_v<decltype(&Codec::encode), decltype(&codec_base::encode)> || Codec::min_output >= 4,
        "utfilter: the target is UTF-8, whose longest character is four bytes: min_output must be at least 4");
  return true;
}

/// The facts that the codec knows about its text; the default ones if it has no member facts.
template <class Codec>
text_facts facts_of(const Codec& codec) noexcept {
  if constexpr (has_facts<Codec>) return codec.facts();
  return {};
}

}  // namespace utfilter::detail

#endif
