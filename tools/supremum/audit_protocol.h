// What a runner says, line by line; conformance/runners/README.md has the form.
#ifndef SUPREMUM_TOOLS_AUDIT_PROTOCOL_H_
#define SUPREMUM_TOOLS_AUDIT_PROTOCOL_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "audit_cases.h"
#include "supremum/result.h"

namespace supremum::cli {

/// What a runner made of a case.
struct Answer {
  enum Kind : std::uint8_t {
    kNone,         ///< nothing is known: the text says why, if anything
    kResult,       ///< a tensor
    kUnsupported,  ///< the runtime says that it has no such type or operator
    kFailed,       ///< any other error
    kCrashed,      ///< the runner ended, or had to be ended
    kRefused,      ///< of a model that must be refused
    kAccepted,
  };

  Kind kind = kNone;
  TensorBits result;
  std::string text;
};

/// The first line.
struct RunnerHead {
  std::string runtime;
  std::string version;
  std::string door;
};

/// A line about a case.
struct RunnerLine {
  bool invalid = false;     ///< `index` counts the models that must be refused
  std::int64_t index = -1;  ///< "case" or "invalid"
  std::string id;
  Answer answer;
};

/// Errors: kMalformedFile with what is wrong; the line comes from a program that nobody vouches for.
Result<RunnerHead> ParseRunnerHead(std::string_view line);
Result<RunnerLine> ParseRunnerLine(std::string_view line);

}  // namespace supremum::cli

#endif  // SUPREMUM_TOOLS_AUDIT_PROTOCOL_H_
