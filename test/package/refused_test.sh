#!/usr/bin/env bash
# refused_test.sh CXX SOURCE: if a header needs a newer C++, a newer Boost, or exceptions, the compiler's only error
# says so. If a codec or a change lacks something, the compiler's first error says what. The core's headers compile without
# exceptions, and the rows of the encodings under g++'s sanitizer. io::invert of our filters would lose text, so it does
# not compile.
set -euo pipefail
cxx=$1 include=$2/include
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/boost"
echo '#define BOOST_VERSION 107300' >"$work/boost/version.hpp"
cases=0 failed=0

# refused REASON ARGUMENT...: the compiler reports this error, then that it stops, and nothing else.
refused() {
  local said
  ((++cases))
  said=$("$cxx" -fsyntax-only -x c++ - -I "$include" "${@:2}" 2>&1 <<<"#include <utfilter/$header>") && said="nothing"
  if [[ $(grep -m 1 'error: ' <<<"$said") != *"error: "*"$1"* || $(grep -c 'error: ' <<<"$said") != 2 ]]; then
    ((++failed))
    printf '%s, %s:\n%s\n' "$header" "${*:2}" "$said" >&2
  fi
}

for header in $(cd "$include/utfilter" && ls ./*.hpp); do
  layer=$(sed -n 's,^// layer: ,,p' "$include/utfilter/$header")
  [[ $layer != logs ]] || continue
  refused "utfilter needs C++17 or newer: compile with -std=c++17" -std=c++14
  ! grep -q '<utfilter/filter.hpp>\|utfilter/utf8_validator.hpp' "$include/utfilter/$header" ||
    refused "utfilter needs Boost 1.74 or newer (utfilter::core needs none)" -std=c++17 -isystem "$work"
  if [[ $layer =~ ^(unicode|encodings|codecs|conversion)$ ]]; then
    ((++cases))
    "$cxx" -fsyntax-only -x c++ - -I "$include" -std=c++17 -fno-exceptions <<<"#include <utfilter/$header>" || ((++failed))
  else
    refused "this header of utfilter needs exceptions, which -fno-exceptions turns off; text.hpp and decoder.hpp do not" \
      -std=c++17 -fno-exceptions
  fi
done

# explained SENTENCE WHAT [OPTION...]: the program on standard input does not compile, and the compiler's first error
# contains the sentence.
told=()
explained() {
  local said
  ((++cases))
  told+=("$1")
  said=$("$cxx" -std=c++17 -fsyntax-only -x c++ - -I "$include" "${@:3}" 2>&1) && said="nothing"
  if [[ $(grep -m 1 'error: ' <<<"$said") != *"$1"* ]]; then
    ((++failed))
    printf '%s:\n%s\n' "$2" "$said" >&2
  fi
}

# io::invert of our filters, pushed in different ways.
for pushed in 'io::invert(utfilter::to_utf8())' 'io::compose(io::invert(utfilter::utf8_validator()), io::back_inserter(text))'; do
  explained "utfilter: io::invert would lose text" "$pushed" <<END
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/iostreams/invert.hpp>
#include <utfilter/utfilter.hpp>
namespace io = boost::iostreams;
void use(std::string& text) { io::filtering_ostream().push($pushed); }
END
done

# A codec that lacks one of its members.
members=(
  'static constexpr std::size_t min_output = 4;'
  'codec_progress transform(const char*, std::size_t, char*, std::size_t, bool) noexcept { return {}; }'
  'std::size_t encode(char32_t, char*) const noexcept { return 0; }'
  'const error_info& error() const noexcept { return last; } error_info last;'
  'text_position position() const noexcept { return {}; }')
codec_without() {  # codec_without MEMBER [FURTHER MEMBER]
  echo '#include <utfilter/conversion.hpp>'
  echo 'namespace utfilter { struct some_codec {'
  for member in "${members[@]}" "${@:2}"; do [[ $member == "$1" ]] || echo "$member"; done
  echo '}; conversion<some_codec> text{some_codec()}; }'
}
for missing in "${members[@]}"; do
  start=${missing%%[(=]*}
  explained "utfilter: a codec must have \`${start% }" "a codec without $missing" < <(codec_without "$missing")
done
in_place='bool in_place() const noexcept { return true; }' check='std::size_t check(const char*, std::size_t) noexcept { return 0; }'
for member in "$check" "$in_place ${check/std::size_t/std::optional<std::size_t>}" "$in_place ${check/noexcept/}" \
  "${in_place/bool/int} $check" "${in_place/noexcept/} $check"; do
  explained "utfilter: a codec's check must be" "a codec with $member" < <(codec_without nothing "$member")
done
explained "utfilter: a codec must be copyable" "a codec that cannot be copied" \
  < <(codec_without nothing 'some_codec() = default; some_codec(const some_codec&) = delete;')
explained "utfilter: a codec's insert must be" "a codec with another insert" \
  < <(codec_without nothing 'int insert(const char*, std::size_t, char*, std::size_t, bool) noexcept { return 0; }')
explained "utfilter: a codec's min_output is at most 65535" "a codec with a large min_output" <<END
#include <utfilter/filter.hpp>
$(codec_without nothing | sed 's/min_output = 4/min_output = 65536/; $ s/.*/}; codec_filter<some_codec> filter{some_codec()}; }/')
END
explained "utfilter: the target is UTF-8, whose longest character is four bytes" "a codec to UTF-8 with min_output 3" <<END
#include <utfilter/conversion.hpp>
namespace utfilter { struct some_codec : codec_base { ${members[0]/4/3} ${members[1]} }; conversion<some_codec> text{some_codec()}; }
END
((cases += 2))
codec_without nothing "$in_place $check" | "$cxx" -std=c++17 -fsyntax-only -x c++ - -I "$include" || ((++failed))
codec_without nothing | "$cxx" -std=c++17 -fsyntax-only -x c++ - -I "$include" || ((++failed))

# Changes that are none, each with what the compiler says: nothing, if it is one.
call='codec_progress operator()(text_piece, char*, std::size_t, text_facts&) noexcept { return {}; }'
while IFS='|' read -r sentence member; do
  change="#include <utfilter/text_codec.hpp>
namespace utfilter { struct some_change { $member }; constexpr std::size_t size = sizeof(text_codec<some_change>); }"
  if [[ $sentence ]]; then
    explained "utfilter: $sentence" "a change with $member" <<<"$change"
  else
    ((++cases))
    "$cxx" -std=c++17 -fsyntax-only -x c++ - -I "$include" <<<"$change" || ((++failed))
  fi
done <<END
|$call
|$call static constexpr std::size_t min_output = 4;
|$call static constexpr int min_output = 4096;
a change must be copyable|$call some_change(const some_change&) = delete;
a change must be copyable|$call const int width = 8;
a change must have \`codec_progress operator()(text_piece in, char* out, std::size_t room, |
a change must have \`codec_progress operator()(text_piece in|${call/noexcept/}
a change must have \`codec_progress operator()(text_piece in|${call/text_piece,/const char*,}
a change must have \`codec_progress operator()(text_piece in|${call/codec_progress/int}
the min_output of a change must be from 4|$call static constexpr std::size_t min_output = 3;
the min_output of a change must be from 4|$call static constexpr std::size_t min_output = 4097;
END

# Each sentence of a header's static_assert is above.
while read -r -d '' sentence; do
  ((++cases))
  is_told=
  for known in "${told[@]}"; do [[ $sentence != "$known"* ]] || is_told=1; done
  [[ $is_told ]] || { ((++failed)) && echo "no case has: $sentence" >&2; }
done < <(grep -rhzoP 'static_assert\([^;]*?"\Kutfilter: [^"]*' "$include/utfilter")

# g++ finds fewer constants under its sanitizer, in our static assertions, too.
((++cases))
[[ $("$cxx" --version) == *clang* ]] ||
  "$cxx" -std=c++17 -fsyntax-only -fsanitize=undefined -I "$include" -I "$2/src" "$2/src/encodings/utf16.cpp" || ((++failed))

# A row of an encoding without a name, and an encoding without a row.
explained "utfilter: the row of an encoding has no names" "a row without names" -I "$2/src" <<'END'
#include <encodings/encoding_scheme.hpp>
namespace utfilter::detail {
constexpr encoding_scheme row() noexcept { return scheme_named(encoding::utf8, ""); }
encoding_scheme scheme = complete<row>();
}
END
echo "$cases cases, $failed failed"
((failed == 0 && cases > 50))
