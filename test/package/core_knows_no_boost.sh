#!/usr/bin/env bash
# core_knows_no_boost.sh: neither the core nor what is for the standard library alone includes Boost, or what needs it.
set -euo pipefail
cd "$(dirname "$0")/../../include/utfilter"
! grep -rnE '#include *.(boost|utfilter/(filter|conversion|detail|utf_error))' ../../src \
  config.hpp encoding.hpp error.hpp params.hpp text.hpp codec.hpp transcoder.hpp repair.hpp control_escaper.hpp
! grep -rnE '#include *.(boost|utfilter/(filter|detail/chain))' stream.hpp fstream.hpp scoped_filter.hpp spdlog_sink.hpp conversion.hpp \
  decoder.hpp utf_error.hpp detail/transfer.hpp detail/checked_codec.hpp detail/kept_exception.hpp
