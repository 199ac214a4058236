// core.cpp: a program that uses only the core.
#include <utfilter/text.hpp>

int main() { return utfilter::is_utf8("\xC3\xA9") && utfilter::sanitize("a\xFF") == "a\xEF\xBF\xBD" ? 0 : 1; }
