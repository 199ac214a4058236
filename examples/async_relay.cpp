// async_relay: text from TCP clients, repaired and answered line by line (relay.hpp). One thread for all clients, and
// no streams: the codec converts from one Asio buffer into another. What a read has cut stays in the codec until the
// next one.
//
//   async_read_some -> input_ -> convert -> text_ -> async_write
//
//   async_relay [PORT [ADDRESS]]      0: any free port; 127.0.0.1
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

/// One client. It lives as long as something is under way: reading, or writing, never both, so that a client that does
/// not read its answers is not read either.
class session : public std::enable_shared_from_this<session> {
 public:
  explicit session(tcp::socket s)
      : socket_(std::move(s)), deadline_(socket_.get_executor()), peer_(relay::peer(socket_)) {}

  /// Reads and answers until the connection ends.
  void read() {
    socket_.async_read_some(asio::buffer(input_), [self = shared_from_this()](error_code error, std::size_t size) {
      self->input_begin_ = 0;
      self->input_end_ = size;
      self->at_end_ = error.failed();  // a connection that breaks ends the text, too
      if (error != asio::error::eof) self->failure_ = error;
      self->convert();
    });
  }

 private:
  /// Converts what it can of the input, and answers.
  void convert() {
    const auto done = decoder_.convert(input_.data() + input_begin_, input_end_ - input_begin_,  //
                                       text_.data() + text_size_, text_.size() - text_size_, at_end_);
    input_begin_ += done.consumed;
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

  /// The bytes of text_ that are complete lines. At its end the text's last line is one. A line that is too long is
  /// refused.
  std::size_t complete_lines(bool text_ends) {
    const std::string_view text(text_.data(), text_size_);
    std::size_t begin = 0;
    while (begin != text_size_) {
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
      ++lines_;
    }
    return begin;
  }

  /// The client is told why. At the deadline its connection is closed, whatever it does.
  void refuse(std::string why) {
    refusal_ = std::move(why);
    deadline_.expires_after(time_after_refusal);
    deadline_.async_wait([weak = weak_from_this()](error_code error) {
      const auto self = weak.lock();  // none where the client was faster
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

  /// Until the client ends its side, or the deadline closes the socket.
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
  std::size_t input_begin_ = 0, input_end_ = 0;  // what is not converted yet
  bool at_end_ = false;
  // What is not answered yet. With a line of the greatest length in it there is room to see that it goes on.
  std::array<char, longest_line + 1 + utfilter::decoder::min_output> text_;
  std::size_t text_size_ = 0;
  std::uint64_t lines_ = 0;  // answered
  std::string refusal_;
  error_code failure_;
};

/// Takes clients for ever; where one cannot be taken, after a pause.
void serve(tcp::acceptor& acceptor, asio::steady_timer& pause) {
  acceptor.async_accept([&](error_code error, tcp::socket socket) {
    if (!error) {
      serve(acceptor, pause);
      return std::make_shared<session>(std::move(socket))->read();
    }
    std::clog << "async_relay: accept: " + error.message() + '\n';
    pause.expires_after(recovery_time);
    pause.async_wait([&](error_code) { serve(acceptor, pause); });
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
    } catch (const std::exception& error) {  // out of memory: for one client, which is gone
      std::clog << "async_relay: " + std::string(error.what()) + '\n';
    }
  }
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
