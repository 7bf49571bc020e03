#include "codegen/host/type_table.h"

#include <map>

#include "codegen/host/c_writer.h"
#include "codegen/host/scalar_text.h"

namespace heddle::codegen::host {

namespace {

std::string value_type_name(const seg::ValueType& t) {
  std::string elem(prim::name(t.elem));
  if (t.is_unsigned && prim::is_int(t.elem)) elem[0] = 'u';
  std::string dims;
  for (int i = 0; i < t.rank; ++i) dims += "[]";
  return dims + elem;
}

const std::vector<seg::RecordField>* fields(const seg::OpaqueDef& def) {
  if (const auto* record = std::get_if<seg::OpaqueRecord>(&def.def)) return &record->fields;
  if (const auto* array = std::get_if<seg::OpaqueRecordArray>(&def.def)) return &array->fields;
  return nullptr;
}

const std::vector<seg::ValueType>* values(const seg::OpaqueDef& def) {
  if (const auto* opaque = std::get_if<seg::OpaqueType>(&def.def)) return &opaque->values;
  if (const auto* sum = std::get_if<seg::OpaqueSum>(&def.def)) return &sum->values;
  if (const auto* array = std::get_if<seg::OpaqueArray>(&def.def)) return &array->values;
  return nullptr;
}

// Every type that a definition mentions.
std::vector<seg::EntryType> mentioned(const seg::OpaqueDef& def) {
  std::vector<seg::EntryType> types;
  if (const auto* all = fields(def)) {
    for (const seg::RecordField& f : *all) types.push_back(f.type);
  }
  if (const auto* sum = std::get_if<seg::OpaqueSum>(&def.def)) {
    for (const seg::SumVariant& v : sum->variants) {
      for (const seg::SumPayload& p : v.payloads) types.push_back(p.type);
    }
  }
  return types;
}

}  // namespace

std::string TypeTable::name(const seg::EntryType& type) {
  if (const auto* value = std::get_if<seg::ValueType>(&type)) return value_type_name(*value);
  return std::get<seg::OpaqueRef>(type).name;
}

TypeTable::TypeTable(const heddle::host::Program& program) {
  std::map<std::string, Entry> sorted;
  auto add = [&](const seg::EntryType& type) {
    std::string key = name(type);
    sorted.try_emplace(key, Entry{key, type, nullptr});
  };
  for (const seg::OpaqueDef& def : program.types) {
    sorted[def.name] = Entry{def.name, seg::OpaqueRef{def.name}, &def};
    defs_[def.name] = &def;
    for (const seg::EntryType& t : mentioned(def)) add(t);
  }
  for (const heddle::host::Function& f : program.functions) {
    for (const seg::EntryParam& p : f.entry.params) add(p.type);
    for (const seg::EntryResult& r : f.entry.results) add(r.type);
  }
  for (auto& [key, entry] : sorted) {
    if (entry.def == nullptr && defs_.contains(key)) entry.def = defs_[key];
    index_[key] = static_cast<int>(entries_.size());
    entries_.push_back(std::move(entry));
  }
}

std::string TypeTable::element(const std::string& elem) const {
  std::string name = elem;
  while (name.starts_with("[]") && defs_.contains(name.substr(2))) name = name.substr(2);
  return name;
}

std::vector<seg::ValueType> TypeTable::constituents(const seg::EntryType& type) const {
  std::vector<seg::ValueType> out;
  add_constituents(type, 0, out);
  return out;
}

void TypeTable::add_constituents(const seg::EntryType& type, size_t depth, std::vector<seg::ValueType>& out) const {
  if (const auto* value = std::get_if<seg::ValueType>(&type)) return out.push_back(*value);
  auto it = defs_.find(std::get<seg::OpaqueRef>(type).name);
  // Definitions that lead back to themselves have no values.
  if (it == defs_.end() || depth > defs_.size()) return;
  const seg::OpaqueDef& def = *it->second;
  if (const auto* all = values(def)) out.insert(out.end(), all->begin(), all->end());
  if (const auto* all = fields(def)) {
    for (const seg::RecordField& f : *all) add_constituents(f.type, depth + 1, out);
  }
}

// ---- C text. ----

namespace {

std::string kind_text(const seg::OpaqueDef* def) {
  if (!def) return "HD_TYPE_TRANSPARENT";
  static constexpr const char* kKinds[] = {"HD_TYPE_OPAQUE", "HD_TYPE_RECORD", "HD_TYPE_SUM", "HD_TYPE_OPAQUE_ARRAY",
                                           "HD_TYPE_RECORD_ARRAY"};
  return kKinds[def->def.index()];
}

// `static const TYPE NAME[] = {ITEMS};`, and what to refer to it by.
std::string static_array(CWriter& out, const std::string& type, const std::string& name,
                         const std::vector<std::string>& items) {
  if (items.empty()) return "NULL";
  out.open("static const {} {}[] =", type, name);
  out.list(items);
  out.close(";");
  return name;
}

}  // namespace

std::string TypeTable::variants_text(CWriter& out, const std::string& prefix, const seg::OpaqueSum& sum) const {
  std::vector<std::string> variants;
  for (size_t v = 0; v < sum.variants.size(); ++v) {
    std::string own = fmt::format("{}_variant{}", prefix, v);
    std::vector<std::string> types, slots;
    for (size_t p = 0; p < sum.variants[v].payloads.size(); ++p) {
      const seg::SumPayload& payload = sum.variants[v].payloads[p];
      std::vector<std::string> numbers;
      for (int s : payload.slots) numbers.push_back(std::to_string(s));
      types.push_back(std::to_string(index(payload.type)));
      slots.push_back(static_array(out, "int", fmt::format("{}_payload{}", own, p), numbers));
    }
    std::string all_types = static_array(out, "int", own + "_types", types);
    std::string all_slots = static_array(out, "int *const", own + "_slots", slots);
    variants.push_back(
        fmt::format("{{{}, {}, {}, {}}}", c_string(sum.variants[v].name), types.size(), all_types, all_slots));
  }
  return static_array(out, "struct hd_variant", prefix + "_variants", variants);
}

std::string TypeTable::c_text() const {
  CWriter out, table;
  for (size_t i = 0; i < entries_.size(); ++i) {
    const Entry& e = entries_[i];
    std::string prefix = fmt::format("type{}", i);
    std::vector<std::string> parts;
    for (const seg::ValueType& v : constituents(e.type)) {
      parts.push_back(fmt::format("{{{}, {}, {}}}", c_enum(v.elem), v.is_unsigned, v.rank));
    }
    table.open("");
    table.line(".name = {},", c_string(e.name));
    table.line(".kind = {},", kind_text(e.def));
    table.line(".num_constituents = {},", parts.size());
    table.line(".constituents = {},", static_array(out, "struct hd_value_type", prefix + "_constituents", parts));
    int rank = 0, elem = -1;
    if (e.def) {
      if (const auto* all = fields(*e.def)) {
        std::vector<std::string> items;
        for (const seg::RecordField& f : *all)
          items.push_back(fmt::format("{{{}, {}}}", c_string(f.name), index(f.type)));
        table.line(".num_fields = {},", items.size());
        table.line(".fields = {},", static_array(out, "struct hd_field", prefix + "_fields", items));
      }
      if (const auto* sum = std::get_if<seg::OpaqueSum>(&e.def->def)) {
        table.line(".num_variants = {},", sum->variants.size());
        table.line(".variants = {},", variants_text(out, prefix, *sum));
      }
      auto find = [&](int array_rank, const std::string& elem_name) {
        rank = array_rank;
        auto it = index_.find(element(elem_name));
        if (it != index_.end()) elem = it->second;
      };
      if (const auto* array = std::get_if<seg::OpaqueArray>(&e.def->def)) find(array->rank, array->elem);
      if (const auto* array = std::get_if<seg::OpaqueRecordArray>(&e.def->def)) find(array->rank, array->elem);
    }
    table.line(".array_rank = {},", rank);
    table.line(".elem_type = {},", elem);
    table.close(",");
  }
  if (entries_.empty()) return "";
  out.open("static const struct hd_type types[] =");
  out.nested(table);
  out.close(";");
  out.blank();
  return out.text();
}

}  // namespace heddle::codegen::host
