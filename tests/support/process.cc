#include "support/process.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "support/started.h"

extern char** environ;

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

/// Sets what `status` and `usage` say.
void SetEnd(int status, const rusage& usage, ProcessResult& result) {
  result.peak_bytes = std::int64_t{usage.ru_maxrss} * 1024;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#if defined(SUPREMUM_STARTED)

/// This program's environment.
std::map<std::string, std::string> OwnEnvironment() {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    const std::size_t equal = text.find('=');
    if (equal != std::string::npos) variables[text.substr(0, equal)] = text.substr(equal + 1);
  }
  return variables;
}

/// A program that has started and waits for requests (started.c), until this object ends.
class StartedProgram {
 public:
  /// In that environment, with nothing for its standard files: each run has its own. Where the library cannot
  /// be preloaded the program runs, and ends.
  StartedProgram(const std::string& program, std::map<std::string, std::string> variables) {
    const std::string library = SUPREMUM_STARTED;
    if (library.find_first_of(" :") != std::string::npos)
      return;  // each of them separates names in LD_PRELOAD
    std::array<int, 2> ends = {};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
    std::string& preloaded = variables["LD_PRELOAD"];
    preloaded = library + (preloaded.empty() ? "" : ":" + preloaded);
    variables["LD_BIND_NOW"] = "1";  // and not in each copy
    variables["STARTED_SOCKET"] = std::to_string(ends[1]);
    // The address sanitizer wants to be first.
    variables["ASAN_OPTIONS"] += ":verify_asan_link_order=0";
    std::vector<std::string> entries;
    for (const auto& [name, value] : variables) entries.push_back(name + "=" + value);
    std::vector<char*> environment;
    for (std::string& entry : entries) environment.push_back(entry.data());
    environment.push_back(nullptr);
    std::string name = program;
    std::array<char*, 2> arguments = {name.data(), nullptr};
    program_ = ::fork();
    if (program_ == 0) {
      const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
      for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::dup2(nothing, file) < 0) ::_exit(127);
      }
      static_cast<void>(::fcntl(ends[1], F_SETFD, 0));
      ::execve(name.c_str(), arguments.data(), environment.data());
      ::_exit(127);
    }
    ::close(ends[1]);
    socket_ = ends[0];
    started_answer hello = {};
    if (program_ < 0 || !Receive(hello)) Close();
  }
  ~StartedProgram() { Close(); }
  StartedProgram(const StartedProgram&) = delete;
  StartedProgram& operator=(const StartedProgram&) = delete;

  /// Whether it ran; not where it could not be started in that way, or the request is too long.
  bool Run(const std::vector<std::string>& arguments, const std::string& directory,
           const std::map<std::string, std::string>& variables, int out, int err, ProcessResult& result) {
    if (socket_ < 0) return false;
    started_request request = {};
    if (::getrlimit(RLIMIT_CORE, &request.core) != 0) return false;
    request.arguments = static_cast<int>(arguments.size());
    request.variables = static_cast<int>(variables.size());
    std::string text(sizeof request, '\0');
    std::memcpy(text.data(), &request, sizeof request);
    text.append(directory).push_back('\0');
    for (const std::string& argument : arguments) text.append(argument).push_back('\0');
    for (const auto& [name, value] : variables) text.append(name + "=" + value).push_back('\0');
    if (text.size() > kMostOfARequest || !Send(text, {STDIN_FILENO, out, err})) return false;
    started_answer answer = {};
    if (!Receive(answer)) {
      Close();
      throw std::runtime_error("a program that had started ended");
    }
    SetEnd(answer.status, answer.usage, result);
    return true;
  }

 private:
  bool Send(std::string& text, const std::array<int, kFiles>& files) const {
    iovec part = {text.data(), text.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof files)> control = {};
    msghdr message = {};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof files);
    std::memcpy(CMSG_DATA(head), files.data(), sizeof files);
    return ::sendmsg(socket_, &message, MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
  }
  bool Receive(started_answer& answer) const {
    ssize_t size = -1;
    do {
      size = ::recv(socket_, &answer, sizeof answer, 0);
    } while (size < 0 && errno == EINTR);
    return size == static_cast<ssize_t>(sizeof answer);
  }
  /// The program ends, as there will be no further request.
  void Close() {
    if (socket_ >= 0) ::close(socket_);
    if (program_ > 0) ::waitpid(program_, nullptr, 0);
    socket_ = program_ = -1;
  }

  pid_t program_ = -1;
  int socket_ = -1;
};

int runs_of_started = 0;

/// Runs a copy of the program: whether it did. Another thread that asks meanwhile does not wait.
bool RunStarted(const std::vector<std::string>& arguments, const ProcessOptions& options, int out, int err,
                ProcessResult& result) {
  static std::mutex mutex;
  const std::unique_lock<std::mutex> lock(mutex, std::try_to_lock);
  if (!lock.owns_lock()) return false;
  std::map<std::string, std::string> of_start = OwnEnvironment(), of_run = of_start;
  for (const auto& [name, value] : options.environment) of_run[name] = value;
  // What the dynamic loader and the sanitizers read before main(): one program for each.
  for (const auto& [name, value] : options.environment) {
    if (name.starts_with("LD_") || name.ends_with("SAN_OPTIONS")) of_start[name] = value;
  }
  std::string key = arguments[0];
  for (const auto& [name, value] : of_start) key += '\n' + name + '=' + value;
  static std::map<std::string, std::unique_ptr<StartedProgram>> programs;
  std::unique_ptr<StartedProgram>& program = programs[key];
  if (!program) program = std::make_unique<StartedProgram>(arguments[0], of_start);
  const std::string directory = options.directory.empty() ? std::filesystem::current_path()
                                                          : std::filesystem::absolute(options.directory);
  if (!program->Run(arguments, directory, of_run, out, err, result)) return false;
  ++runs_of_started;
  return true;
}

#else

constexpr int runs_of_started = 0;

bool RunStarted(const std::vector<std::string>&, const ProcessOptions&, int, int, ProcessResult&) {
  return false;
}

#endif

/// In the child: arranges everything and becomes the program.
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

  ProcessResult result;
  const bool plain = master < 0 && !options.stdout_closed && options.limits.empty() && !options.user;
  if (options.started && plain && RunStarted(arguments, options, child_out, child_err, result)) {
    if (opened >= 0) ::close(opened);
  } else {
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("cannot fork");
    if (child == 0) Become(arguments, options, child_out, child_err);
    if (opened >= 0) ::close(opened);
    if (master >= 0) {
      result.out = Drain(master);
      ::close(master);
    }
    int status = 0;
    rusage usage = {};
    if (::wait4(child, &status, 0, &usage) != child) throw std::runtime_error("cannot wait for the program");
    SetEnd(status, usage, result);
  }
  if (master < 0) {
    // The child moved the position that both share.
    std::rewind(out.get());
    std::rewind(err.get());
    result.out = Drain(::fileno(out.get()));
    result.err = Drain(::fileno(err.get()));
  }
  return result;
}

int RunsOfStartedPrograms() { return runs_of_started; }

}  // namespace supremum::test
