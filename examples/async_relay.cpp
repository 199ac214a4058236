// async_relay: repairs the text of TCP clients and answers it line by line (relay.hpp). One thread serves all clients,
// without streams: the decoder converts from one Asio buffer into another. If a read ends inside a character, the
// decoder keeps the first bytes of the character until the next read.
//
//   async_read_some -> input_ -> convert -> text_ -> async_write
#include "relay.hpp"

#include <utfilter/decoder.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

using namespace relay;
using utfilter::codec_status;

namespace {

/// One client. A session lives as long as an operation is pending: reading or writing, never both. So the server does
/// not read from a client that does not read its answers.
class session : public std::enable_shared_from_this<session> {
 public:
  explicit session(tcp::socket s)
      : socket_(std::move(s)), deadline_(socket_.get_executor()), peer_(relay::peer(socket_)) {}

  /// Reads and answers until the connection ends.
  void read() {
    socket_.async_read_some(asio::buffer(input_), [self = shared_from_this()](error_code error, std::size_t size) {
      self->rest_ = {self->input_.data(), size};
      self->at_end_ = error.failed();  // a connection that breaks ends the text, too
      if (error != asio::error::eof) self->failure_ = error;
      self->convert();
    });
  }

 private:
  /// Converts as much of the input as fits into the text buffer, and answers the complete lines.
  void convert() {
    const auto done =
        decoder_.convert(rest_.data(), rest_.size(), text_.data() + text_size_, text_.size() - text_size_, at_end_);
    rest_.remove_prefix(done.consumed);
    text_size_ += done.produced;
    const std::size_t answered = complete_lines(done.status == codec_status::done);
    if (done.status == codec_status::malformed && refusal_.empty())
      refuse(too_many_errors(*decoder_.report().last_error));
    const std::array<asio::const_buffer, 2> answer{asio::buffer(text_.data(), answered), asio::buffer(refusal_)};
    asio::async_write(socket_, answer,
                      [self = shared_from_this(), answered, status = done.status](error_code error, std::size_t) {
                        if (error && !self->failure_) self->failure_ = error;
                        if (error || !self->refusal_.empty() || status == codec_status::done) return self->finish();
                        self->text_size_ -= answered;
                        std::memmove(self->text_.data(), self->text_.data() + answered, self->text_size_);
                        status == codec_status::need_output ? self->convert() : self->read();
                      });
  }

  /// Returns the size in bytes of the complete lines at the beginning of text_. If the text ends, its last line is
  /// complete, too. A line that is too long is refused.
  std::size_t complete_lines(bool text_ends) {
    const std::string_view text(text_.data(), text_size_);
    std::size_t begin = 0;
    for (; begin != text_size_; ++lines_) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      if (end - begin > longest_line) {
        refuse(too_long(lines_ + 1));
        break;
      }
      if (end == text.size()) {
        if (!text_ends) break;
        text_[text_size_++] = '\n';
      }
      begin = end + 1;
    }
    return begin;
  }

  /// Refuses the client: sends it the reason, and closes its connection at the deadline.
  void refuse(std::string why) {
    refusal_ = std::move(why);
    deadline_.expires_after(time_after_refusal);
    deadline_.async_wait([weak = weak_from_this()](error_code error) {
      const auto self = weak.lock();  // null if the session has ended before the deadline
      if (!self) return;
      self->failure_ = asio::error::timed_out;
      self->socket_.close(error);
    });
  }

  void finish() {
    log(peer_, decoder_.report(), refusal_, failure_);
    error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
    if (!refusal_.empty()) discard(discarded_after_refusal);
  }

  /// Reads and discards at most about `most` bytes, until the client ends its side or the deadline closes the socket.
  void discard(std::size_t most) {
    socket_.async_read_some(asio::buffer(input_),
                            [self = shared_from_this(), most](error_code error, std::size_t size) {
                              if (!error && size < most) self->discard(most - size);
                            });
  }

  tcp::socket socket_;
  asio::steady_timer deadline_;
  std::string peer_;
  utfilter::decoder decoder_{repairing()};
  std::array<char, 4096> input_;
  std::string_view rest_;  // the part of input_ that is not converted yet
  bool at_end_ = false;
  // The text that is not answered yet. One more character than the longest line shows that a line is too long.
  std::array<char, longest_line + 1 + utfilter::decoder::min_output> text_;
  std::size_t text_size_ = 0;
  std::uint64_t lines_ = 0;  // lines answered so far
  std::string refusal_;
  error_code failure_;
};

/// Accepts clients for ever. If a client cannot be accepted, tries again after a pause.
void serve(tcp::acceptor& acceptor, asio::steady_timer& pause) {
  acceptor.async_accept([&](error_code error, tcp::socket socket) {
    pause.expires_after((error ? 1 : 0) * recovery_time);
    pause.async_wait([&](error_code) { serve(acceptor, pause); });
    if (!error) return std::make_shared<session>(std::move(socket))->read();
    std::clog << "async_relay: accept: " + error.message() + '\n';
  });
}

}  // namespace

int main(int argc, char** argv) try {
  asio::io_context context(1);
  tcp::acceptor acceptor = relay::listen(context, argc, argv);
  asio::steady_timer pause(context);
  serve(acceptor, pause);
  while (true) {
    try {
      context.run();
    } catch (const std::exception& error) {  // such as no memory for a client: only its session has ended
      std::clog << "async_relay: " + std::string(error.what()) + '\n';
    }
  }
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
