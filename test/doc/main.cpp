// main.cpp: the program that tests the pages of doc/. PAGE_page.cpp has the tests of doc/PAGE.md.
#define BOOST_TEST_MODULE doc
#include <boost/test/unit_test.hpp>
