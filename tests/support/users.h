// A second user, for tests of folders that several users share.
#ifndef SUPREMUM_TESTS_SUPPORT_USERS_H_
#define SUPREMUM_TESTS_SUPPORT_USERS_H_

#include <sys/types.h>
#include <unistd.h>

#include <stdexcept>

namespace supremum::test {

/// Users that no system gives a person; files of theirs need no account.
inline constexpr uid_t kUser = 61'234;
inline constexpr uid_t kOtherUser = 61'235;

/// Only root can act as somebody else. Tests skip themselves otherwise.
inline bool CanActAsOthers() { return ::geteuid() == 0; }
inline constexpr const char* kNeedsRoot = "only root can act as two users: run this test as root";

/// While it lives, this program acts as `user`, with that user's rights alone. Requires: CanActAsOthers().
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

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_USERS_H_
