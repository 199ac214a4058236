// datagrams.hpp: sockets that take the place of a system's daemons.
#ifndef UTFILTER_TEST_DATAGRAMS_HPP
#define UTFILTER_TEST_DATAGRAMS_HPP

#include "support/files.hpp"
#include "support/process.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <unistd.h>

#ifdef __linux__
#  include <sched.h>
#endif

#include <cstddef>
#include <filesystem>
#include <string>

namespace datagrams {

/// The next datagram of a socket, which was sent before; empty if there is none.
inline std::string next(int socket) {
  std::string all(1 << 20, '\0');
  const ssize_t size = ::recv(socket, all.data(), all.size(), MSG_DONTWAIT);
  all.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
  return all;
}

/// A socket at a path.
class mailbox {
 public:
  explicit mailbox(const std::string& path) : socket_(::socket(AF_UNIX, SOCK_DGRAM, 0)) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    BOOST_REQUIRE(path.copy(address.sun_path, sizeof address.sun_path - 1) == path.size());
    BOOST_REQUIRE(::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  }
  ~mailbox() { ::close(socket_); }
  mailbox(const mailbox&) = delete;
  mailbox& operator=(const mailbox&) = delete;

  std::string next() const { return datagrams::next(socket_); }

 private:
  int socket_;
};

/// Takes the place of the daemon to which syslog(3) sends, for child processes that have another root directory.
class syslog_daemon {
 public:
  /// Runs the action in a child. Returns false if the action failed, or if nobody may change the root directory here.
  template <class Action>
  bool serve(Action action) const {
    const auto end = processes::in_child([&] {
      if (!enter(root_.path().string())) _exit(1);
      action();
    });
    return end.status == 0;
  }
  std::string next() const { return socket_.next(); }

 private:
  static bool enter(const std::string& directory) {
    bool entered = ::geteuid() == 0 && ::chroot(directory.c_str()) == 0;
#ifdef __linux__
    entered = entered || (::unshare(CLONE_NEWUSER) == 0 && ::chroot(directory.c_str()) == 0);
#endif
    return entered && ::chdir("/") == 0;
  }

  const files::directory root_;
  const bool made_ = std::filesystem::create_directory(root_ / "dev");
  const mailbox socket_{root_ / "dev/log"};
};

}  // namespace datagrams

#endif
