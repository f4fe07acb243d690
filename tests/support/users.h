// A second user, for tests of folders that several users share.
#ifndef SUPREMUM_TESTS_SUPPORT_USERS_H_
#define SUPREMUM_TESTS_SUPPORT_USERS_H_

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <stdexcept>
#include <string>

namespace supremum::test {

/// Users that no system gives a person; files of theirs need no account.
inline constexpr uid_t kUser = 61'234;
inline constexpr uid_t kOtherUser = 61'235;

/// While it lives, this program acts as `user`, with that user's rights alone. Requires: it is root's.
class AsUser {
 public:
  explicit AsUser(uid_t user) {
    if (::setegid(user) != 0 || ::seteuid(user) != 0) throw std::runtime_error("cannot act as another user");
  }
  AsUser(const AsUser&) = delete;
  AsUser& operator=(const AsUser&) = delete;
  ~AsUser() {
    if (::seteuid(0) != 0 || ::setegid(0) != 0) ::_exit(99);
  }
};

/// Makes `folder` one in which everybody makes files. Returns why two users cannot be tested in it, which is
/// why the test is skipped; "" if they can.
inline std::string ShareFolder(const std::string& folder) {
  if (::geteuid() != 0) return "only root can act as two users: run this test as root";
  if (::chmod(folder.c_str(), 01777) != 0) return "the permissions of " + folder + " cannot be changed";
  const AsUser other(kOtherUser);
  if (::faccessat(AT_FDCWD, folder.c_str(), R_OK | W_OK | X_OK, AT_EACCESS) == 0) return "";
  return "other users cannot enter " + folder + ": let TMPDIR name a folder that they can";
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_USERS_H_
