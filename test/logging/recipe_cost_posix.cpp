// recipe_cost_posix.cpp: what the recipes for printf, syslog(3), the journal and JSON cost.
#include "recipe_cost.hpp"
#include "support/files.hpp"

#include <sys/wait.h>
#ifdef __linux__
#  include <sched.h>
#endif

#include <log_recipes/journal.hpp>
#include <log_recipes/json_object.hpp>
#include <log_recipes/printf.hpp>
#include <log_recipes/syslog.hpp>

int main() {
  using recipe_cost::row;
  using text = const std::string&;
  std::FILE* const file = std::fopen("/dev/null", "w");
  const auto put = [file](text line) { std::fwrite(line.data(), 1, line.size(), file); };
  row(
      "printf",
      [&](text t) {
        std::fprintf(file, "%s\n", t.c_str());
        std::fflush(file);
      },
      [&](text t) { log_line(file, "%s", t.c_str()); });
  row(
      "JSON by any of them", [&](text t) { put("{\"logger\":\"app\",\"text\":\"" + t + "\"}\n"); },
      [&](text t) {
        put(json_object({{"logger", "app"}, {"text", t}}) + '\n');
      });

  // A socket takes the place of both daemons. It has room for ten datagrams.
  const files::directory root;
  std::filesystem::create_directory(root / "dev");
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  (root / "dev/log").copy(address.sun_path, sizeof address.sun_path - 1);
  const int daemon = ::socket(AF_UNIX, SOCK_DGRAM, 0), client = ::socket(AF_UNIX, SOCK_DGRAM, 0);
  const auto* const to = reinterpret_cast<const sockaddr*>(&address);
  if (::bind(daemon, to, sizeof address) != 0) return 1;
  const auto drain = [daemon](text, bool) {
    char some[1];
    while (::recv(daemon, some, sizeof some, MSG_DONTWAIT) >= 0) {
    }
  };
  const journal log(root / "dev/log");
  row(
      "systemd journal",
      [&](text t) {
        const std::string record = "PRIORITY=" + std::to_string(LOG_INFO) + "\nMESSAGE=" + t + "\nAPP_USER=ann\n";
        ::sendto(client, record.data(), record.size(), MSG_NOSIGNAL, to, sizeof address);
      },
      [&](text t) { log.log(LOG_INFO, t, "ann"); }, drain, 8);

  if (::fork() == 0) {
    bool entered = ::geteuid() == 0 && ::chroot(root.path().c_str()) == 0;
#ifdef __linux__
    entered = entered || (::unshare(CLONE_NEWUSER) == 0 && ::chroot(root.path().c_str()) == 0);
#endif
    if (entered)
      row(
          "syslog(3)", [](text t) { ::syslog(LOG_INFO, "%s", t.c_str()); }, [](text t) { log_to_syslog(LOG_INFO, t); },
          drain, 8);
    else
      std::puts("syslog(3) is left out, because nobody may change the root directory here");
    std::fflush(stdout);
    ::_exit(0);
  }
  ::wait(nullptr);
}
