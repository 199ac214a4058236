// side_by_side.cpp: hands small files to a team of threads, and waits for each in its turn.
#include "side_by_side.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace utfcat {
namespace {

constexpr std::uint64_t largest_file = std::uint64_t{1} << 20;  // bytes of a file that one thread reads well alone
constexpr std::size_t most_ahead = 256;                         // files
constexpr std::size_t most_words = std::size_t{1} << 16;        // bytes to be told about one file

/// There is more to tell than is kept. The calling thread reads the file again, and tells it at once.
struct too_many_words {};

/// Keeps what is to be told about a file.
class kept_words final : public reporter {
 public:
  void say(const std::string& message) override {
    keep(message.size(), [=](reporter& to) { to.say(message); });
  }
  void print(const std::string& lines) override {
    keep(lines.size(), [=](reporter& to) { to.print(lines); });
  }
  void report(const std::string& lines) override {
    keep(lines.size(), [=](reporter& to) { to.report(lines); });
  }
  void report(const place_report& place) override {
    keep(sizeof place + place.message.size(), [=](reporter& to) { to.report(place); });
  }
  void report(const identity_report& identity) override {
    keep(sizeof identity, [=](reporter& to) { to.report(identity); });
  }
  void flush() override {
    keep(0, [](reporter& to) { to.flush(); });
  }
  void show_progress(std::uint64_t) override {}
  void end_file(std::uint64_t bytes) override {
    keep(0, [=](reporter& to) { to.end_file(bytes); });
  }

  void tell(reporter& to) const {
    for (const auto& words : words_) words(to);
  }

 private:
  void keep(std::size_t size, std::function<void(reporter&)> words) {
    constexpr std::size_t more = 64;  // bytes that each takes beside its text
    size_ += size + more;
    if (size_ > most_words) throw too_many_words();
    words_.push_back(std::move(words));
  }

  std::vector<std::function<void(reporter&)>> words_;
  std::size_t size_ = 0;
};

/// A small file that a thread may read ahead.
struct file_ahead {
  enum class state { waits, is_read, done };

  std::string name;
  state now = state::waits;  // guarded by the mutex of all
  kept_words words;
  std::optional<results> found;  // empty if the file must be read again
  std::exception_ptr failure;
};

class reading_ahead {
 public:
  reading_ahead(thread_team& team, const file_reader& read) : team_(team), read_(read) {}
  ~reading_ahead() {
    std::unique_lock lock(state_);
    stopped_ = true;
    changed_.wait(lock, [&] { return running_ == 0; });
  }

  std::shared_ptr<file_ahead> post(const std::string& name) {
    auto file = std::make_shared<file_ahead>();
    file->name = name;
    const std::lock_guard lock(state_);
    team_.post([this, file] { read_ahead(*file); });
    ++running_;
    return file;
  }

  /// Waits until another thread has read the file. If none has begun, none will, and nothing is found.
  void finish(file_ahead& file) {
    std::unique_lock lock(state_);
    if (file.now == file_ahead::state::waits) file.now = file_ahead::state::done;
    awaited_ = &file;
    changed_.wait(lock, [&] { return file.now == file_ahead::state::done; });
  }

 private:
  void read_ahead(file_ahead& file) noexcept {
    std::unique_lock lock(state_);
    if (!stopped_ && file.now == file_ahead::state::waits) {
      file.now = file_ahead::state::is_read;
      lock.unlock();
      try {
        file.found = read_(file.name, file.words, nullptr);
      } catch (const too_many_words&) {
      } catch (...) {
        file.failure = std::current_exception();
      }
      lock.lock();
      file.now = file_ahead::state::done;
    }
    --running_;
    if (stopped_ || awaited_ == &file) changed_.notify_one();  // the one thread that may wait
  }

  thread_team& team_;
  const file_reader& read_;
  std::mutex state_;
  std::condition_variable changed_;
  const file_ahead* awaited_ = nullptr;
  std::size_t running_ = 0;  // calls of read_ahead that are posted and have not returned
  bool stopped_ = false;
};

bool is_small(const std::string& name) {
  if (name == "-") return false;
  const std::optional<file_size> size = size_of(name);
  return size && size->regular && size->bytes <= largest_file;
}

}  // namespace

results read_side_by_side(const std::vector<std::string>& files, thread_team& team, reporter& to,
                          const file_reader& read) {
  results all;
  const bool has_threads = team.start() != 0;
  reading_ahead threads(team, read);
  std::vector<std::shared_ptr<file_ahead>> ahead(files.size());  // null for a file that is not read ahead
  std::size_t posted = 0;
  for (std::size_t i = 0; i != files.size(); ++i) {
    for (; has_threads && posted != std::min(files.size(), i + most_ahead); ++posted)
      if (is_small(files[posted])) ahead[posted] = threads.post(files[posted]);
    const std::shared_ptr<file_ahead> file = std::move(ahead[i]);
    if (file != nullptr) threads.finish(*file);
    if (file != nullptr && (file->found || file->failure)) {
      file->words.tell(to);
      if (file->failure) std::rethrow_exception(file->failure);
      all.add(*file->found);
    } else {
      all.add(read(files[i], to, &team));
    }
  }
  return all;
}

}  // namespace utfcat
