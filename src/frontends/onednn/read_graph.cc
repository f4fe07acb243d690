#include "frontends/onednn/read_graph.h"

#include <charconv>
#include <utility>

#include "core/messages.h"
#include "frontends/onednn/fields.h"

namespace supremum::onednn_front {
namespace {

Kind KindOf(const std::string& kind) {
  if (kind == "ReduceMax") return Kind::kReduceMax;
  if (kind == "Maximum") return Kind::kMaximum;
  return Kind::kOther;
}

// The first number of "3.0.0"; nullopt if the text is not three numbers.
std::optional<std::uint32_t> MajorVersion(const std::string& text) {
  std::optional<std::uint32_t> major;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int part = 0; part < 3; ++part) {
    std::uint32_t number = 0;
    const auto [after, error] = std::from_chars(at, end, number);
    if (error != std::errc() || (part < 2 && (after == end || *after != '.'))) return std::nullopt;
    if (part == 0) major = number;
    at = part < 2 ? after + 1 : after;
  }
  return at == end ? major : std::nullopt;
}

class GraphReader {
 public:
  explicit GraphReader(const std::string& source) { graph_.source = source; }

  Result<Graph> Read(const JsonValue& json) {
    const Result<Fields> fields = Fields::Of(json, graph_.source);
    if (!fields) return fields.error();
    if (Result<void> ok = ReadHead(*fields); !ok) return std::move(ok).error();
    const auto ops = fields->List("graph");
    if (!ops) return ops.error();
    if ((*ops)->empty()) {
      return ErrorAt(ErrorCode::kMalformedFile, graph_.source,
                     "'graph' lists no op; give a file that holds a graph");
    }
    for (const JsonValue& op : **ops) {
      if (Result<void> ok = ReadOp(op); !ok) return std::move(ok).error();
    }
    std::vector<std::uint64_t> ports[2];
    for (std::size_t side : {0u, 1u}) {
      const char* key = side == 0 ? "input_ports" : "output_ports";
      if (fields->Find(key) == nullptr) continue;
      Result<std::vector<std::uint64_t>> ids = fields->Ids(key);
      if (!ids) return ids.error();
      ports[side] = *std::move(ids);
    }
    if (Result<void> ok = Wire(ports[0], ports[1], &graph_); !ok) return std::move(ok).error();
    return std::move(graph_);
  }

 private:
  // Unknown keys are ignored: later versions of oneDNN add hints.
  Result<void> ReadHead(const Fields& fields) {
    if (auto ok = Store(fields.Text("version"), &graph_.version); !ok) return ok;
    const std::optional<std::uint32_t> major = MajorVersion(graph_.version);
    if (!major) {
      return fields.WrongType("version", *fields.Find("version"), "three numbers with dots: '3.0.0'");
    }
    if (*major < 3) {
      return ErrorAt(ErrorCode::kUnsupportedFormat, graph_.source,
                     "it is of version " + Printable(graph_.version) +
                         "; graphs of version 3.0.0 and later are read: write it with a newer oneDNN");
    }
    // Ignored: every engine and every mode of floating-point arithmetic gives the same bits.
    for (const char* hint : {"engine_kind", "fpmath_mode"}) {
      if (Result<std::string> text = fields.Text(hint, ""); !text) return std::move(text).error();
    }
    return {};
  }

  Result<void> ReadOp(const JsonValue& json) {
    Result<Fields> fields =
        Fields::Of(json, graph_.source + ": graph[" + std::to_string(graph_.ops.size()) + "]");
    if (!fields) return std::move(fields).error();
    GraphOp op;
    if (auto ok = Store(fields->Id("id"), &op.info.id); !ok) return ok;
    if (auto ok = Store(fields->Text("name", ""), &op.info.name); !ok) return ok;
    if (auto ok = Store(fields->Text("kind"), &op.info.kind); !ok) return ok;
    op.kind = KindOf(op.info.kind);
    fields->set_where(graph_.source + ": " + supremum::Describe(op.info));
    if (auto ok = fields->Only({"id", "name", "kind", "attrs", "inputs", "outputs"}); !ok) return ok;

    if (const JsonValue* attrs = fields->Find("attrs")) {
      if (attrs->kind != JsonValue::Kind::kObject) return fields->WrongType("attrs", *attrs, "an object");
      auto ok = Store(ReadAttributes(op.kind, *attrs, fields->where()), &op.info.attributes);
      if (!ok) return ok;
    }
    if (auto ok = ReadTensors(*fields, "input", &op.inputs, &op.info.inputs); !ok) return ok;
    if (auto ok = ReadTensors(*fields, "output", &op.outputs, &op.info.outputs); !ok) return ok;
    if (op.kind != Kind::kOther && op.outputs.size() != 1) {
      return ErrorAt(ErrorCode::kMalformedFile, fields->where(),
                     "it has " + std::to_string(op.outputs.size()) + " outputs; the kind has one, dst");
    }
    graph_.ops.push_back(std::move(op));
    return {};
  }

  Result<void> ReadTensors(const Fields& fields, const std::string& side, std::vector<std::size_t>* numbers,
                           std::vector<std::uint64_t>* ids) {
    const auto tensors = fields.List(side + "s");
    if (!tensors) return tensors.error();
    for (const JsonValue& json : **tensors) {
      const std::string where = fields.where() + ": " + side + " " + std::to_string(ids->size());
      Result<OneDnnTensor> tensor = ReadTensor(json, where);
      if (!tensor) return std::move(tensor).error();
      ids->push_back(tensor->id);
      const auto [known, is_new] = graph_.tensor_by_id.emplace(tensor->id, graph_.tensors.size());
      numbers->push_back(known->second);
      if (is_new) {
        graph_.tensors.emplace_back().stated = *std::move(tensor);
        continue;
      }
      const std::string here = where + ", tensor " + std::to_string(tensor->id);
      if (auto ok = Merge(*tensor, here, &graph_.tensors[known->second].stated); !ok) return ok;
    }
    return {};
  }

  Graph graph_;
};

}  // namespace

Result<Graph> ReadGraph(const JsonValue& json, const std::string& source) {
  return GraphReader(source).Read(json);
}

}  // namespace supremum::onednn_front
