// The CPU quota of control groups, from the contents of their files.
#include "kernels/cpu_quota.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "ops/parallel.h"

namespace supremum {
namespace {

using Files = std::map<std::string, std::string>;
const Files* files_of_test = nullptr;

std::string_view ReadOfTest(const char* path, char* buffer) noexcept {
  const auto found = files_of_test->find(path);
  if (found == files_of_test->end()) return {};
  const std::size_t length = std::min(found->second.size(), kQuotaBuffer);
  std::memcpy(buffer, found->second.data(), length);
  return {buffer, length};
}

std::size_t Processors(const Files& files) {
  files_of_test = &files;
  return ProcessorsOfQuota(&ReadOfTest);
}

const std::string kGroups = "/proc/self/cgroup";

TEST(CpuQuota, OfVersion2IsQuotaByPeriodRoundedDownAndAtLeastOne) {
  for (const auto& [limit, expected] : std::map<std::string, std::size_t>{{"200000 100000\n", 2},
                                                                          {"399999 100000", 3},
                                                                          {"50000 100000\n", 1},
                                                                          {"1 1000000\n", 1},
                                                                          {"max 100000\n", 0},
                                                                          {"200000\n", 0},
                                                                          {"200000 0\n", 0},
                                                                          {"-1 100000\n", 0},
                                                                          {"99999999999999999999 1\n", 0},
                                                                          {"", 0}}) {
    EXPECT_EQ(Processors({{kGroups, "0::/\n"}, {"/sys/fs/cgroup/cpu.max", limit}}), expected) << limit;
  }
}

TEST(CpuQuota, OfVersion1HasTwoFilesAndIsOfTheHierarchyThatHasCpu) {
  const std::string groups = "9:name=systemd:/\n4:cpuset:/cpu\n3:cpuacct,cpu:/docker/1\n2:cpuacct:/\n";
  const std::string quota = "/cpu.cfs_quota_us", period = "/cpu.cfs_period_us";
  for (const std::string mount : {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"}) {
    for (const std::string group : {"", "/docker", "/docker/1"}) {
      const std::string at = mount + group;
      EXPECT_EQ(Processors({{kGroups, groups}, {at + quota, "300000\n"}, {at + period, "100000\n"}}), 3u)
          << at;
      EXPECT_EQ(Processors({{kGroups, groups}, {at + quota, "-1\n"}, {at + period, "100000\n"}}), 0u);
      EXPECT_EQ(Processors({{kGroups, groups}, {at + quota, "300000\n"}}), 0u);
    }
  }
  EXPECT_EQ(Processors({{kGroups, "2:cpuacct:/\n"},
                        {"/sys/fs/cgroup/cpu" + quota, "300000"},
                        {"/sys/fs/cgroup/cpu" + period, "100000"}}),
            0u);
}

TEST(CpuQuota, IsTheLeastOfAGroupAndTheGroupsAroundIt) {
  const std::string root = "/sys/fs/cgroup";
  const Files files = {{kGroups, "1:cpuset:/\n0::/a/b.slice/c\n"},
                       {root + "/a/b.slice/c/cpu.max", "800000 100000\n"},
                       {root + "/a/b.slice/cpu.max", "500000 100000\n"},
                       {root + "/a/cpu.max", "600000 100000\n"},
                       {root + "/b.slice/cpu.max", "100000 100000\n"}};
  EXPECT_EQ(Processors(files), 5u);
  Files hybrid = files;  // both versions at once
  hybrid[kGroups] += "5:cpu:/a\n";
  hybrid["/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us"] = "400000\n";
  hybrid["/sys/fs/cgroup/cpu/a/cpu.cfs_period_us"] = "100000\n";
  EXPECT_EQ(Processors(hybrid), 4u);
  hybrid["/sys/fs/cgroup/unified/cpu.max"] = "250000 100000\n";
  EXPECT_EQ(Processors(hybrid), 2u);
}

TEST(CpuQuota, AnyContentsOfTheFilesAreRead) {
  const std::string name(5000, 'x');  // neither the path nor the file fits into memory
  for (const std::string& groups :
       std::vector<std::string>{"", "\n\n", ":", "0:", "::", "0::/" + name, "0::x", "0::/../..//\n",
                                "1:" + name + ":/\n", "1:,,cpu,:/"}) {
    EXPECT_EQ(Processors({{kGroups, groups}}), 0u) << groups;
  }
  EXPECT_EQ(Processors({}), 0u);
}

TEST(CpuQuota, ZeroThreadsAreNoMoreThanItPaysFor) {
  const std::size_t quota = ProcessorsOfQuota();
  EXPECT_EQ(ProcessorsOfQuota(), quota);
  EXPECT_GE(ThreadCount(0), 1u);
  EXPECT_LE(ThreadCount(0), quota == 0 ? kMaxThreads : quota);
}

}  // namespace
}  // namespace supremum
