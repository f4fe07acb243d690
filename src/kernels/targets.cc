#include "kernels/targets.h"

#include <atomic>

#include "hwy/cache_control.h"

namespace supremum::kernels {
namespace {

std::atomic<const KernelTable*> chosen = nullptr;

}  // namespace

const KernelTable& ActiveKernels() {
  static const KernelTable* const best = *RunnableTables().begin();
  const KernelTable* const table = chosen.load(std::memory_order_relaxed);
  return table != nullptr ? *table : *best;
}

void StoreFence() { hwy::FlushStream(); }

void UseKernels(const KernelTable* table) { chosen.store(table, std::memory_order_relaxed); }

}  // namespace supremum::kernels
