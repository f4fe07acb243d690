// One function for each rule on types and shapes that Max, ReduceMax and models have in common. Each judges
// numbers, symbols and unknown extents. The texts of errors are rendered from judgements.
#ifndef SUPREMUM_SRC_RULES_JUDGE_H_
#define SUPREMUM_SRC_RULES_JUDGE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/align.h"
#include "core/operand_errors.h"
#include "core/quote.h"
#include "rules/operands.h"
#include "rules/rule.h"
#include "supremum/opset.h"
#include "supremum/result.h"
#include "supremum/shape.h"
#include "supremum/verdict.h"

namespace supremum {

/// Why the common shape of operands is undecided.
enum class UndecidedBy : std::uint8_t {
  kNothing,          ///< it is decided
  kShape,            ///< the rank of operand `second` is not known
  kExtent,           ///< an extent of operand `second` is not known
  kSymbols,          ///< different symbols occur
  kSymbolAndNumber,  ///< a symbol of operand `first`, and a number other than 1 of operand `second`
  kEqual,            ///< MAX-3: it is not known whether the extents of `first` and `second` are equal
};

/// The verdict of one rule on some operands, with the facts of its text.
struct Judgement {
  CheckedRule rule;
  Verdict verdict = Verdict::kHolds;
  std::size_t first = 0, second = 0;  ///< the two operands that violate the rule, or leave it undecided
  std::optional<std::size_t> dimension = {};  ///< of the common shape; none if the ranks differ
  Extent first_extent = {}, second_extent = {};
  UndecidedBy why = UndecidedBy::kNothing;

  constexpr bool Holds() const { return verdict == Verdict::kHolds; }
  constexpr bool Fails() const { return verdict == Verdict::kFails; }
};

/// TYP-2: all operands have one type. The fact `first` is the first operand of a known type, 0 if there is
/// none. The fact `second` is the first operand of another type; if undecided, the first of an unknown type.
template <OperandList T>
Judgement JudgeOneType(const T& operands) {
  Judgement judgement{"TYP-2"};
  ElementType common;
  for (std::size_t m = 0; m < operands.count(); ++m) {
    const ElementType type = operands.type(m);
    if (!type.IsKnown()) {
      if (judgement.Holds()) judgement.second = m;
      judgement.verdict = Verdict::kUndecided;
    } else if (!common.IsKnown()) {
      common = type;
      judgement.first = m;
    } else if (!(type == common)) {
      judgement.verdict = Verdict::kFails;
      judgement.second = m;
      return judgement;
    }
  }
  return judgement;
}

/// TYP-3 for a version of Max, TYP-4 for one of ReduceMax: it admits the type of operand `m`. PRO-1 fails
/// instead if that is a sparse tensor.
template <OperandList T, class Version>
Judgement JudgeAdmitted(const T& operands, std::size_t m, Version version) {
  constexpr bool kIsMax = std::is_same_v<Version, MaxVersion>;
  Judgement judgement{kIsMax ? CheckedRule("TYP-3") : CheckedRule("TYP-4")};
  judgement.first = m;
  const ElementType type = operands.type(m);
  if (!type.IsKnown()) {
    judgement.verdict = Verdict::kUndecided;
  } else if (type.IsSparse()) {
    judgement.rule = "PRO-1";
    judgement.verdict = Verdict::kFails;
  } else if (!type.dtype || !Admits(version, *type.dtype)) {
    judgement.verdict = Verdict::kFails;
  }
  return judgement;
}

/// The rules on types.
struct TypeJudgements {
  Judgement one_type, admitted;
  std::optional<DType> dtype = {};  ///< of the output; absent if a judgement fails, or if no type is known
};

/// JudgeOneType, and JudgeAdmitted of the first known type. Requires: there is an operand.
template <OperandList T, class Version>
TypeJudgements JudgeTypes(const T& operands, Version version) {
  const Judgement one_type = JudgeOneType(operands);
  TypeJudgements judged{one_type, JudgeAdmitted(operands, one_type.first, version)};
  if (!one_type.Fails() && !judged.admitted.Fails()) judged.dtype = operands.type(one_type.first).dtype;
  return judged;
}

/// BRO-4: no operand has more than kMaxRank dimensions. The fact `first` is the first operand of the highest
/// known rank, 0 if no rank is known. The fact `second` is the first operand whose rank is too high; if
/// undecided, the last of an unknown rank. Requires: there is an operand.
template <OperandList T>
Judgement JudgeRanks(const T& operands) {
  Judgement judgement{"BRO-4"};
  std::optional<std::size_t> highest;
  for (std::size_t m = 0; m < operands.count(); ++m) {
    const std::optional<std::size_t> rank = operands.rank(m);
    if (!rank) {
      judgement.verdict = Verdict::kUndecided;
      judgement.second = m;
    } else if (*rank > kMaxRank) {
      judgement.verdict = Verdict::kFails;
      judgement.second = m;
      return judgement;
    } else if (!highest || *rank > *highest) {
      highest = rank;
      judgement.first = m;
    }
  }
  return judgement;
}

/// The common shape of operands, and the verdict of the rule that asks for it.
template <OperandList T>
struct CommonShape {
  Judgement judgement;
  /// The extents of JudgeBroadcast, with 1 for what is no number. Valid unless the judgement fails.
  CommonExtents numbers{0};
  /// Symbolic: the extents, absent if a rank is not known. Symbols refer to those of the operands. Valid
  /// unless the judgement fails.
  std::conditional_t<kNumbers<T>, std::monostate, std::optional<std::vector<Extent>>> shape = {};
};

/// MAX-3 and PRO-6, as `rule` says: all operands have one shape. An extent that is a number for one operand
/// is that number in the common shape. If all are numbers, it is the shape of any operand.
template <OperandList T>
CommonShape<T> JudgeOneShape(const T& operands, CheckedRule rule) {
  CommonShape<T> common{{rule}};
  Judgement& judgement = common.judgement;
  std::optional<std::size_t> first;  // whose shape is known
  const auto extent = [&](std::size_t d) -> Extent {
    if constexpr (kNumbers<T>)
      return operands.extent(*first, d);
    else
      return (*common.shape)[d];
  };
  for (std::size_t m = 0; m < operands.count(); ++m) {
    const std::optional<std::size_t> rank = operands.rank(m);
    if (!rank) {
      if (operands.count() == 1) continue;
      judgement = {rule, Verdict::kUndecided, 0, m, {}, {}, {}, UndecidedBy::kShape};
      continue;
    }
    if (!first) {
      first = m;
      if constexpr (!kNumbers<T>) {
        common.shape.emplace();
        for (std::size_t d = 0; d < *rank; ++d) common.shape->push_back(operands.extent(m, d));
      }
      continue;
    }
    if (*rank != *operands.rank(*first)) {
      judgement = {rule, Verdict::kFails, *first, m};
      return common;
    }
    for (std::size_t d = 0; d < *rank; ++d) {
      const Extent known = extent(d), other = operands.extent(m, d);
      const Verdict equal = JudgeEqual(known, other);
      if (equal == Verdict::kHolds) continue;
      judgement = {rule, equal, *first, m, d, known, other, UndecidedBy::kEqual};
      if (equal == Verdict::kFails) return common;
      if constexpr (!kNumbers<T>) {
        if (other.number) (*common.shape)[d] = other;
      }
    }
  }
  return common;
}

/// The symbols and unknown extents in one dimension of a common shape.
class SymbolsOfDimension {
 public:
  /// Takes the extent of operand `m`. Requires: it is no number; at most one call for each operand.
  void Add(const Extent& extent, std::size_t m) {
    if (extent.IsUnknown()) {
      // A second unknown may differ from the first; a single one with extents of 1 is always compatible.
      several_ = several_ || unknown_by_;
      unknown_by_ = m;
    } else if (!symbol_by_) {
      symbol_by_ = m;
      symbol_ = extent;
    } else {
      several_ = several_ || !(symbol_ == extent);
    }
  }

  /// The common extent (BRO-2), `number` being that of the numbers.
  Extent Common(std::int64_t number) const {
    if (number != 1) return number;
    if (unknown_by_ || several_) return {};
    return symbol_by_ ? symbol_ : Extent(1);
  }

  /// If BRO-2 depends on the values of symbols and unknowns: states in `judgement` why. `number_by` is the
  /// operand with `number`, if that is not 1.
  void Judge(std::int64_t number, std::size_t number_by, Judgement& judgement) const {
    if (unknown_by_ && (number != 1 || symbol_by_ || several_)) {
      judgement.why = UndecidedBy::kExtent;
      judgement.second = *unknown_by_;
    } else if (several_) {
      judgement.why = UndecidedBy::kSymbols;
    } else if (symbol_by_ && number != 1) {
      judgement.why = UndecidedBy::kSymbolAndNumber;
      judgement.first = *symbol_by_;
      judgement.first_extent = symbol_;
      judgement.second = number_by;
      judgement.second_extent = number;
    }
  }

 private:
  std::optional<std::size_t> symbol_by_, unknown_by_;
  Extent symbol_;
  bool several_ = false;
};

/// BRO-2: the operands broadcast to a common shape. BRO-4 fails instead if a rank is too high.
///
/// Symbolic: holds if every assignment of numbers to symbols and unknowns is compatible, fails if none is. An
/// extent is the number other than 1, if an operand has one; else the symbol, if all that is not 1 is that
/// symbol; 1 if all are 1; else unknown.
/// Cost: two passes over the operands; numbers are judged without allocation.
template <OperandList T>
CommonShape<T> JudgeBroadcast(const T& operands) {
  const Judgement ranks = JudgeRanks(operands);
  const std::size_t rank = ranks.Fails() ? 0 : operands.rank(ranks.first).value_or(0);
  CommonShape<T> common{ranks, CommonExtents(rank)};
  if (ranks.Fails()) return common;
  const bool ranks_known = ranks.Holds();
  Judgement& judgement = common.judgement;
  judgement = {"BRO-2", Verdict::kHolds, 0, ranks.second};
  if (!ranks_known && operands.count() > 1) judgement.why = UndecidedBy::kShape;

  CommonExtents& numbers = common.numbers;
  std::conditional_t<kNumbers<T>, std::monostate, std::vector<SymbolsOfDimension>> symbols;
  if constexpr (!kNumbers<T>) symbols.resize(rank);
  for (std::size_t m = 0; m < operands.count(); ++m) {
    const std::size_t own_rank = operands.rank(m).value_or(0);
    for (std::size_t d = 0; d < own_rank; ++d) {
      const std::size_t j = CommonDimension(d, own_rank, rank);
      const auto extent = operands.extent(m, d);
      std::int64_t number = 1;
      if constexpr (kNumbers<T>) {
        number = extent;
      } else if (extent.number) {
        number = *extent.number;
      } else {
        symbols[j].Add(extent, m);
      }
      if (numbers.Add(j, number, m)) continue;
      judgement = {"BRO-2", Verdict::kFails, numbers.owner(j), m, j, numbers.shape()[j], number};
      return common;
    }
  }
  if constexpr (!kNumbers<T>) {
    if (ranks_known) common.shape.emplace();
    for (std::size_t j = 0; j < rank; ++j) {
      const std::int64_t number = numbers.shape()[j];
      if (judgement.why == UndecidedBy::kNothing) {
        symbols[j].Judge(number, numbers.owner(j), judgement);
        if (judgement.why != UndecidedBy::kNothing) judgement.dimension = j;
      }
      if (ranks_known) common.shape->push_back(symbols[j].Common(number));
    }
    if (judgement.why != UndecidedBy::kNothing) judgement.verdict = Verdict::kUndecided;
  }
  return common;
}

/// "input 'a' has shape [2] and input 'b' has shape [3]".
template <OperandList T>
std::string TwoShapes(const Judgement& judgement, const T& operands) {
  return operands.who(judgement.first) + " has shape " + operands.shape_text(judgement.first) + " and " +
         operands.who(judgement.second) + " has shape " + operands.shape_text(judgement.second);
}

/// The error of a failing JudgeOneType or JudgeAdmitted.
template <OperandList T, class Version>
Error TypeErrorOf(const Judgement& judgement, const T& operands, Version version) {
  const std::string who = operands.who(judgement.first);
  const ElementType type = operands.type(judgement.first);
  if (judgement.rule == "TYP-2") {
    const std::size_t m = judgement.second;
    return TypeMismatchError(operands.who(m), operands.type(m).name(), who, type.name());
  }
  if (judgement.rule == "PRO-1") {
    return MakeError(ErrorCode::kSparseTensor, "PRO-1", who + " is a sparse tensor",
                     "; store it as a dense one");
  }
  if constexpr (std::is_same_v<Version, MaxVersion>) {
    return TypeNotAdmittedError(
        who, type.name(), version,
        type.dtype ? TypeAdvice(*type.dtype) : "convert it to one of the twelve types before");
  } else {
    return TypeNotAdmittedError(who, type.name(), version);
  }
}

/// The type of the output, absent if no operand's type is known. Requires: there is an operand.
///
/// Errors: kTypeMismatch (TYP-2); kTypeNotAdmitted (TYP-3 to TYP-5); kSparseTensor (PRO-1).
template <OperandList T, class Version>
Result<std::optional<DType>> CheckTypes(const T& operands, Version version) {
  // Nearly always all have one type that is admitted: judgements, whose facts an error needs, take longer.
  const ElementType first = operands.type(0);
  bool are_alike =
      first.dtype && first.stated.empty() && IsValid(*first.dtype) && Admits(version, *first.dtype);
  for (std::size_t m = 1; are_alike && m < operands.count(); ++m) {
    const ElementType type = operands.type(m);
    are_alike = type.dtype == first.dtype && type.stated.empty();
  }
  if (are_alike) return first.dtype;
  const TypeJudgements judged = JudgeTypes(operands, version);
  if (judged.one_type.Fails()) return TypeErrorOf(judged.one_type, operands, version);
  if (judged.admitted.Fails()) return TypeErrorOf(judged.admitted, operands, version);
  return judged.dtype;
}

/// The error of a failing JudgeRanks, JudgeBroadcast or JudgeOneShape.
template <OperandList T>
Error ShapeErrorOf(const Judgement& judgement, const T& operands, MaxVersion version) {
  const auto& [rule, verdict, first, second, dimension, first_extent, second_extent, why] = judgement;
  if (rule == "BRO-4") return RankError(operands.who(second), *operands.rank(second));
  if (rule == "BRO-2") {
    const std::size_t rank = *operands.rank(JudgeRanks(operands).first);
    return NotBroadcastableError({operands.who(first), operands.shape_text(first), *first_extent.number},
                                 {operands.who(second), operands.shape_text(second), *second_extent.number},
                                 *dimension, rank);
  }
  std::string what = TwoShapes(judgement, operands) + "; ";
  if constexpr (kNumbers<T>) {
    what += dimension
                ? "in dimension " + std::to_string(*dimension) + " their extents are " +
                      std::to_string(*first_extent.number) + " and " + std::to_string(*second_extent.number)
                : "their ranks are " + std::to_string(*operands.rank(first)) + " and " +
                      std::to_string(*operands.rank(second));
    what += ". ";
  }
  if (rule == "MAX-3") return DifferentShapesError(what, version);
  return MakeError(ErrorCode::kBroadcastRefused, "PRO-6", what + "Broadcasting is switched off",
                   ": give all inputs one shape");
}

}  // namespace supremum

#endif  // SUPREMUM_SRC_RULES_JUDGE_H_
