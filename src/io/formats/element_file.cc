#include "io/formats/element_file.h"

#include <utility>

#include "core/quote.h"
#include "io/formats/npy.h"
#include "io/formats/raw.h"
#include "io/formats/safetensors.h"

namespace supremum::io {

bool HasElementsInOnePiece(std::string_view spec) {
  if (LooksLikeRaw(spec)) return true;
  const auto [file, tensor] = SplitTensorName(std::string(spec));
  return file.ends_with(".safetensors") || (file.ends_with(".npy") && !tensor);
}

Result<ElementFile> OpenElements(const std::string& spec, std::optional<DType> stated) {
  if (LooksLikeRaw(spec)) {
    Result<RawFile> raw = OpenRaw(spec, stated);
    if (!raw) return raw.error();
    return ElementFile{std::move(raw->file), Quote(raw->spec.file), kRawBoolAdvice, raw->spec.dtype,
                       raw->spec.shape};
  }
  if (const auto [path, tensor] = SplitTensorName(spec); path.ends_with(".safetensors")) {
    return OpenSafetensors(path, stated, tensor);
  }
  Result<InputFile> file = InputFile::Open(spec);
  if (!file) return file.error();
  const Result<NpyHeader> header = ReadNpyHeader(*file, {.stated_dtype = stated});
  if (!header) return header.error();
  return ElementFile{*std::move(file), Quote(spec),         kNpyBoolAdvice,     header->dtype,
                     header->shape,    header->data_offset, header->big_endian, header->fortran_order};
}

}  // namespace supremum::io
