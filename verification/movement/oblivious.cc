// Whether a branch or an address depends on an element: under valgrind's memcheck, all elements of the inputs
// are undefined, and memcheck reports each branch and address that depends on undefined memory. Then every
// call of a layout executes the same instructions on the same addresses, whatever the elements are.
//
//   valgrind --quiet --error-exitcode=0 oblivious [all]    a sample of the layouts, or all of them; exit
//   status 1 if anything depends on an element, 77 without valgrind
#include <valgrind/memcheck.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "kernels/targets.h"
#include "movement/primitives.h"

namespace supremum::test {
namespace {

struct Count {
  unsigned long long layouts = 0, reports = 0;

  void Call(const std::string& what, Layout& layout, const std::function<void()>& call) {
    ++layouts;
    for (std::byte* element : layout.elements()) VALGRIND_MAKE_MEM_UNDEFINED(element, layout.width());
    const unsigned long long before = VALGRIND_COUNT_ERRORS;
    call();
    const unsigned long long found = VALGRIND_COUNT_ERRORS - before;
    if (found > 0 && reports == 0) std::printf("oblivious: %s: depends on an element\n", what.c_str());
    reports += found;
    for (std::byte* element : layout.elements()) VALGRIND_MAKE_MEM_DEFINED(element, layout.width());
    VALGRIND_MAKE_MEM_DEFINED(layout.output() - 64, layout.output_bytes() + 256);
  }
};

// A call that depends on an element must be reported.
bool ControlIsReported() {
  Count count;
  Layout layout(4);
  layout.Begin();
  const std::byte* const x = layout.Input(1);
  std::byte* const y = layout.Output(1);
  count.Call("control (a report is expected)", layout, [&] {
    if (x[0] == std::byte{1}) y[0] = std::byte{2};
  });
  return count.reports > 0;
}

int Main(Extent extent) {
  if (!RUNNING_ON_VALGRIND) {
    std::printf("oblivious: does not run under valgrind: nothing was shown\n");
    return 77;
  }
  bool holds = ControlIsReported();
  std::printf("oblivious: control: %s\n", holds ? "reported" : "NOT REPORTED");
  for (const kernels::KernelTable* table : kernels::RunnableTables()) {
    Count primitives, operators;
    kernels::UseKernels(table);
    for (const DType dtype : kAllDTypes) {
      const std::size_t width = ByteWidth(dtype), lanes = VectorBytes(*table) / width;
      VisitPrimitives(
          table->For(dtype), width, lanes, extent,
          [&](const auto& what, Layout& layout, const auto& call) { primitives.Call(what, layout, call); });
      VisitOperators(dtype, extent, [&](const auto& what, Layout& layout, const auto& call) {
        operators.Call(what, layout, call);
      });
    }
    holds = holds && primitives.reports + operators.reports == 0;
    std::printf("oblivious: %s: %llu layouts of primitives, %llu of operators, %llu reports\n",
                std::string(table->target).c_str(), primitives.layouts, operators.layouts,
                primitives.reports + operators.reports);
    std::fflush(stdout);
  }
  kernels::UseKernels(nullptr);
  return holds ? 0 : 1;
}

}  // namespace
}  // namespace supremum::test

int main(int argc, char** argv) {
  using supremum::test::Extent;
  if (argc > 2 || (argc == 2 && std::string_view(argv[1]) != "all"))
    return std::fputs("usage: oblivious [all]\n", stderr), 2;
  return supremum::test::Main(argc == 2 ? Extent::kAll : Extent::kSample);
}
