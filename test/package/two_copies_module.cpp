// two_copies_module.cpp: a plug-in, statically linked with the library. two_copies_test loads it.
#include <utfilter/utf_error.hpp>

#define PLUGIN extern "C" __attribute__((visibility("default")))

PLUGIN const std::error_category* category_of_the_plugin() { return &utfilter::utf_category(); }

PLUGIN void throw_in_the_plugin(utfilter::errc code) {
  utfilter::error_info info;
  info.code = code;
  throw utfilter::utf_error(info);
}

/// Whether the code equals `kind` for the plug-in's copy of the library.
PLUGIN bool plugin_recognises(const std::error_code* code, utfilter::errc kind) { return *code == kind; }
