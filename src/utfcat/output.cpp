// output.cpp: writes the text of utfcat.
#include "output.hpp"

#include "charsets.hpp"
#include "messages.hpp"
#include "reading.hpp"

#include <utfilter/from_utf8.hpp>
#include <utfilter/text_filter.hpp>
#include <utfilter/utf8.hpp>
#include <utfilter/utf_error.hpp>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

namespace utfcat {
namespace {

constexpr std::size_t buffer_size = 65536;

/// The change that refuses characters above U+FFFF.
struct bmp_alone {
  utfilter::codec_progress operator()(utfilter::text_piece in, char* out, std::size_t room,
                                      utfilter::text_facts&) const noexcept {
    // With these bytes begin the characters of four bytes.
    const auto is_above = [](char c) { return static_cast<unsigned char>(c) >= 0xF0; };
    const auto found = std::find_if(in.text.begin(), in.text.end(), is_above);
    const std::size_t before = static_cast<std::size_t>(found - in.text.begin());
    const std::size_t n = std::min(before, in.fitting(room));
    std::copy_n(in.text.data(), n, out);
    utfilter::codec_progress done = in.progress(n, n);
    if (n == before && found != in.text.end()) done.status = utfilter::codec_status::malformed;
    return done;
  }
};

/// The error of bmp_alone, as an encoder tells it.
utfilter::error_info lacking(utfilter::error_info refused) {
  if (refused.code == utfilter::errc::forbidden) refused.code = utfilter::errc::unmappable;
  return refused;
}

/// For UTF-8 and UTF-16 that lack the characters above U+FFFF: another encoder gets the text without them.
class bmp_encoder final : public text_encoder {
 public:
  bmp_encoder(utfilter::params p, std::unique_ptr<text_encoder> next)
      : filter_(params_of(std::move(p))), next_(std::move(next)) {}

  void write(fd_sink& to, std::string_view text) override {
    pass(to, [&](string_sink& s) { filter_.write(s, text.data(), static_cast<std::streamsize>(text.size())); });
  }
  void close(fd_sink& to) override {
    pass(to, [&](string_sink& s) { filter_.close(s, std::ios_base::out); });
    if (next_) next_->close(to);
  }
  utfilter::stream_report report() const override { return filter_.report(); }

 private:
  static utfilter::params params_of(utfilter::params p) {
    p.bom = utfilter::bom::automatic;
    if (p.observer)
      p.observer = [tell = std::move(p.observer)](const utfilter::error_info& error) { tell(lacking(error)); };
    return p;
  }

  /// Lets the filter write, and passes on what it has written, also before an error.
  template <class Write>
  void pass(fd_sink& to, Write write) {
    std::string text;
    string_sink sink(text);
    std::exception_ptr failure;
    try {
      write(sink);
    } catch (const utfilter::utf_error& error) {
      failure = std::make_exception_ptr(utfilter::utf_error(lacking(error.info())));
    }
    if (next_)
      next_->write(to, text);
    else
      to.write(text.data(), static_cast<std::streamsize>(text.size()));
    if (failure) std::rethrow_exception(failure);
  }

  utfilter::text_filter<bmp_alone> filter_;
  std::unique_ptr<text_encoder> next_;  // null if the output is UTF-8
};

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
    write_now(s, size);
  } else {
    buffer_.insert(buffer_.end(), s, s + size);
  }
  written_ += size;
  return n;
}

bool fd_sink::flush() {
  if (to_ != nullptr) write_now(buffer_.data(), buffer_.size());
  buffer_.clear();
  return true;
}

void fd_sink::write_now(const char* s, std::size_t size) const {
  if (!write_fully(to_->fd(), s, size)) cannot_write(to_->name());
  if (size != 0) to_->wrote(s[size - 1]);
}

//--------------------------------------------------------------------------------------------------------------- output

output::output(const options& o, const destination* to, std::function<void(const utfilter::error_info&)> observer)
    : options_(o), observer_(std::move(observer)), sink_(to) {
  begin();
}

void output::begin() {
  const bool is_utf8 = !options_.to_charset && options_.to == utfilter::encoding::utf8;
  begin(options_.bom, is_utf8 && options_.bom == utfilter::bom::add);
}

void output::begin_same(bool has_bom) { begin(utfilter::bom::keep, has_bom); }

/// With `owes_bom`, write_bom() writes the byte order mark, and not the encoder.
void output::begin(utfilter::bom b, bool owes_bom) {
  begun_ = options_.resumes || !options_.begins_file();
  due_ = !begun_ && owes_bom ? utfilter::detail::utf8_bom : std::string_view();
  if (encoder_) past_errors_ += encoder_->report().errors;
  encoder_ = encoder_for(begun_ ? utfilter::bom::keep : b);
  taken_ = encoder_ ? due_.size() : 0;
}

utfilter::params output::encoder_params(utfilter::bom b) const {
  using utfilter::bom;
  utfilter::params p;
  p.bom = b == bom::require || b == bom::reject ? bom::automatic : b;  // require and reject are for the input
  p.on_error = policy_of(options_);
  p.observer = observer_;
  return p;
}

/// The encoder writes the byte order mark of the output, at most one. For UTF-8, which has none, and for --to same
/// write_bom() writes it. The text contains an input's own byte order mark only under bom::keep (then the encoder keeps the byte
/// order mark) and under bom::automatic (then the encoder decides).
std::unique_ptr<text_encoder> output::encoder_for(utfilter::bom b) const {
  if (options_.to_charset) return options_.to_charset->encoder(encoder_params(b));
  std::unique_ptr<text_encoder> encoder;
  if (options_.to != utfilter::encoding::utf8)
    encoder =
        std::make_unique<filter_encoder<utfilter::from_utf8>>(utfilter::from_utf8(options_.to, encoder_params(b)));
  if (options_.to_bmp) encoder = std::make_unique<bmp_encoder>(encoder_params(b), std::move(encoder));
  return encoder;
}

std::optional<output_coding> output::coding() const {
  // A piece in an encoding with states would begin and end in the first one.
  if (!encoder_ || options_.to_bmp || utfilter::detail::has_states(options_.to)) return std::nullopt;
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
