// boost_has_zstd.cpp: the build links this program only if Boost.Iostreams was built with zstd.
#include <boost/iostreams/filter/zstd.hpp>

int main() { return boost::iostreams::zstd::okay; }
