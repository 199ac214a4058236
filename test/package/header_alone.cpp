// header_alone.cpp: one public header, twice, and nothing before it.
#include UTFILTER_HEADER
#include UTFILTER_HEADER
