#include "audit/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "cli/child.h"
#include "cli/interrupt.h"

namespace supremum::cli {
namespace {

namespace fs = std::filesystem;
using Clock = Child::Clock;

constexpr int kNotInstalledStatus = 77;
// A program that prints more lines without an answer is not a runner.
constexpr std::size_t kMaxStrayLines = 1000;

/// One runner over all cases: starts it, and again after a crash, and records the answers.
class Session {
 public:
  Session(const RunnerSpec& spec, const fs::path& folder, const AuditCases& cases, const RunnerLimits& limits,
          Progress& progress)
      : folder_(fs::absolute(folder).string()), cases_(cases), limits_(limits), progress_(progress) {
    run_.spec = spec;
    run_.answers.resize(cases.all.size());
  }

  RunnerRun Run() {
    const Clock::time_point start = Clock::now();
    end_ = start + limits_.all;
    while (open_ < cases_.all.size() && Interruption::Pending() == 0) {
      if (!Start()) break;
      if (open_ < cases_.all.size()) ++run_.restarts;
    }
    run_.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return std::move(run_);
  }

 private:
  /// Starts the runner once, from the open case on. Returns true if it must be started again.
  bool Start() {
    std::vector<std::string> command = {run_.spec.program.string(), folder_};
    command.insert(command.end(), run_.spec.arguments.begin(), run_.spec.arguments.end());
    if (open_ > 0) command.insert(command.end(), {"--from", std::to_string(open_)});
    Result<Child> child = Child::Start(command);
    if (!child) return GiveUp(child.error().message);
    bool headed = false;
    for (std::string line;;) {
      progress_.Phase(fmt::format("{}: case {} of {}", run_.spec.name, open_ + 1, cases_.all.size()));
      const Clock::time_point late = Clock::now() + (headed ? 1 : 4) * limits_.a_case;
      const Child::Event event = child->Next(&line, std::min(late, end_));
      if (event != Child::kLine) return Ended(*child, event, headed);
      if (headed) {
        Take(line);
        if (run_.stray_lines > kMaxStrayLines)
          return Leave("not reached: the runner printed too many lines that are not answers");
      } else if (!TakeHead(line)) {
        return false;
      } else {
        headed = true;
      }
    }
  }

  bool TakeHead(const std::string& line) {
    Result<RunnerHead> head = ParseRunnerHead(line);
    if (!head) return GiveUp("its first line is invalid: " + head.error().message);
    run_.head = *std::move(head);
    return true;
  }

  void Take(const std::string& line) {
    Result<RunnerLine> read = ParseRunnerLine(line);
    if (!read) return Stray(read.error().message);
    const std::size_t first = read->invalid ? cases_.valid_count : 0;
    const std::size_t last = read->invalid ? cases_.all.size() : cases_.valid_count;
    const std::size_t index = first + static_cast<std::size_t>(read->index);
    if (std::cmp_greater_equal(read->index, last - first) || index < open_)
      return Stray(fmt::format("an answer to case {}, which is not open", read->index));
    if (read->id != cases_.all[index].id)
      return Stray(fmt::format("case {} is '{}', and the answer is to '{}'", read->index,
                               cases_.all[index].id, read->id));
    // Skipped cases remain without an answer.
    run_.answers[index] = std::move(read->answer);
    open_ = index + 1;
  }

  void Stray(const std::string& what) {
    if (run_.stray_lines++ == 0) run_.first_stray = what;
  }

  /// Called when its output has ended, or when it must be killed.
  bool Ended(Child& child, Child::Event event, bool headed) {
    const bool closed = event == Child::kEnd;
    const Child::Ending ending =
        child.Finish(closed ? std::min(Clock::now() + limits_.a_case, end_) : Clock::now());
    if (event == Child::kInterrupted || Interruption::Pending() != 0) return false;
    const std::string complaint = child.LastComplaint();
    if (!headed && run_.head.runtime.empty()) {
      if (closed && ending.status == kNotInstalledStatus) {
        run_.status = RunnerRun::kNotInstalled;
        run_.reason = complaint;
        return false;
      }
      return GiveUp(Reason(event, ending, complaint));
    }
    // A runtime gives no answer to invalid models of a kind that it does not read.
    const bool complete = open_ >= cases_.valid_count;
    if (closed && ending.Good() && complete) return false;
    if (Clock::now() >= end_)
      return Leave(fmt::format("not reached within the runner's limit of {} s", limits_.all.count()));
    if (open_ < cases_.all.size()) {
      run_.answers[open_].kind = Answer::kCrashed;
      run_.answers[open_].text = Reason(event, ending, complaint);
      ++open_;
    }
    return true;
  }

  std::string Reason(Child::Event event, const Child::Ending& ending, const std::string& complaint) const {
    const std::string says = complaint.empty() ? "" : ": " + complaint;
    if (event == Child::kLate) return fmt::format("no answer within {} s", limits_.a_case.count());
    if (event == Child::kLongLine) return fmt::format("a line of more than {} bytes", Child::kMaxLine);
    if (ending.late) return "closed its output and did not end";
    if (ending.signal != 0) {
      const char* const name = ::strsignal(ending.signal);
      return fmt::format("crashed: signal {} ({}){}", ending.signal, name == nullptr ? "?" : name, says);
    }
    return fmt::format("ended with exit status {} and no answer{}", ending.status, says);
  }

  bool GiveUp(const std::string& reason) {
    run_.status = RunnerRun::kBroken;
    run_.reason = reason;
    return false;
  }

  /// The open cases remain without an answer, for that reason.
  bool Leave(const std::string& reason) {
    for (; open_ < cases_.all.size(); ++open_) run_.answers[open_].text = reason;
    return false;
  }

  std::string folder_;
  const AuditCases& cases_;
  const RunnerLimits& limits_;
  Progress& progress_;
  RunnerRun run_;
  std::size_t open_ = 0;  // the first case without an answer that may still come
  Clock::time_point end_;
};

}  // namespace

RunnerRun Run(const RunnerSpec& spec, const fs::path& folder, const AuditCases& cases,
              const RunnerLimits& limits, Progress& progress) {
  return Session(spec, folder, cases, limits, progress).Run();
}

}  // namespace supremum::cli
