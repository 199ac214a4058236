// boost_test_main.cpp: builds Boost.Test from its headers, if no library of it is installed for the target processor.
#include <boost/test/included/unit_test.hpp>
