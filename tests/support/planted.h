// Files and links that an attacker may create under a name that a program will use.
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

/// A thing, and how it is made under a name: false if this user cannot make it.
struct Planted {
  std::string name;
  std::function<bool(const std::string& path)> make;
};

inline std::ostream& operator<<(std::ostream& out, const Planted& planted) { return out << planted.name; }

/// Path of "precious" in the folder of `path`: the target of planted links, a file that the test creates.
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

inline std::vector<Planted> AllPlanted() {
  return {
      {"ALink", [](const std::string& path) { return ::symlink("precious", path.c_str()) == 0; }},
      {"ALinkToNothing", [](const std::string& path) { return ::symlink("absent", path.c_str()) == 0; }},
      {"ALinkToItself",
       [](const std::string& path) {
         return ::symlink(std::filesystem::path(path).filename().c_str(), path.c_str()) == 0;
       }},
      {"ALinkToAFolder", [](const std::string& path) { return ::symlink(".", path.c_str()) == 0; }},
      {"ALinkToADevice", [](const std::string& path) { return ::symlink("/dev/null", path.c_str()) == 0; }},
      {"AHardLink",
       [](const std::string& path) { return ::link(PreciousBeside(path).c_str(), path.c_str()) == 0; }},
      {"APipe", [](const std::string& path) { return ::mkfifo(path.c_str(), 0600) == 0; }},
      {"ASocket", MakeSocket},
      {"AFolder", [](const std::string& path) { return ::mkdir(path.c_str(), 0700) == 0; }},
      {"ADevice",
       [](const std::string& path) { return ::mknod(path.c_str(), S_IFCHR | 0600, makedev(1, 3)) == 0; }},
      {"AFile", [](const std::string& path) { return bool(std::ofstream(path) << "planted"); }},
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
