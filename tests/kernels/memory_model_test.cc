// The choice between cached and non-temporal stores, and the sizes of caches that it is made from.
#include "kernels/memory_model.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "supremum/target.h"

namespace supremum {
namespace {

constexpr double kMiB = 1 << 20;

// Caches of 1 MiB for each core, and 32 or 24 MiB shared.
constexpr MemoryModel kSharing{kMiB, 32 * kMiB, MemoryModel::Streams::kShareTheMemory, 1, 3, 0};
constexpr MemoryModel kFollowing{kMiB, 24 * kMiB, MemoryModel::Streams::kFollowReads, 1, 1.25, 0};

TEST(MemoryModel, WhatFitsIntoTheCoresOwnCachesIsStoredThere) {
  for (const MemoryModel& model : {kSharing, kFollowing}) {
    EXPECT_FALSE(model.PrefersStreaming(0, 0, 1));
    EXPECT_FALSE(model.PrefersStreaming(0, kMiB, 1));
    EXPECT_FALSE(model.PrefersStreaming(3 * kMiB, kMiB, 4));
    // A sixteenth more displaces little.
    EXPECT_FALSE(model.PrefersStreaming(0.99 * kMiB, 0.07 * kMiB, 1));
  }
}

TEST(MemoryModel, WhatDoesNotFitIntoTheSharedCacheIsStreamed) {
  for (const MemoryModel& model : {kSharing, kFollowing}) {
    for (const std::size_t threads : {1u, 2u, 16u}) {
      EXPECT_TRUE(model.PrefersStreaming(0, model.shared_bytes, threads)) << threads;
      EXPECT_TRUE(model.PrefersStreaming(model.shared_bytes - kMiB, kMiB, threads)) << threads;
    }
  }
}

TEST(MemoryModel, StreamsThatShareTheMemoryAreChosenWhereTheSharedCacheIsCrowded) {
  // Read as much as stored: 3 for each byte stored, against 1 + 1, and up to as much again from 6 MiB to 24.
  EXPECT_FALSE(kSharing.PrefersStreaming(2 * kMiB, 2 * kMiB, 1));
  EXPECT_FALSE(kSharing.PrefersStreaming(7.4 * kMiB, 7.4 * kMiB, 1));
  EXPECT_TRUE(kSharing.PrefersStreaming(7.6 * kMiB, 7.6 * kMiB, 1));
  // Twice as much: against 3, so that any loss decides.
  EXPECT_FALSE(kSharing.PrefersStreaming(3.9 * kMiB, 1.95 * kMiB, 1));
  EXPECT_TRUE(kSharing.PrefersStreaming(4.2 * kMiB, 2.1 * kMiB, 1));
  // Nothing: against 1 and at most 1.44 times as much again.
  EXPECT_FALSE(kSharing.PrefersStreaming(0, 31 * kMiB, 1));
}

TEST(MemoryModel, StreamsThatShareTheMemoryTakeLongerWithEachThread) {
  EXPECT_TRUE(kSharing.PrefersStreaming(8 * kMiB, 8 * kMiB, 1));
  EXPECT_FALSE(kSharing.PrefersStreaming(8 * kMiB, 8 * kMiB, 2));
  EXPECT_FALSE(kSharing.PrefersStreaming(15.9 * kMiB, 15.9 * kMiB, 2));
}

TEST(MemoryModel, ReadsBesideStreamsThatShareTheMemoryCostNothingUpToTwiceWhatIsStored) {
  EXPECT_TRUE(kSharing.PrefersStreaming(8 * kMiB, 4 * kMiB, 1));
  // 12 + 1.5 * 9 against 13 and half of it.
  EXPECT_FALSE(kSharing.PrefersStreaming(9 * kMiB, 4 * kMiB, 1));
}

TEST(MemoryModel, StreamsThatFollowReadsAreChosenWhereTheyLeaveTheInputsInTheCache) {
  EXPECT_TRUE(kFollowing.PrefersStreaming(kMiB, 2 * kMiB, 1));
  EXPECT_TRUE(kFollowing.PrefersStreaming(1.9 * kMiB, 2 * kMiB, 2));
  // Inputs that exceed the core's cache lose half of it at 5/4: 1.56 + 0.63 against 2.5, all of it at 3/2.
  EXPECT_TRUE(kFollowing.PrefersStreaming(1.25 * kMiB, 1.25 * kMiB, 1));
  EXPECT_FALSE(kFollowing.PrefersStreaming(1.25 * kMiB, 1.25 * kMiB, 1, false));
  EXPECT_TRUE(kFollowing.PrefersStreaming(1.05 * kMiB, 1.25 * kMiB, 1, false));
  EXPECT_FALSE(kFollowing.PrefersStreaming(1.5 * kMiB, 1.5 * kMiB, 1));
  EXPECT_TRUE(kFollowing.PrefersStreaming(2.8 * kMiB, 0.9 * kMiB, 2));
  EXPECT_FALSE(kFollowing.PrefersStreaming(3 * kMiB, 1 * kMiB, 2));
  // No cache keeps anything.
  constexpr MemoryModel kNothing{0, 24 * kMiB, MemoryModel::Streams::kFollowReads, 1, 1.25, 0};
  EXPECT_FALSE(kNothing.PrefersStreaming(kMiB, kMiB, 1));
  // Inputs that are read from the shared cache in both cases; a streamed byte takes longer than a cached one.
  EXPECT_FALSE(kFollowing.PrefersStreaming(2 * kMiB, 2 * kMiB, 1));
  EXPECT_FALSE(kFollowing.PrefersStreaming(16 * kMiB, 2 * kMiB, 1));
  // Too little is read to matter.
  EXPECT_FALSE(kFollowing.PrefersStreaming(0.4 * kMiB, 2 * kMiB, 1));
}

TEST(MemoryModel, StoresBesideReadsTakeLongerByTheMixedByte) {
  const MemoryModel mixing{kMiB, 24 * kMiB, MemoryModel::Streams::kFollowReads, 1, 1.35, 0.6};
  EXPECT_TRUE(mixing.PrefersStreaming(2 * kMiB, 2 * kMiB, 1));
  EXPECT_TRUE(mixing.PrefersStreaming(16 * kMiB, 2 * kMiB, 1));
  // Less than 0.35 / 0.6 of what is stored is read, all of it by both.
  EXPECT_TRUE(mixing.PrefersStreaming(2.4 * kMiB, 4 * kMiB, 1));
  EXPECT_FALSE(mixing.PrefersStreaming(2.3 * kMiB, 4 * kMiB, 1));
  EXPECT_FALSE(mixing.PrefersStreaming(0, 4 * kMiB, 1));
}

TEST(MemoryModel, SizesAreCutToWhatTheSharersOfACacheCanHave) {
  constexpr int kZen2 = 0x17, kZen4 = 0x19;
  const ReportedCaches zen4{kMiB, 32 * kMiB, 16, kZen4, 0};
  EXPECT_EQ(ModelOf(zen4).core_bytes, kMiB);
  EXPECT_EQ(ModelOf(zen4).shared_bytes, 32 * kMiB);
  // Two processors of a host, whose caches are reported.
  EXPECT_EQ(ModelOf({2 * kMiB, 480 * kMiB, 2, 0, 0xCF}).shared_bytes, 24 * kMiB);
  EXPECT_EQ(ModelOf({kMiB, 480 * kMiB, 2, kZen4, 0}).shared_bytes, 24 * kMiB);
  // The sum of all third levels, and not who shares one: a virtual machine on Zen 5.
  EXPECT_EQ(ModelOf({kMiB, 508 * kMiB, 0, 0x1A, 0}).shared_bytes, 32 * kMiB);
  EXPECT_EQ(ModelOf({kMiB, 16 * kMiB, 0, kZen4, 0}).shared_bytes, 16 * kMiB);
  EXPECT_EQ(ModelOf({kMiB / 2, 256 * kMiB, 0, kZen2, 0}).shared_bytes, 16 * kMiB);
  // Nothing is reported, or no third level.
  EXPECT_EQ(ModelOf({}).core_bytes, kMiB);
  EXPECT_EQ(ModelOf({}).shared_bytes, kMiB);
  EXPECT_EQ(ModelOf({2 * kMiB, 0, 0, 0, 0}).shared_bytes, 2 * kMiB);
}

TEST(MemoryModel, OfThisMachineHasSizesInOrder) {
  const MemoryModel model = ThisMemory();
  EXPECT_GT(model.core_bytes, 0);
  EXPECT_GE(model.shared_bytes, model.core_bytes);
  EXPECT_GT(model.cached_byte, 0);
  EXPECT_GT(model.streamed_byte, 0);
  EXPECT_EQ(AssumedCaches().core_bytes, static_cast<std::int64_t>(model.core_bytes));
  EXPECT_EQ(AssumedCaches().shared_bytes, static_cast<std::int64_t>(model.shared_bytes));
}

TEST(MemoryModel, SizesThatAreStatedReplaceThoseOfThisMachineUntilTheyAreTakenBack) {
  const CacheSizes own = AssumedCaches();
  AssumeCaches(CacheSizes{123, 4567});
  EXPECT_EQ(AssumedCaches().core_bytes, 123);
  EXPECT_EQ(AssumedCaches().shared_bytes, 4567);
  EXPECT_TRUE(ThisMemory().PrefersStreaming(0, 4567, 1));
  AssumeCaches(CacheSizes{0, 0});
  EXPECT_TRUE(ThisMemory().PrefersStreaming(0, 1, 1));
  AssumeCaches(CacheSizes{std::int64_t{1} << 40, std::int64_t{1} << 40});
  EXPECT_FALSE(ThisMemory().PrefersStreaming(1e9, 1e9, 1));
  AssumeCaches(std::nullopt);
  EXPECT_EQ(AssumedCaches().core_bytes, own.core_bytes);
  EXPECT_EQ(AssumedCaches().shared_bytes, own.shared_bytes);
}

}  // namespace
}  // namespace supremum
