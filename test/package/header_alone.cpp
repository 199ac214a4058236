// header_alone.cpp: includes one public header twice, and nothing before it.
#include UTFILTER_HEADER
#include UTFILTER_HEADER
