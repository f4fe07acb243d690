// The choice between cached and non-temporal stores, and the sizes of caches that it is made from.
#include "kernels/memory_model.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

#include "supremum/target.h"

namespace supremum {
namespace {

constexpr double kMiB = 1 << 20;

TEST(MemoryModel, WhatDoesNotFitIntoTheSharedCacheIsStreamed) {
  constexpr MemoryModel kModel{kMiB, 32 * kMiB};
  EXPECT_FALSE(kModel.PrefersStreaming(0));
  EXPECT_FALSE(kModel.PrefersStreaming(32 * kMiB - 1));
  EXPECT_TRUE(kModel.PrefersStreaming(32 * kMiB));
}

TEST(MemoryModel, SizesAreCutToWhatTheSharersOfACacheCanHave) {
  EXPECT_EQ(ModelOf({kMiB, 32 * kMiB, 16}).core_bytes, kMiB);
  EXPECT_EQ(ModelOf({kMiB, 32 * kMiB, 16}).shared_bytes, 32 * kMiB);
  // Two processors of a host, whose caches are reported.
  EXPECT_EQ(ModelOf({2 * kMiB, 480 * kMiB, 2}).shared_bytes, 24 * kMiB);
  // The sum of all third levels, and not who shares one.
  EXPECT_EQ(ModelOf({kMiB, 508 * kMiB, 0}).shared_bytes, 32 * kMiB);
  EXPECT_EQ(ModelOf({kMiB, 16 * kMiB, 0}).shared_bytes, 16 * kMiB);
  // Nothing is reported, or no third level.
  EXPECT_EQ(ModelOf({}).core_bytes, kMiB);
  EXPECT_EQ(ModelOf({}).shared_bytes, kMiB);
  EXPECT_EQ(ModelOf({2 * kMiB, 0, 0}).shared_bytes, 2 * kMiB);
}

TEST(MemoryModel, OfThisMachineHasSizesInOrder) {
  const MemoryModel model = ThisMemory();
  EXPECT_GT(model.core_bytes, 0);
  EXPECT_GE(model.shared_bytes, model.core_bytes);
  EXPECT_EQ(AssumedCaches().core_bytes, static_cast<std::int64_t>(model.core_bytes));
  EXPECT_EQ(AssumedCaches().shared_bytes, static_cast<std::int64_t>(model.shared_bytes));
}

TEST(MemoryModel, SizesThatAreStatedReplaceThoseOfThisMachineUntilTheyAreTakenBack) {
  const CacheSizes own = AssumedCaches();
  AssumeCaches(CacheSizes{123, 4567});
  EXPECT_EQ(AssumedCaches().core_bytes, 123);
  EXPECT_EQ(AssumedCaches().shared_bytes, 4567);
  EXPECT_TRUE(ThisMemory().PrefersStreaming(4567));
  AssumeCaches(CacheSizes{0, 0});
  EXPECT_TRUE(ThisMemory().PrefersStreaming(1));
  AssumeCaches(CacheSizes{std::int64_t{1} << 40, std::int64_t{1} << 40});
  EXPECT_FALSE(ThisMemory().PrefersStreaming(2e9));
  AssumeCaches(std::nullopt);
  EXPECT_EQ(AssumedCaches().core_bytes, own.core_bytes);
  EXPECT_EQ(AssumedCaches().shared_bytes, own.shared_bytes);
}

}  // namespace
}  // namespace supremum
