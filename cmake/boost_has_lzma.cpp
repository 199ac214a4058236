// boost_has_lzma.cpp: the build links this program only if Boost.Iostreams was built with xz.
#include <boost/iostreams/filter/lzma.hpp>

int main() { return boost::iostreams::lzma::okay; }
