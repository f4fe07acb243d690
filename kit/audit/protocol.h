// The lines that a runner prints; kit/runners/README.md describes the form.
#ifndef SUPREMUM_KIT_AUDIT_PROTOCOL_H_
#define SUPREMUM_KIT_AUDIT_PROTOCOL_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "audit/cases.h"
#include "supremum/result.h"

namespace supremum::cli {

/// A runner's answer to a case.
struct Answer {
  enum Kind : std::uint8_t {
    kNone,         ///< no answer: the text says why, if the reason is known
    kResult,       ///< a tensor
    kUnsupported,  ///< the runtime reports the type or the operator as unsupported
    kFailed,       ///< any other error
    kCrashed,      ///< the runner ended, or was killed
    kRefused,      ///< the answer to a model that must be refused
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
  std::string interface;
};

/// A line about a case.
struct RunnerLine {
  bool invalid = false;     ///< `index` counts the models that must be refused
  std::int64_t index = -1;  ///< "case" or "invalid"
  std::string id;
  Answer answer;
};

/// Errors: kMalformedFile with the reason. A line is untrusted input.
Result<RunnerHead> ParseRunnerHead(std::string_view line);
Result<RunnerLine> ParseRunnerLine(std::string_view line);

}  // namespace supremum::cli

#endif  // SUPREMUM_KIT_AUDIT_PROTOCOL_H_
