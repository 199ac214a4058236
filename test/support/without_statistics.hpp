// without_statistics.hpp: params for a guess by structure and declarations alone.
#ifndef UTFILTER_TEST_WITHOUT_STATISTICS_HPP
#define UTFILTER_TEST_WITHOUT_STATISTICS_HPP

#include <utfilter/params.hpp>

inline utfilter::params without_statistics() {
  utfilter::params p;
  p.fallback = utfilter::encoding::guess;
  p.least_confidence = 1;
  return p;
}

#endif
