// has_library.cpp: b2 builds this program only if a library and its header are installed (Jamfile).
#include UTFILTER_HEADER

int main() {}
