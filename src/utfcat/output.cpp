// output.cpp: writes the text of utfcat.
#include "output.hpp"

#include "charsets.hpp"
#include "messages.hpp"
#include "reading.hpp"

#include <utfilter/from_utf8.hpp>
#include <utfilter/utf8.hpp>
#include <utfilter/utf_error.hpp>

#include <utility>

namespace utfcat {
namespace {

constexpr std::size_t buffer_size = 65536;

}  // namespace

//-------------------------------------------------------------------------------------------------------------- fd_sink

std::streamsize fd_sink::write(const char* s, std::streamsize n) {
  const auto size = static_cast<std::size_t>(n);
  if (compared_ != nullptr) compared_->take({s, size});
  if (check_ != nullptr) check_->write({s, size});
  if (to_ == nullptr) return n;
  if (buffer_.size() + size > buffer_size) flush();
  if (size >= buffer_size / 2) {
    flush();
    if (!write_fully(to_->fd(), s, size)) cannot_write(to_->name());
  } else {
    buffer_.insert(buffer_.end(), s, s + size);
  }
  written_ += size;
  return n;
}

bool fd_sink::flush() {
  if (to_ != nullptr && !write_fully(to_->fd(), buffer_.data(), buffer_.size())) cannot_write(to_->name());
  buffer_.clear();
  return true;
}

//--------------------------------------------------------------------------------------------------------------- output

output::output(const options& o, const destination* to, std::function<void(const utfilter::error_info&)> observer)
    : options_(o), observer_(std::move(observer)), sink_(to) {
  begin();
}

void output::begin() {
  begin(options_.bom);
  const bool is_utf8 = !encoder_ && options_.to == utfilter::encoding::utf8;
  if (!begun_ && is_utf8 && options_.bom == utfilter::bom::add) due_ = utfilter::detail::utf8_bom;
}

void output::begin_same(bool has_bom) {
  begin(utfilter::bom::keep);
  if (!begun_ && has_bom) due_ = utfilter::detail::utf8_bom;
  if (encoder_) taken_ = due_.size();
}

void output::begin(utfilter::bom b) {
  begun_ = !options_.begins_file();
  taken_ = 0;
  due_ = {};
  if (encoder_) past_errors_ += encoder_->report().errors;
  encoder_ = encoder_for(begun_ ? utfilter::bom::keep : b);
}

utfilter::params output::encoder_params(utfilter::bom b) const {
  using utfilter::bom;
  utfilter::params p;
  p.bom = b == bom::require || b == bom::reject ? bom::automatic : b;  // require and reject are for the input
  p.on_error = policy_of(options_);
  p.observer = observer_;
  return p;
}

/// The encoder writes the byte order mark of the output, at most one. For UTF-8, which has no encoder, and for --to same
/// write_bom() writes it. The text contains an input's own byte order mark only under bom::keep (then the encoder keeps the byte
/// order mark) and under bom::automatic (then the encoder decides).
std::unique_ptr<text_encoder> output::encoder_for(utfilter::bom b) const {
  if (options_.to_charset) return options_.to_charset->encoder(encoder_params(b));
  if (options_.to == utfilter::encoding::utf8) return nullptr;
  return std::make_unique<filter_encoder<utfilter::from_utf8>>(utfilter::from_utf8(options_.to, encoder_params(b)));
}

std::optional<output_coding> output::coding() const {
  // A piece in an encoding with states would begin and end in the first one.
  if (!encoder_ || utfilter::detail::has_states(options_.to)) return std::nullopt;
  return output_coding{options_.to, encoder_params(utfilter::bom::keep)};
}

void output::write(std::string_view text, const encoded_text* encoded) {
  // The beginning of the output decides about the byte order mark.
  if (encoded != nullptr && begun_) return write_encoded(*encoded);
  write_bom();
  if (encoder_)
    encoder_->write(sink_, text);
  else
    sink_.write(text.data(), static_cast<std::streamsize>(text.size()));
  begun_ = true;
  taken_ += text.size();
  sink_.flush();
}

void output::write_encoded(const encoded_text& text) {
  for (utfilter::error_info error : *text.lacking) {
    error.offset += taken_;
    observer_(error);
  }
  past_errors_ += text.errors;
  sink_.write(text.bytes.data(), static_cast<std::streamsize>(text.bytes.size()));
  sink_.flush();
  if (text.failure) std::rethrow_exception(text.failure);
}

void output::recover() {
  write_bom();
  if (!encoder_) return;
  past_errors_ += encoder_->report().errors;
  try {
    encoder_->close(sink_);
  } catch (const utfilter::utf_error&) {  // the filter has failed, so closing it reports the same error again
  }
  sink_.flush();
  encoder_ = encoder_for(utfilter::bom::keep);  // the text has begun
  begun_ = true;
  taken_ = 0;
}

void output::finish() {
  write_bom();
  if (encoder_) encoder_->close(sink_);
  sink_.flush();
}

void output::write_bom() {
  if (due_.empty()) return;
  if (encoder_)
    encoder_->write(sink_, due_);
  else
    sink_.write(due_.data(), static_cast<std::streamsize>(due_.size()));
  due_ = {};
}

}  // namespace utfcat
