// two_copies_module.cpp: a plug-in that is linked with the library statically. two_copies_test loads it.
#include <utfilter/utf_error.hpp>

#define PLUGIN extern "C" __attribute__((visibility("default")))

PLUGIN const std::error_category* category_of_the_plugin() { return &utfilter::utf_category(); }

PLUGIN void throw_in_the_plugin(utfilter::errc code) {
  utfilter::error_info info;
  info.code = code;
  throw utfilter::utf_error(info);
}

/// Whether the plug-in takes the code for what it calls `kind`.
PLUGIN bool plugin_recognises(const std::error_code* code, utfilter::errc kind) { return *code == kind; }
