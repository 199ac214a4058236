// utfcat_interrupted_test.cpp: a signal interrupts each call to the system that utfcat makes to open, lock and write
// files. utfcat makes the call again.
// build: needs:utfcat_parts unsanitized
#define BOOST_TEST_MODULE utfcat_interrupted
#include "support/files.hpp"
#include "utfcat/system.hpp"

#include <boost/test/unit_test.hpp>

#include <cerrno>
#include <set>
#include <string>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

bool interrupts = false;
std::set<std::string> interrupted;  // the calls that have failed with EINTR

/// Whether the call fails with EINTR. Every second one does.
bool is_interrupted(const char* call) {
  static bool odd = false;
  odd = interrupts && !odd;
  if (!odd) return false;
  interrupted.insert(call);
  errno = EINTR;
  return true;
}

}  // namespace

// The program's own functions, which utfcat's code calls instead of those of the C library.
#define UTFCAT_TEST_CALL(name, parameters, ...) \
  extern "C" int name parameters { \
    using function = int parameters; \
    return is_interrupted(#name) ? -1 : reinterpret_cast<function*>(dlsym(RTLD_NEXT, #name))(__VA_ARGS__); \
  }
#ifdef __GLIBC__  // its names for files of any size
UTFCAT_TEST_CALL(mkostemp64, (char* name, int flags), name, flags)
UTFCAT_TEST_CALL(ftruncate64, (int fd, off64_t size), fd, size)
#else
UTFCAT_TEST_CALL(mkostemp, (char* name, int flags), name, flags)
UTFCAT_TEST_CALL(ftruncate, (int fd, off_t size), fd, size)
#endif
UTFCAT_TEST_CALL(fsync, (int fd), fd)
UTFCAT_TEST_CALL(flock, (int fd, int how), fd, how)
UTFCAT_TEST_CALL(fchmod, (int fd, mode_t mode), fd, mode)
UTFCAT_TEST_CALL(fchown, (int fd, uid_t owner, gid_t group), fd, owner, group)
#ifdef __GLIBC__
extern "C" int open64(const char* path, int flags, ...) {
#else
extern "C" int open(const char* path, int flags, ...) {
#endif
  return is_interrupted("open") ? -1 : ::openat(AT_FDCWD, path, flags, 0666);
}

namespace {

using namespace utfcat;

/// Signals interrupt all calls as long as this object exists.
struct interruptions {
  interruptions() {
    interrupts = true;
    interrupted.clear();
  }
  ~interruptions() { interrupts = false; }
};

#define CHECK_INTERRUPTED(...) \
  BOOST_TEST(interrupted == (std::set<std::string>{__VA_ARGS__}), boost::test_tools::per_element())

/// The name of a call in `interrupted`.
std::string of_any_size(const std::string& call) {
#ifdef __GLIBC__
  return call + "64";
#else
  return call;
#endif
}

BOOST_AUTO_TEST_CASE(files_are_opened) {
  const files::temporary_file file("text");
  const interruptions all;
  const std::string name = file.path().string();
  BOOST_TEST(open_to_read(name).get() >= 0);
  BOOST_TEST(open_regular(name).get() >= 0);
  CHECK_INTERRUPTED("open");
}

BOOST_AUTO_TEST_CASE(an_output_replaces_a_file) {
  const files::temporary_file file("old");
  {
    const interruptions all;
    destination to(file.path().string());
    BOOST_TEST(write_fully(to.fd(), "new", 3));
    to.commit();
  }
  BOOST_TEST(file.content() == "new");
  CHECK_INTERRUPTED("open", of_any_size("mkostemp"), "fsync", "fchmod", "fchown");
}

BOOST_AUTO_TEST_CASE(an_output_is_cut_and_appended) {
  const files::temporary_file file("old text");
  {
    const interruptions all;
    destination to(file.path().string(), destination::way::append);
    BOOST_TEST(to.lock());
    to.cut(4);
    BOOST_TEST(write_fully(to.fd(), "new", 3));
    to.sync();
    to.commit();
  }
  BOOST_TEST(file.content() == "old new");
  CHECK_INTERRUPTED("open", "flock", of_any_size("ftruncate"), "fsync");
}

BOOST_AUTO_TEST_CASE(a_file_is_kept) {
  const files::temporary_file file("first");
  {
    const interruptions all;
    kept_file kept(file.path().string());
    BOOST_TEST(kept.content().value() == "first");
    BOOST_TEST(kept.lock_error() == 0);
    BOOST_TEST(kept.replace("second"));
    BOOST_TEST(kept_file(file.path().string()).is_taken());
  }
  BOOST_TEST(file.content() == "second");
  CHECK_INTERRUPTED("open", "flock", of_any_size("mkostemp"), "fsync", "fchmod", "fchown");
}

}  // namespace
