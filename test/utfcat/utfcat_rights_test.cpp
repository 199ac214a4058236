// utfcat_rights_test.cpp: utfcat -o replaces a file, and at no moment has anybody more rights to it than before.
// build: program:utfcat cost:14
#define BOOST_TEST_MODULE utfcat_rights
#include "support/brief.hpp"
#include "support/paths.hpp"
#include "support/tally.hpp"
#include "utfcat/utfcat_runs.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <functional>
#include <iostream>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <grp.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

using namespace utfcat_runs;

namespace {

//--------------------------------------------------------------------------------------------------------------- people

// These ids need no entries in /etc/passwd and /etc/group.
constexpr uid_t root = 0, owner = 42001, colleague = 42002, stranger = 42003,
                guest = 42004;                               // ACLs name the user guest
constexpr gid_t team = 43001, home = 43002, guests = 43003;  // the file's group is team; ACLs name the group guests

struct person {
  uid_t uid;
  std::vector<gid_t> groups;  // the first is the primary one
};

std::ostream& operator<<(std::ostream& to, const person& p) {
  to << "user " << p.uid << " of groups";
  for (const gid_t one : p.groups) to << ' ' << one;
  return to;
}

/// Runs the action with the effective ids of another person.
void as(const person& p, const std::function<void()>& action) {
  const bool became =
      setgroups(p.groups.size(), p.groups.data()) == 0 && setegid(p.groups.front()) == 0 && seteuid(p.uid) == 0;
  if (became) action();
  const bool is_back = seteuid(root) == 0 && setegid(root) == 0 && setgroups(0, nullptr) == 0;
  BOOST_REQUIRE(became);
  BOOST_REQUIRE(is_back);
}

/// For a child process: it takes the ids of that person for good, and runs utfcat. It opens the program before that,
/// because the program may be in a directory that only root can enter.
std::function<void()> becoming(const person& p, arguments command, mode_t mask = 022) {
  return [p, command = std::move(command), mask] {
    const int program = open(paths::program("utfcat").c_str(), O_RDONLY | O_CLOEXEC);
    umask(mask);
    if (setgroups(p.groups.size(), p.groups.data()) != 0 || setresgid(p.groups[0], p.groups[0], p.groups[0]) != 0 ||
        setresuid(p.uid, p.uid, p.uid) != 0)
      _exit(126);
    std::vector<char*> argv{const_cast<char*>("utfcat")};
    for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    fexecve(program, argv.data(), environ);
  };
}

result utfcat_of(const person& p, const arguments& command, const std::string& input, mode_t mask = 022) {
  return run({"/bin/false"}, input, becoming(p, command, mask));
}

/// The person's rights to the file, as three bits of a mode.
unsigned rights_of(const person& p, const std::string& file) {
  unsigned rights = 0;
  as(p, [&] {
    for (const auto& [access, bit] : {std::pair(R_OK, 4u), std::pair(W_OK, 2u), std::pair(X_OK, 1u)})
      if (faccessat(AT_FDCWD, file.c_str(), access, AT_EACCESS) == 0) rights |= bit;
  });
  return rights;
}

/// All people that a file's rights can distinguish: each user, in each set of the groups. The runner has only the
/// groups given.
std::vector<person> everybody(const person& runner) {
  std::vector<person> all{runner};
  for (const uid_t uid : {owner, colleague, stranger, guest}) {
    if (uid == runner.uid) continue;
    for (unsigned set = 0; set < 8; ++set) {
      std::vector<gid_t> groups{44000};  // a group without any rights
      for (unsigned i = 0; i < 3; ++i)
        if ((set >> i & 1) != 0) groups.push_back(std::vector<gid_t>{team, home, guests}[i]);
      all.push_back({uid, groups});
    }
  }
  return all;
}

std::vector<unsigned> rights_of_all(const std::vector<person>& people, const std::string& file) {
  std::vector<unsigned> all;
  for (const person& one : people) all.push_back(rights_of(one, file));
  return all;
}

const std::vector<person> runners = {{root, {root}},
                                     {owner, {team}},
                                     {owner, {home}},  // not of the file's group
                                     {owner, {home, team}},
                                     {colleague, {team}},
                                     {colleague, {home, team}},
                                     {colleague, {home}},  // may write only if others may
                                     {colleague, {home, guests}},
                                     {guest, {home}},
                                     {guest, {team}}};

//------------------------------------------------------------------------------------------------ access control lists

struct acl_entry {
  unsigned tag;  // as in linux/posix_acl.h
  unsigned rights;
  std::uint32_t id;
};
constexpr unsigned acl_owner = 1, acl_user = 2, acl_group = 4, acl_named_group = 8, acl_mask = 16, acl_others = 32;
constexpr std::uint32_t nobody = 0xFFFFFFFF;

std::string acl(const std::vector<acl_entry>& entries) {
  std::string bytes("\2\0\0\0", 4);
  const auto append = [&](std::uint32_t value, int size) {
    for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> 8 * i & 0xFF);
  };
  for (const acl_entry& one : entries) {
    append(one.tag, 2);
    append(one.rights, 2);
    append(one.id, 4);
  }
  return bytes;
}

/// An ACL with the rights of a mode, whose middle digit is the mask, and with rights for the group, the user guest and
/// the group guests.
std::string acl_of_mode(unsigned mode, unsigned of_group, unsigned of_guest, unsigned of_guests) {
  return acl({{acl_owner, mode >> 6 & 7, nobody},
              {acl_user, of_guest, guest},
              {acl_group, of_group, nobody},
              {acl_named_group, of_guests, guests},
              {acl_mask, mode >> 3 & 7, nobody},
              {acl_others, mode & 7, nobody}});
}

std::string attribute(const std::string& file, const char* name) {
  char value[1024];
  const ssize_t size = getxattr(file.c_str(), name, value, sizeof value);
  return size > 0 ? std::string(value, static_cast<std::size_t>(size)) : "";
}

void set_attribute(const std::string& file, const char* name, const std::string& value) {
  BOOST_REQUIRE_MESSAGE(setxattr(file.c_str(), name, value.data(), value.size(), 0) == 0,
                        "the file system of " << fs::current_path()
                                              << " has no ACLs; set TMPDIR to a directory of a file system that has");
}

constexpr char access_acl[] = "system.posix_acl_access", default_acl[] = "system.posix_acl_default";

//---------------------------------------------------------------------------------------------------------------- files

/// A directory in which everybody may do everything.
struct shared_directory : scratch {
  shared_directory() {
    umask(022);
    fs::permissions(".", fs::perms(0777));
  }
};

/// Makes a file of the owner and the team with that mode, and with an ACL unless it is empty.
void make_file(const std::string& name, unsigned mode, const std::string& list) {
  fs::remove(name);
  put(name, "old");
  BOOST_REQUIRE(chown(name.c_str(), owner, team) == 0);
  removexattr(name.c_str(), access_acl);  // the ACL that it may have inherited from the directory
  BOOST_REQUIRE(chmod(name.c_str(), mode) == 0);
  if (!list.empty()) set_attribute(name, access_acl, list);
}

std::string temporary_here() {
  for (const std::string& name : files_here())
    if (name.rfind(".utfcat-", 0) == 0) return name;
  return "";
}

/// CTest looks for this line, and lists the test as skipped.
boost::test_tools::assertion_result is_root(boost::unit_test::test_unit_id) {
  if (geteuid() != root) std::cout << "skipped: only root can take the ids of other people\n";
  return geteuid() == root;
}

/// Each combination of reading and writing for the three classes, and some modes with execution.
std::vector<unsigned> modes() {
  std::vector<unsigned> all;
  for (const unsigned a : {0u, 2u, 4u, 6u})
    for (const unsigned b : {0u, 2u, 4u, 6u})
      for (const unsigned c : {0u, 2u, 4u, 6u}) all.push_back(a << 6 | b << 3 | c);
  for (const unsigned more : {0777u, 0755u, 0570u, 0176u, 0675u, 0767u}) all.push_back(more);
  return all;
}

}  // namespace

BOOST_FIXTURE_TEST_SUITE(utfcat_rights, shared_directory, *boost::unit_test::precondition(is_root))

BOOST_AUTO_TEST_CASE(nobody_has_more_rights_than_before) {
  tally cases;
  std::size_t written = 0, refused = 0;
  const auto check = [&](const person& runner, unsigned mode, const std::string& list) {
    make_file("out", mode, list);
    const std::vector<person> people = everybody(runner);
    const std::vector<unsigned> before = rights_of_all(people, "out");
    const result r = utfcat_of(runner, {"-o", "out"}, "new");
    const std::vector<unsigned> after = rights_of_all(people, "out");
    const bool may = (before[0] & 2) != 0;
    ++(may ? written : refused);
    bool more = false;
    for (std::size_t i = 0; i < people.size(); ++i) {
      if ((after[i] & ~before[i]) == 0) continue;
      more = true;
      BOOST_TEST_MESSAGE(people[i] << " had " << before[i] << " and has " << after[i]);
    }
    const bool as_expected = may ? r.status == 0 && get("out") == "new" : r.status == 2 && get("out") == "old";
    if (cases.failed(!more && as_expected && temporary_here().empty()))
      BOOST_ERROR("mode " << std::oct << mode << std::dec << (list.empty() ? "" : " and ACL") << " of " << runner
                          << ": " << r);
  };
  const std::string inherited = acl_of_mode(0777, 7, 7, 7);
  for (const bool inherits : {false, true}) {
    if (inherits) set_attribute(".", default_acl, inherited);
    std::size_t place = 0;
    for (const person& runner : runners)
      for (const unsigned mode : modes())
        for (const std::string& list :
             {std::string(), acl_of_mode(mode, 6, 7, 4), acl_of_mode(mode, 0, 0, 0), acl_of_mode(mode, 2, 4, 6)})
          if (place++ % ((inherits ? 8 : 2) * brief::nth + 1) == 0) check(runner, mode, list);
  }
  BOOST_TEST(written > 400u / brief::nth);
  BOOST_TEST(refused > 400u / brief::nth);
  cases.summary("files replaced by somebody");
}

BOOST_AUTO_TEST_CASE(if_root_or_an_owner_in_the_group_runs_utfcat_all_rights_stay) {
  for (const person& runner : {runners[0], runners[1], runners[3]})
    for (const unsigned mode : {0600u, 0640u, 0664u, 0755u, 0777u, 04755u, 02775u, 06711u, 0204u})
      for (const std::string& list : {std::string(), acl_of_mode(mode, 4, 6, 5)}) {
        make_file("out", mode, list);
        const std::string before = attribute("out", access_acl);
        BOOST_TEST(before.empty() == list.empty());
        BOOST_TEST(utfcat_of(runner, {"-o", "out"}, "new").status == 0);
        struct stat now {};
        BOOST_REQUIRE(stat("out", &now) == 0);
        BOOST_TEST(get("out") == "new");
        BOOST_TEST(now.st_uid == owner);
        BOOST_TEST(now.st_gid == team);
        BOOST_TEST((now.st_mode & 07777u) == mode);
        BOOST_TEST((attribute("out", access_acl) == before));
      }
}

BOOST_AUTO_TEST_CASE(if_a_member_of_the_group_runs_utfcat_the_group_stays) {
  struct row {
    unsigned mode, kept;
  };
  for (const row& r : {row{0664, 0664}, row{0660, 0660}, row{0666, 0666}, row{0764, 0664}, row{0260, 0620},
                       row{0420, 0200}, row{06775, 0775}}) {
    make_file("out", r.mode, "");
    BOOST_TEST(utfcat_of({colleague, {home, team}}, {"-o", "out"}, "new").status == 0);
    struct stat now {};
    BOOST_REQUIRE(stat("out", &now) == 0);
    BOOST_TEST(now.st_uid == colleague);
    BOOST_TEST(now.st_gid == team);
    BOOST_TEST((now.st_mode & 07777u) == r.kept, std::oct << r.mode << " became " << (now.st_mode & 07777u));
  }
  // The same holds with an ACL.
  const std::string list = acl_of_mode(0664, 6, 6, 4);
  make_file("out", 0664, list);
  BOOST_TEST(utfcat_of({colleague, {home, team}}, {"-o", "out"}, "new").status == 0);
  BOOST_TEST((attribute("out", access_acl) == list));
}

BOOST_AUTO_TEST_CASE(if_the_group_cannot_stay_group_and_others_keep_only_rights_that_both_had) {
  struct row {
    unsigned mode, kept;
  };
  for (const row& r :
       {row{0664, 0644}, row{0660, 0600}, row{0604, 0600}, row{0666, 0666}, row{0777, 0777}, row{02775, 0755}}) {
    make_file("out", r.mode, "");
    BOOST_TEST(utfcat_of({owner, {home}}, {"-o", "out"}, "new").status == 0);
    struct stat now {};
    BOOST_REQUIRE(stat("out", &now) == 0);
    BOOST_TEST(now.st_uid == owner);
    BOOST_TEST(now.st_gid == home);
    BOOST_TEST((now.st_mode & 07777u) == r.kept, std::oct << r.mode << " became " << (now.st_mode & 07777u));
  }
}

BOOST_AUTO_TEST_CASE(at_no_moment_has_anybody_more_rights) {
  tally cases;
  put("in", numbers(20000));
  fs::permissions("in", fs::perms(0444));
  const auto check = [&](const person& runner, unsigned mode, const std::string& list) {
    make_file("out", mode, list);
    std::vector<person> people = everybody(runner);
    people.erase(people.begin());  // the runner, who has the text anyway
    const std::vector<unsigned> before = rights_of_all(people, "out");
    std::size_t moments = 0;
    const int status = run_by_system_calls(
        {"/bin/false"},
        [&](pid_t) {
          for (const std::string& name : {std::string("out"), temporary_here()}) {
            if (name.empty()) continue;
            moments += name != "out";
            const std::vector<unsigned> now = rights_of_all(people, name);
            for (std::size_t i = 0; i < people.size(); ++i)
              if (cases.failed((now[i] & ~before[i]) == 0))
                BOOST_ERROR("mode " << std::oct << mode << std::dec << (list.empty() ? "" : " and ACL") << " of "
                                    << runner << ": " << people[i] << " had " << before[i] << " and has " << now[i]
                                    << " on " << name);
          }
        },
        becoming(runner, {"-o", "out", "in"}));
    BOOST_TEST(status == 0);
    BOOST_TEST(moments > 10u);
    BOOST_TEST((get("out") == numbers(20000)));
  };
  for (const bool inherits : {false, true}) {
    if (inherits) set_attribute(".", default_acl, acl_of_mode(0777, 7, 7, 7));
    for (const person& runner : {runners[0], runners[1], runners[2], runners[5], runners[8]})
      for (const unsigned mode : {0666u, 0062u, 0626u})
        for (const std::string& list : {std::string(), acl_of_mode(mode, 2, 6, 0)})
          if (runner.uid == root || (make_file("out", mode, list), (rights_of(runner, "out") & 2) != 0))
            check(runner, mode, list);
  }
  cases.summary("rights of somebody at a moment");
}

// Tries this with and without a default ACL of the directory, which replaces the umask.
BOOST_AUTO_TEST_CASE(a_new_file_has_the_rights_that_the_shell_would_give_it) {
  const person runner{colleague, {home, team}};
  for (const std::string& list :
       {std::string(), acl_of_mode(0777, 7, 7, 7), acl_of_mode(0750, 5, 6, 4), acl_of_mode(0701, 0, 7, 1),
        acl_of_mode(0000, 7, 7, 7), acl({{acl_owner, 6, nobody}, {acl_group, 4, nobody}, {acl_others, 0, nobody}}),
        acl({{acl_owner, 7, nobody}, {acl_group, 7, nobody}, {acl_others, 7, nobody}})}) {
    if (!list.empty()) set_attribute(".", default_acl, list);
    for (const mode_t mask : {mode_t{0}, mode_t{022}, mode_t{027}, mode_t{077}}) {
      BOOST_TEST(utfcat_of(runner, {"-o", "new"}, "new", mask).status == 0);
      umask(mask);
      as(runner, [] { close(open("reference", O_WRONLY | O_CREAT | O_EXCL, 0666)); });
      umask(022);
      struct stat expected_status {
      }, got_status{};
      BOOST_REQUIRE(stat("reference", &expected_status) == 0);
      BOOST_REQUIRE(stat("new", &got_status) == 0);
      BOOST_TEST(got_status.st_mode == expected_status.st_mode, std::oct << got_status.st_mode << " and not "
                                                                         << expected_status.st_mode
                                                                         << " under a mask of " << mask);
      BOOST_TEST(got_status.st_uid == expected_status.st_uid);
      BOOST_TEST(got_status.st_gid == expected_status.st_gid);
      BOOST_TEST((attribute("new", access_acl) == attribute("reference", access_acl)));
      fs::remove("new");
      fs::remove("reference");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_file_that_may_not_be_replaced_is_named_and_stays) {
  // In a directory such as /tmp nobody replaces the files of others.
  make_file("out", 0666, "");
  fs::permissions(".", fs::perms(01777));
  BOOST_TEST(utfcat_of({colleague, {team}}, {"-o", "out"}, "new") ==
             expected(2, "", "utfcat: out: cannot be replaced: Operation not permitted\n"));
  BOOST_TEST(get("out") == "old");
  BOOST_TEST((files_here() == arguments{"out"}));

  fs::permissions(".", fs::perms(0755));
  BOOST_TEST(utfcat_of({colleague, {team}}, {"-o", "out"}, "new") ==
             expected(2, "", "utfcat: out: cannot create a file in .: Permission denied\n"));
  make_file("out", 0640, "");
  BOOST_TEST(utfcat_of({colleague, {team}}, {"-o", "out"}, "new") ==
             expected(2, "", "utfcat: out: Permission denied\n"));
  BOOST_TEST(get("out") == "old");
}

BOOST_AUTO_TEST_SUITE_END()
