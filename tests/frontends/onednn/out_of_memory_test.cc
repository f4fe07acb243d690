// Every allocation of reading and running a graph fails once: out of memory is reported, and nothing is
// leaked.
#include "support/out_of_memory.h"

#include <gtest/gtest.h>

#include <string>

#include "frontends/onednn/testing.h"

namespace supremum::test {
namespace {

TEST(OneDnnOutOfMemory, OfReadingIsAnError) {
  const std::string good = Reduce(Axes({-1}, true), {F32(0, {2, 3}, Integers{1, 2})}, F32(1, {2, 1}));
  WalkOutOfMemory("reading", [&] { return Outcome(OneDnnGraph::Parse(good, "g.json")); });
  const std::string bad = good.substr(0, good.size() - 5);
  WalkOutOfMemory("refusing", [&] { return Outcome(OneDnnGraph::Parse(bad, "g.json")); });
}

TEST(OneDnnOutOfMemory, OfARunIsAnError) {
  const std::string text =
      GraphText({OpText(0, "Maximum", "", {F32(0, {2, 3}, Integers{1, 2}), F32(1, {3})},
                        {F32(2, {2, 3}, Integers{1, 2})}),
                 OpText(1, "ReduceMax", Axes({-1}), {F32(2, {2, 3}, Integers{1, 2})}, {F32(3, {2})})});
  const OneDnnGraph graph = std::move(OneDnnGraph::Parse(text, "g.json")).value();
  const auto inputs = List(Named<float>("0", {2, 3}, kRows), Named<float>("1", {3}, {0, 9, 0}));
  WalkOutOfMemory("a run", [&] { return Outcome(graph.Run(inputs)); });
}

}  // namespace
}  // namespace supremum::test
