// boost_test_main.cpp: Boost.Test from its headers, where its library is not there for the processor.
#include <boost/test/included/unit_test.hpp>
