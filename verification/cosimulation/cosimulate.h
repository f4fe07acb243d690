// Co-simulation: each form of an instruction that the lane functions use, as the processor executes it and as
// the proofs' model has it (verification/proofs/smt).
#ifndef SUPREMUM_VERIFICATION_COSIMULATION_COSIMULATE_H_
#define SUPREMUM_VERIFICATION_COSIMULATION_COSIMULATE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace supremum::test {

using Vector = std::uint64_t[8];

/// The number of vectors of 64 bytes that an instruction's operands are read from, in the order of the
/// operands.
inline constexpr std::size_t kInputs = 8;

/// A form of an instruction. cpp.py writes the table of them.
struct Form {
  const char* text;
  const char* needs;                           ///< avx2, avx512 or nothing; on Arm neon, sve_128 or sve_256
  std::size_t outputs;                         ///< 64-bit elements that are written
  void (*execute)(const void* in, void* out);  ///< the processor
  void (*model)(const Vector* in, std::uint64_t* out);
};

extern const Form kForms[];
extern const std::size_t kFormCount;

/// Compares a form with its model on all triples of special patterns of each width and on `rounds` random
/// inputs of 512 bits, with subnormal numbers kept and flushed. Returns an empty text if they agree and no
/// floating-point flag is set, otherwise what differs.
std::string Difference(const Form& form, std::uint64_t rounds);

/// True if this processor has the form's instruction.
bool Runs(const Form& form);

/// True if the comparison finds no difference although the model is that of another form, of those that need
/// this, or of all: it is useless.
bool WrongModelAgrees(std::string_view needs = {});

}  // namespace supremum::test

#endif  // SUPREMUM_VERIFICATION_COSIMULATION_COSIMULATE_H_
