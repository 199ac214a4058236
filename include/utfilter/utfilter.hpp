// utfilter.hpp: includes all public headers except spdlog_sink.hpp, which needs spdlog, and printable_fmt.hpp, which
// needs {fmt}.
// layer: all
#ifndef UTFILTER_UTFILTER_HPP
#define UTFILTER_UTFILTER_HPP

#include <utfilter/binary.hpp>
#include <utfilter/bom_filter.hpp>
#include <utfilter/byte_range.hpp>
#include <utfilter/changes.hpp>
#include <utfilter/characters.hpp>
#include <utfilter/checkpoint.hpp>
#include <utfilter/codec.hpp>
#include <utfilter/control_escaper.hpp>
#include <utfilter/config.hpp>
#include <utfilter/conversion.hpp>
#include <utfilter/convert.hpp>
#include <utfilter/decoder.hpp>
#include <utfilter/encoding.hpp>
#include <utfilter/error.hpp>
#include <utfilter/escape_controls.hpp>
#include <utfilter/filter.hpp>
#include <utfilter/follow_source.hpp>
#include <utfilter/follow_streambuf.hpp>
#include <utfilter/from_utf8.hpp>
#include <utfilter/fstream.hpp>
#include <utfilter/fwd.hpp>
#include <utfilter/inspect.hpp>
#include <utfilter/inspector.hpp>
#include <utfilter/line_reader.hpp>
#include <utfilter/line_sorter.hpp>
#include <utfilter/lines.hpp>
#include <utfilter/params.hpp>
#include <utfilter/printable.hpp>
#include <utfilter/printable_options.hpp>
#include <utfilter/range_source.hpp>
#include <utfilter/range_streambuf.hpp>
#include <utfilter/rejects.hpp>
#include <utfilter/repair.hpp>
#include <utfilter/scoped_filter.hpp>
#include <utfilter/signature_codec.hpp>
#include <utfilter/bom_codec.hpp>
#include <utfilter/stream.hpp>
#include <utfilter/stream_source.hpp>
#include <utfilter/text.hpp>
#include <utfilter/text_codec.hpp>
#include <utfilter/text_filter.hpp>
#include <utfilter/text_filters.hpp>
#include <utfilter/to_utf8.hpp>
#include <utfilter/transcoder.hpp>
#include <utfilter/utf16_to_utf8.hpp>
#include <utfilter/utf8.hpp>
#include <utfilter/utf8_checker.hpp>
#include <utfilter/utf8_validator.hpp>
#include <utfilter/utf_error.hpp>
#include <utfilter/wide_stream.hpp>

#endif
