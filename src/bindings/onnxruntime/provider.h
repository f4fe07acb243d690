// The execution provider of one session: which nodes it takes, and what it makes of them.
#ifndef SUPREMUM_SRC_BINDINGS_ONNXRUNTIME_PROVIDER_H_
#define SUPREMUM_SRC_BINDINGS_ONNXRUNTIME_PROVIDER_H_

#include "bindings/onnxruntime/api.h"
#include "bindings/onnxruntime/computation.h"

namespace supremum::onnxruntime {

inline constexpr const char* kProviderName = "SupremumExecutionProvider";

struct ProviderOptions {
  ThreadOptions threads;
  bool strict = false;  ///< a session is refused if a Max or ReduceMax of its model is not computed here
};

/// Reads the provider's options, `ep.supremumexecutionprovider.*` of the session.
///
/// Throws: Failure for a value that is none of the option's, and, for strict, if the session does not exclude
///   the optimizer that would compute nodes before they are offered to providers.
ProviderOptions ReadOptions(const Api& api, const OrtSessionOptions* session);

class Provider : public OrtEp {
 public:
  Provider(const Api& api, const ProviderOptions& options, const OrtLogger* logger);

 private:
  static const char* GetNameOf(const OrtEp* self) noexcept;
  static OrtStatus* GetCapabilityOf(OrtEp* self, const OrtGraph* graph, OrtEpGraphSupportInfo* info) noexcept;
  static OrtStatus* CompileOf(OrtEp* self, const OrtGraph** graphs, const OrtNode** fused, std::size_t count,
                              OrtNodeComputeInfo** compiled, OrtNode** contexts) noexcept;
  static void ReleaseCompiled(OrtEp* self, OrtNodeComputeInfo** compiled, std::size_t count) noexcept;

  void Claim(const OrtGraph* graph, OrtEpGraphSupportInfo* info) const;
  std::unique_ptr<Computation> Compile(const OrtGraph* graph, const OrtNode* fused) const;
  void Log(OrtLoggingLevel level, const std::string& text) const;

  const Api api_;
  const ProviderOptions options_;
  const OrtLogger* const logger_;
};

}  // namespace supremum::onnxruntime

#endif  // SUPREMUM_SRC_BINDINGS_ONNXRUNTIME_PROVIDER_H_
