// two_copies_test.cpp: a program and its plug-in, each statically linked with the library: each recognises the errors
// of the other.
// build: static program:two_copies_module
#define BOOST_TEST_MODULE two_copies
#include "support/paths.hpp"

#include <utfilter/utf_error.hpp>

#include <boost/test/unit_test.hpp>

#include <dlfcn.h>

#include <string>
#include <system_error>

using utfilter::errc;
using utfilter::utf_error;

namespace {

constexpr int codes = static_cast<int>(errc::unassigned);

struct plugin {
  template <class Function>
  static Function* find(const char* name) {
    static void* const module = dlopen(paths::program("two_copies_module").c_str(), RTLD_NOW | RTLD_LOCAL);
    BOOST_REQUIRE_MESSAGE(module != nullptr, dlerror());
    void* const symbol = dlsym(module, name);
    BOOST_REQUIRE_MESSAGE(symbol != nullptr, name);
    return reinterpret_cast<Function*>(symbol);
  }

  const std::error_category& category = *find<const std::error_category*()>("category_of_the_plugin")();
  void (*const throws)(errc) = find<void(errc)>("throw_in_the_plugin");
  bool (*const recognises)(const std::error_code*,
                           errc) = find<bool(const std::error_code*, errc)>("plugin_recognises");
};

/// An error category that is not ours.
class stranger : public std::error_category {
  const char* name() const noexcept override { return "stranger"; }
  std::string message(int) const override { return "strange"; }
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_program_and_the_plugin_have_two_categories) {
  BOOST_TEST((&plugin().category != &utfilter::utf_category()));
  BOOST_TEST((plugin().category != utfilter::utf_category()));  // otherwise the other cases would show nothing
}

BOOST_AUTO_TEST_CASE(a_code_of_the_other_copy_is_the_same_kind_of_error) {
  for (int value = 1; value <= codes; ++value) {
    const auto kind = static_cast<errc>(value);
    try {
      plugin().throws(kind);
      BOOST_ERROR("nothing was thrown");
    } catch (const utf_error& error) {
      BOOST_TEST((error.info().code == kind));
      BOOST_TEST((error.code() == kind));
      BOOST_TEST((kind == error.code()));
      BOOST_TEST(!(error.code() != kind));
      BOOST_TEST(!(kind != error.code()));
      BOOST_TEST((error.code() == std::errc::illegal_byte_sequence));
      for (int other = 0; other <= codes + 1; ++other)
        if (other != value) BOOST_TEST((error.code() != static_cast<errc>(other)));
      BOOST_TEST((error.code() != make_error_code(kind)));  // the standard library compares the categories' addresses
    }
    const std::error_code ours = kind;
    BOOST_TEST(plugin().recognises(&ours, kind));
    BOOST_TEST(!plugin().recognises(&ours, static_cast<errc>(value % codes + 1)));
  }
}

BOOST_AUTO_TEST_CASE(a_code_of_another_category_is_no_error_of_ours) {
  const stranger strange;
  for (int value = 0; value <= codes; ++value) {
    const auto kind = static_cast<errc>(value);
    for (const std::error_code& code :
         {std::error_code(value, strange), std::error_code(value, std::generic_category()),
          std::error_code(value, std::iostream_category())}) {
      BOOST_TEST((code != kind));
      BOOST_TEST(!(code == kind));
    }
  }
}
