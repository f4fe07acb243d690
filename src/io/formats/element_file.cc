#include "io/formats/element_file.h"

#include <utility>

#include "io/formats/npy.h"
#include "io/formats/raw.h"

namespace supremum::io {

bool HasElementsInOnePiece(std::string_view spec) {
  return LooksLikeRaw(spec) || (spec.ends_with(".npy") && !SplitTensorName(std::string(spec)).tensor);
}

Result<ElementFile> OpenElements(const std::string& spec, std::optional<DType> stated) {
  if (LooksLikeRaw(spec)) {
    Result<RawFile> raw = OpenRaw(spec, stated);
    if (!raw) return raw.error();
    return ElementFile{std::move(raw->file), raw->spec.dtype, raw->spec.shape};
  }
  Result<InputFile> file = InputFile::Open(spec);
  if (!file) return file.error();
  const Result<NpyHeader> header = ReadNpyHeader(*file, {.stated_dtype = stated});
  if (!header) return header.error();
  return ElementFile{*std::move(file),    header->dtype,      header->shape,
                     header->data_offset, header->big_endian, header->fortran_order};
}

Result<Tensor> ReadElements(const ElementFile& elements, std::int64_t max_bytes) {
  const bool raw = elements.offset == 0;  // a .npy file begins with a header
  return ReadNpyElements(
      elements.file,
      {elements.dtype, elements.big_endian, elements.fortran_order, elements.shape, elements.offset},
      max_bytes, raw ? kRawBoolAdvice : kNpyBoolAdvice);
}

}  // namespace supremum::io
