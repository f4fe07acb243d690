// The execution provider of one session: which nodes it takes, and what it makes of them.
#ifndef SUPREMUM_SRC_BINDINGS_ONNXRUNTIME_PROVIDER_H_
#define SUPREMUM_SRC_BINDINGS_ONNXRUNTIME_PROVIDER_H_

#include <cstddef>
#include <memory>
#include <string>

#include "bindings/onnxruntime/api.h"
#include "bindings/onnxruntime/computation.h"

namespace supremum::onnxruntime {

inline constexpr const char* kProviderName = "SupremumExecutionProvider";

struct ProviderOptions {
  ThreadOptions threads;
  bool strict = false;  ///< a session, or each run of it, fails if a Max or ReduceMax is not computed here
};

/// Reads the provider's options, `ep.supremumexecutionprovider.*` of the session.
///
/// Throws: Failure for an invalid value of an option, and if the session would write compiled nodes to a
///   model. With strict also if the session does not exclude the optimizer that computes nodes before
///   providers see them.
ProviderOptions ReadOptions(const Api& api, const OrtSessionOptions* session);

class Provider : public OrtEp {
 public:
  Provider(const Api& api, const ProviderOptions& options, const OrtLogger* logger);

 private:
  static const char* GetNameOf(const OrtEp* self) noexcept;
  static OrtStatus* GetCapabilityOf(OrtEp* self, const OrtGraph* graph, OrtEpGraphSupportInfo* info) noexcept;
  static OrtStatus* CompileOf(OrtEp* self, const OrtGraph** graphs, const OrtNode** fused, std::size_t count,
                              OrtNodeComputeInfo** compiled, OrtNode** contexts) noexcept;
  static OrtStatus* OnRunStartOf(OrtEp* self, const OrtRunOptions* options) noexcept;
  static void ReleaseCompiled(OrtEp* self, OrtNodeComputeInfo** compiled, std::size_t count) noexcept;

  void Claim(const OrtGraph* graph, OrtEpGraphSupportInfo* info);
  void Leave(const std::string& why);
  void CheckStrict() const;
  std::unique_ptr<Computation> Compile(const OrtGraph* graph, const OrtNode* fused) const;

  const Api api_;
  const ProviderOptions options_;
  const OrtLogger* const logger_;
  bool claimed_ = false;  ///< nodes of a graph
  std::string left_;      ///< the first node that is left to others, and why; "" if none is
};

}  // namespace supremum::onnxruntime

#endif  // SUPREMUM_SRC_BINDINGS_ONNXRUNTIME_PROVIDER_H_
