// exhaustive.hpp: marks test cases that take minutes. A program leaves them out unless it is called with
// --run_test=@exhaustive, as `test/run exhaustive` does.
#ifndef UTFILTER_TEST_EXHAUSTIVE_HPP
#define UTFILTER_TEST_EXHAUSTIVE_HPP

#include <boost/test/unit_test.hpp>

class exhaustive : public boost::unit_test::decorator::base {
 private:
  void apply(boost::unit_test::test_unit& test) override {
    test.add_label("exhaustive");
    test.p_default_status.value = boost::unit_test::test_unit::RS_DISABLED;
  }
  boost::unit_test::decorator::base_ptr clone() const override {
    return boost::unit_test::decorator::base_ptr(new exhaustive);
  }
};

#endif
