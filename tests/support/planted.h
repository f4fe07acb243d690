// What an attacker may plant under a name that a program will use.
#ifndef SUPREMUM_TESTS_SUPPORT_PLANTED_H_
#define SUPREMUM_TESTS_SUPPORT_PLANTED_H_

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

namespace supremum::test {

/// A thing, how it is made under a name, and what the error text says it is. False where this user cannot
/// make it.
struct Planted {
  std::string name;
  std::string says;
  std::function<bool(const std::string& path)> make;
  bool is_plain_file = false;  // a regular file of this user with one name, so that only its mode is wrong
};

inline std::ostream& operator<<(std::ostream& out, const Planted& planted) { return out << planted.name; }

/// Beside what is planted there is a file "precious", with that content.
inline std::string PreciousBeside(const std::string& path) {
  return (std::filesystem::path(path).parent_path() / "precious").string();
}

inline bool MakeSocket(const std::string& path) {
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path)) return false;
  path.copy(address.sun_path, path.size());
  const bool done = ::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(descriptor);
  return done;
}

inline bool MakeFile(const std::string& path, mode_t mode) {
  std::ofstream(path) << "planted";
  return ::chmod(path.c_str(), mode) == 0;
}

inline std::vector<Planted> AllPlanted() {
  return {
      {"ALink", "a symbolic link",
       [](const std::string& path) { return ::symlink("precious", path.c_str()) == 0; }},
      {"ALinkToNothing", "a symbolic link",
       [](const std::string& path) { return ::symlink("absent", path.c_str()) == 0; }},
      {"ALinkToItself", "a symbolic link",
       [](const std::string& path) {
         return ::symlink(std::filesystem::path(path).filename().c_str(), path.c_str()) == 0;
       }},
      {"ALinkToAFolder", "a symbolic link",
       [](const std::string& path) { return ::symlink(".", path.c_str()) == 0; }},
      {"ALinkToADevice", "a symbolic link",
       [](const std::string& path) { return ::symlink("/dev/null", path.c_str()) == 0; }},
      {"AHardLink", "2 names (hard links)",
       [](const std::string& path) { return ::link(PreciousBeside(path).c_str(), path.c_str()) == 0; }},
      {"APipe", "a pipe", [](const std::string& path) { return ::mkfifo(path.c_str(), 0600) == 0; }},
      {"ASocket", "a socket", MakeSocket},
      {"AFolder", "a folder", [](const std::string& path) { return ::mkdir(path.c_str(), 0700) == 0; }},
      {"ADevice", "a device",
       [](const std::string& path) { return ::mknod(path.c_str(), S_IFCHR | 0600, makedev(1, 3)) == 0; }},
      {"AFileThatItsGroupMayWriteTo", "users other than its owner may write to it (mode 0660)",
       [](const std::string& path) { return MakeFile(path, 0660); }, true},
      {"AFileThatAllMayWriteTo", "users other than its owner may write to it (mode 0606)",
       [](const std::string& path) { return MakeFile(path, 0606); }, true},
  };
}

/// All that tells whether a file, link or pipe was touched.
inline std::string StateOf(const std::string& path) {
  struct stat status = {};
  if (::lstat(path.c_str(), &status) != 0) return "absent";
  std::string text;
  for (const auto number :
       {static_cast<long long>(status.st_ino), static_cast<long long>(status.st_mode),
        static_cast<long long>(status.st_uid), static_cast<long long>(status.st_nlink),
        static_cast<long long>(status.st_size), static_cast<long long>(status.st_mtim.tv_sec),
        static_cast<long long>(status.st_mtim.tv_nsec)}) {
    text += std::to_string(number) + " ";
  }
  if (!S_ISREG(status.st_mode)) return text;
  std::ifstream file(path, std::ios::binary);
  return text + std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace supremum::test

#endif  // SUPREMUM_TESTS_SUPPORT_PLANTED_H_
