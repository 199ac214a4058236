# reference.sed: what the reference shows of a header in place of what only a compiler needs. doc/Doxyfile names it.

# Doxygen would list a base class that is an instance of a template as a class without documentation.
s/^(class .*: public (codec_[a-z_]+|conversion))<[a-z_]+>/\1/
# Base classes from detail are not for users: the standard's class stands for them, or none.
s/: public detail::(owning|file)_([io])stream<Codec>/: public std::\2stream/
s/ : public detail::shared_source<[a-z_:]+>//
s/: public detail::([io]streambuf_base|lossless_streambuf)/: public std::streambuf/
s/ : private detail::[a-z_]+//
# Specialisations of std's templates, and deduction guides, which Doxygen takes for functions.
s/^(template <>|struct std::.*)$//
/^template <class What/,/;$/s/.*//
# An argument of many types has the one that users write most: params, an on_error, an encoding.
/^ *template <class Options = .*,$/ {
  N
  s/^.*\n.*(if_name_by_default<C>>|std::enable_if_t<.*>>)$/\n/
}
s/^ *template <class Options = [a-z_:]+, class = detail::if_options<Options>>$//
s/const Options& ([a-z]+) = on_error/on_error \1 = on_error/
s/const Options&/const params\&/
s/^ *template <class C = Codec, class = detail::if_name_by_default<C>>$//
s/(const )?detail::codec_name<[A-Za-z]+>&?/encoding/
s/detail::named_encoding/encoding/
s/detail::replacement_character/"\\xEF\\xBF\\xBD"/
s/detail::underlying<(std::[io]stream)>/\1\&/
s/detail::naming<C>::written_by_default/encoding::utf8/
