// main.cpp: what the pages of doc/ show and say: PAGE_page.cpp has the tests of doc/PAGE.md.
#define BOOST_TEST_MODULE doc
#include <boost/test/unit_test.hpp>
