// Recognises content of other kinds, for error texts: pointers of Git LFS, web pages, compressed files,
// models as text.
#ifndef SUPREMUM_SRC_CORE_FOREIGN_CONTENT_H_
#define SUPREMUM_SRC_CORE_FOREIGN_CONTENT_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/messages.h"
#include "supremum/result.h"

namespace supremum {

/// The number of first bytes that ForeignContent examines.
inline constexpr std::size_t kForeignHead = 4096;

/// The kind of content that begins with `bytes`, and what to do: "it is a pointer of Git LFS, not the file
/// itself; fetch the file with 'git lfs pull'". Empty if it is none of the known kinds. Requires: a reader
/// has refused the file, since a tensor file may begin with any bytes.
std::string ForeignContent(std::span<const std::byte> bytes);

/// True for errors of content, which the kind of the content may explain.
bool IsContentError(const Error& error);

/// `result`; an error of the content becomes "where: FOREIGN", unless `foreign` is empty.
template <class T>
Result<T> OrContentError(std::string_view where, const std::string& foreign, Result<T> result) {
  if (result || foreign.empty() || !IsContentError(result.error())) return result;
  return ErrorAt(ErrorCode::kMalformedFile, where, foreign);
}

}  // namespace supremum

#endif  // SUPREMUM_SRC_CORE_FOREIGN_CONTENT_H_
