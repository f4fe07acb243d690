#include "support/process.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>

namespace supremum::test {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

File TemporaryFile() {
  File file(std::tmpfile());
  if (!file || ::fcntl(::fileno(file.get()), F_SETFD, FD_CLOEXEC) != 0)
    throw std::runtime_error("no temporary file");
  return file;
}

std::string Drain(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer;
  for (;;) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    // A terminal whose other side is closed reports an error instead of the end.
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

int OpenTerminal() {
  const int master = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0)
    throw std::runtime_error("no terminal");
  winsize size = {};
  size.ws_row = 25;
  size.ws_col = 80;
  if (::ioctl(master, TIOCSWINSZ, &size) != 0) throw std::runtime_error("a terminal without a size");
  return master;
}

/// In the child: arranges everything, and runs options.main or becomes the program.
[[noreturn]] void Become(std::vector<std::string> arguments, const ProcessOptions& options, int out,
                         int err) {
  bool good = options.directory.empty() || ::chdir(options.directory.c_str()) == 0;
  good = good && ::dup2(out, STDOUT_FILENO) >= 0 && ::dup2(err, STDERR_FILENO) >= 0;
  if (options.stdout_closed) ::close(STDOUT_FILENO);
  for (const auto& [resource, value] : options.limits) {
    const rlimit limit = {value, value};
    // The C library of GNU has a type of its own for the resource.
    good = good && ::setrlimit(static_cast<decltype(RLIMIT_CPU)>(resource), &limit) == 0;
  }
  if (options.user) good = good && ::setuid(*options.user) == 0;
  for (const auto& [name, value] : options.environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  if (good && options.main != nullptr) {
    program_invocation_short_name = ::basename(argv[0]);
    std::exit(options.main(static_cast<int>(arguments.size()), argv.data()));
  }
  if (good) ::execvp(argv[0], argv.data());
  ::_exit(127);
}

}  // namespace

ProcessResult RunProcess(const std::vector<std::string>& arguments, const ProcessOptions& options) {
  const File err = TemporaryFile();
  const File out = TemporaryFile();
  int master = -1;
  int child_out = ::fileno(out.get());
  int child_err = ::fileno(err.get());
  int opened = -1;
  if (options.terminal) {
    master = OpenTerminal();
    child_out = child_err = opened = ::open(::ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
  } else if (!options.stdout_file.empty()) {
    child_out = opened = ::open(options.stdout_file.c_str(), O_WRONLY | O_CLOEXEC);
  } else if (options.stdout_unread) {
    std::array<int, 2> pipe = {};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    ::close(pipe[0]);
    child_out = opened = pipe[1];
  }
  if (child_out < 0) throw std::runtime_error("cannot open the program's standard output");

  std::fflush(nullptr);  // a child that ends by exit() would write what is left again
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("cannot fork");
  if (child == 0) Become(arguments, options, child_out, child_err);
  if (opened >= 0) ::close(opened);
  ProcessResult result;
  if (master >= 0) {
    result.out = Drain(master);
    ::close(master);
  }
  int status = 0;
  rusage usage = {};
  if (::wait4(child, &status, 0, &usage) != child) throw std::runtime_error("cannot wait for the program");
  result.peak_bytes = std::int64_t{usage.ru_maxrss} * 1024;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (master < 0) {
    // The child moved the position that both share.
    std::rewind(out.get());
    std::rewind(err.get());
    result.out = Drain(::fileno(out.get()));
    result.err = Drain(::fileno(err.get()));
  }
  return result;
}

}  // namespace supremum::test
