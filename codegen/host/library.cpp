#include "codegen/host/library.h"

#include <nlohmann/json.hpp>
#include <set>

#include "codegen/host/api_names.h"
#include "codegen/host/sound_types.h"
#include "embedded_library_header.h"
#include "embedded_library_header_cpu.h"
#include "embedded_library_header_cuda.h"

namespace heddle::codegen::host {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kIncludes = R"(
#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

)";

// The API is the same with and without CUDA's own headers, which declare the type in the same way. futhark-ffi reads
// headers without the lines that begin with # and has a type of that name already.
constexpr std::string_view kCuda = R"(#define FUTHARK_BACKEND_cuda
/* An address in the device's memory. For programs that read this without a preprocessor, all of this is a comment:
#*/ typedef unsigned long long CUdeviceptr; /*
*/

)";
constexpr std::string_view kCpu = "#define FUTHARK_BACKEND_c\n\n";

constexpr std::string_view kEnd = R"(
#ifdef __cplusplus
}
#endif
)";

// How a value crosses the API: `name` is that of the parameter.
struct Crossing {
  std::string in_type, out_type;  // up to the parameter's name
  bool scalar;
  std::string in(const std::string& name) const { return in_type + name; }
  std::string out(const std::string& name) const { return out_type + name; }
  std::string address(const std::string& name) const { return scalar ? "&" + name : name; }
};

std::string pointers(const std::string& type, const std::vector<std::string>& items) {
  return items.empty() ? "NULL" : fmt::format("({}[]){{{}}}", type, join(items));
}
std::string ins(const std::vector<std::string>& items) { return pointers("const void *const", items); }
std::string outs(const std::vector<std::string>& items) { return pointers("void *const", items); }

class ApiWriter {
 public:
  ApiWriter(const TypeTable& types, Target target) : types_(types), cuda_(target == Target::Cuda) {}

  void array(const TypeTable::Entry& type);
  void opaque(const TypeTable::Entry& type);
  void entry_point(const EntryFunction& entry, size_t number, const heddle::host::Program& program);

  std::string structs, declarations, definitions;
  Json manifest_types = Json::object(), manifest_entries = Json::object();
  std::string clash;  // a name that two functions would have

 private:
  // Declares and defines; yields the name.
  std::string add(const std::string& returns, const std::string& name, const std::vector<std::string>& params,
                  const std::string& value);
  std::string declare_struct(const std::string& name);
  Crossing crossing(const seg::EntryType& type) const;
  std::string index_function(const std::string& name, const std::string& out_type, int rank);
  std::string shape_function(const std::string& name);
  Json fields(const std::string& name, const std::vector<seg::RecordField>& fields);
  std::string record_function(const std::string& op, const std::string& name, int number,
                              const std::vector<seg::RecordField>& fields);

  Json extra(const seg::OpaqueType& def, const std::string& name, int number);
  Json extra(const seg::OpaqueRecord& def, const std::string& name, int number);
  Json extra(const seg::OpaqueSum& def, const std::string& name, int number);
  Json extra(const seg::OpaqueArray& def, const std::string& name, int number);
  Json extra(const seg::OpaqueRecordArray& def, const std::string& name, int number);

  const TypeTable& types_;
  bool cuda_;
  std::set<std::string> names_;
};

std::string ApiWriter::add(const std::string& returns, const std::string& name, const std::vector<std::string>& params,
                           const std::string& value) {
  std::string full = "futhark_" + name;
  if (!names_.insert(full).second) clash = full;
  std::vector<std::string> all = {"struct futhark_context *ctx"};
  all.insert(all.end(), params.begin(), params.end());
  std::string head = fmt::format("{}{}({})", returns, full, join(all));
  declarations += head + ";\n";
  definitions += fmt::format("\n{} {{\n  return {};\n}}\n", head, value);
  return full;
}

std::string ApiWriter::declare_struct(const std::string& name) {
  std::string type = "struct futhark_" + name;
  structs += type + ";\n";
  return type;
}

Crossing ApiWriter::crossing(const seg::EntryType& type) const {
  const auto* value = std::get_if<seg::ValueType>(&type);
  if (value && value->rank == 0) return {"const " + api_type(*value) + " ", api_type(*value) + " *", true};
  std::string name = value ? array_name(*value) : opaque_name(std::get<seg::OpaqueRef>(type).name);
  return {fmt::format("const struct futhark_{} *", name), fmt::format("struct futhark_{} **", name), false};
}

std::vector<std::string> numbered(const std::string& prefix, int n) {
  std::vector<std::string> names;
  for (int i = 0; i < n; ++i) names.push_back(prefix + std::to_string(i));
  return names;
}

std::vector<std::string> sizes(const std::vector<std::string>& names) {
  std::vector<std::string> params;
  for (const std::string& name : names) params.push_back("int64_t " + name);
  return params;
}

std::string c_shape(const std::vector<std::string>& names) {
  return fmt::format("(const int64_t[]){{{}}}", join(names));
}

std::string ApiWriter::index_function(const std::string& name, const std::string& out_type, int rank) {
  std::vector<std::string> indices = numbered("i", rank);
  std::vector<std::string> params = {out_type + "out", fmt::format("struct futhark_{} *arr", name)};
  for (const std::string& p : sizes(indices)) params.push_back(p);
  return add("int ", "index_" + name, params, fmt::format("hd_library_index(ctx, out, arr, {})", c_shape(indices)));
}

std::string ApiWriter::shape_function(const std::string& name) {
  return add("const int64_t *", "shape_" + name, {fmt::format("struct futhark_{} *arr", name)},
             "hd_library_shape(ctx, arr)");
}

void ApiWriter::array(const TypeTable::Entry& type) {
  const auto& value = std::get<seg::ValueType>(type.type);
  std::string name = array_name(value), elem = api_type(value), object = declare_struct(name);
  int number = types_.index(type.type);
  std::vector<std::string> dims = numbered("dim", value.rank);
  auto with_dims = [&](const std::string& data) {
    std::vector<std::string> params = {data};
    for (const std::string& p : sizes(dims)) params.push_back(p);
    return params;
  };
  std::string raw = cuda_ ? "CUdeviceptr " : "unsigned char *";
  std::string array = object + " *arr";
  Json ops;
  ops["new"] = add(object + " *", "new_" + name, with_dims(fmt::format("const {} *data", elem)),
                   fmt::format("hd_library_new_array(ctx, {}, data, {})", number, c_shape(dims)));
  ops["new_raw"] = add(object + " *", "new_raw_" + name, with_dims(raw + "data"),
                       fmt::format("hd_library_new_raw(ctx, {}, {}data, {})", number,
                                   cuda_ ? "(void *)(uintptr_t)" : "", c_shape(dims)));
  ops["free"] = add("int ", "free_" + name, {array}, "hd_library_release(ctx, arr)");
  ops["values"] = add("int ", "values_" + name, {array, elem + " *data"}, "hd_library_values(ctx, arr, data)");
  ops["index"] = index_function(name, elem + " *", value.rank);
  ops["values_raw"] = add(raw, "values_raw_" + name, {array},
                          fmt::format("{}hd_library_values_raw(ctx, arr)", cuda_ ? "(CUdeviceptr)(uintptr_t)" : ""));
  ops["shape"] = shape_function(name);
  seg::ValueType scalar = value;
  scalar.rank = 0;
  manifest_types[type.name] = {{"kind", "array"},
                               {"ctype", object + " *"},
                               {"rank", value.rank},
                               {"elemtype", TypeTable::name(scalar)},
                               {"ops", ops}};
}

void ApiWriter::opaque(const TypeTable::Entry& type) {
  std::string name = opaque_name(type.name), object = declare_struct(name);
  int number = types_.index(type.type);
  Json ops;
  ops["free"] = add("int ", "free_" + name, {object + " *obj"}, "hd_library_release(ctx, obj)");
  ops["store"] = add("int ", "store_" + name, {fmt::format("const {} *obj", object), "void **p", "size_t *n"},
                     "hd_library_store(ctx, obj, p, n)");
  ops["restore"] =
      add(object + " *", "restore_" + name, {"const void *p"}, fmt::format("hd_library_restore(ctx, {}, p)", number));
  Json entry = std::visit([&](const auto& def) { return extra(def, name, number); }, type.def->def);
  entry["kind"] = "opaque";
  entry["ctype"] = object + " *";
  entry["ops"] = ops;
  manifest_types[type.name] = entry;
}

Json ApiWriter::fields(const std::string& name, const std::vector<seg::RecordField>& fields) {
  Json list = Json::array();
  for (size_t i = 0; i < fields.size(); ++i) {
    std::string project = add("int ", fmt::format("project_{}_{}", name, escaped_suffix(fields[i].name)),
                              {crossing(fields[i].type).out("out"), fmt::format("const struct futhark_{} *obj", name)},
                              fmt::format("hd_library_project(ctx, {}, out, obj)", i));
    list.push_back({{"name", fields[i].name}, {"type", TypeTable::name(fields[i].type)}, {"project", project}});
  }
  return list;
}

std::string ApiWriter::record_function(const std::string& op, const std::string& name, int number,
                                       const std::vector<seg::RecordField>& fields) {
  std::vector<std::string> params = {fmt::format("struct futhark_{} **out", name)}, args;
  for (const seg::RecordField& f : fields) {
    Crossing field = crossing(f.type);
    std::string param = "f_" + escaped_suffix(f.name);
    params.push_back(field.in(param));
    args.push_back(field.address(param));
  }
  return add("int ", op + "_" + name, params,
             fmt::format("hd_library_new_record(ctx, {}, out, {})", number, ins(args)));
}

Json ApiWriter::extra(const seg::OpaqueType&, const std::string&, int) { return Json::object(); }

Json ApiWriter::extra(const seg::OpaqueRecord& def, const std::string& name, int number) {
  Json list = fields(name, def.fields);
  return {{"record", {{"fields", list}, {"new", record_function("new", name, number, def.fields)}}}};
}

Json ApiWriter::extra(const seg::OpaqueSum& def, const std::string& name, int number) {
  Json variants = Json::array();
  for (size_t v = 0; v < def.variants.size(); ++v) {
    const seg::SumVariant& variant = def.variants[v];
    std::vector<std::string> in_params, out_params, in_args, out_args;
    Json payload = Json::array();
    for (size_t i = 0; i < variant.payloads.size(); ++i) {
      Crossing value = crossing(variant.payloads[i].type);
      std::string param = fmt::format("v{}", i);
      in_params.push_back(value.in(param));
      in_args.push_back(value.address(param));
      out_params.push_back(value.out(param));
      out_args.push_back(param);
      payload.push_back(TypeTable::name(variant.payloads[i].type));
    }
    in_params.insert(in_params.begin(), fmt::format("struct futhark_{} **out", name));
    out_params.push_back(fmt::format("const struct futhark_{} *obj", name));
    std::string suffix = name + "_" + escaped_suffix(variant.name);
    variants.push_back(
        {{"name", variant.name},
         {"payload", payload},
         {"construct", add("int ", "new_" + suffix, in_params,
                           fmt::format("hd_library_new_sum(ctx, {}, {}, out, {})", number, v, ins(in_args)))},
         {"destruct", add("int ", "destruct_" + suffix, out_params,
                          fmt::format("hd_library_destruct(ctx, {}, {}, obj)", v, outs(out_args)))}});
  }
  std::string variant =
      add("int ", "variant_" + name, {fmt::format("const struct futhark_{} *v", name)}, "hd_library_variant(ctx, v)");
  return {{"sum", {{"variants", variants}, {"variant", variant}}}};
}

Json ApiWriter::extra(const seg::OpaqueArray& def, const std::string& name, int) {
  std::string elem = types_.element(def.elem);
  std::string out = crossing(seg::OpaqueRef{elem}).out_type;
  return {{"opaque_array",
           {{"rank", def.rank},
            {"elemtype", elem},
            {"index", index_function(name, out, def.rank)},
            {"shape", shape_function(name)}}}};
}

Json ApiWriter::extra(const seg::OpaqueRecordArray& def, const std::string& name, int number) {
  std::string elem = types_.element(def.elem);
  std::string out = crossing(seg::OpaqueRef{elem}).out_type;
  Json list = fields(name, def.fields);
  return {{"record_array",
           {{"rank", def.rank},
            {"elemtype", elem},
            {"fields", list},
            {"zip", record_function("zip", name, number, def.fields)},
            {"index", index_function(name, out, def.rank)},
            {"shape", shape_function(name)}}}};
}

void ApiWriter::entry_point(const EntryFunction& entry, size_t number, const heddle::host::Program& program) {
  const seg::EntryPoint& e = entry.function->entry;
  std::vector<std::string> params, out_args, in_args;
  Json outputs = Json::array(), inputs = Json::array(), tuning = Json::array();
  for (size_t i = 0; i < e.results.size(); ++i) {
    std::string param = fmt::format("out{}", i);
    params.push_back(crossing(e.results[i].type).out(param));
    out_args.push_back(param);
    outputs.push_back({{"type", TypeTable::name(e.results[i].type)}, {"unique", e.results[i].unique}});
  }
  for (size_t i = 0; i < e.params.size(); ++i) {
    Crossing value = crossing(e.params[i].type);
    std::string param = fmt::format("in{}", i);
    params.push_back(value.in(param));
    in_args.push_back(value.address(param));
    inputs.push_back(
        {{"name", e.params[i].name}, {"type", TypeTable::name(e.params[i].type)}, {"unique", e.params[i].unique}});
  }
  // The parameters of an entry point are those named after it.
  for (const heddle::host::TuningParam& p : program.params) {
    if (p.name.starts_with(e.name + ".")) tuning.push_back(p.name);
  }
  std::string name = add("int ", "entry_" + escaped_name(e.name), params,
                         fmt::format("hd_library_call(ctx, {}, {}, {})", number, outs(out_args), ins(in_args)));
  manifest_entries[e.name] = {{"cfun", name}, {"outputs", outputs}, {"inputs", inputs}, {"tuning_params", tuning}};
}

}  // namespace

Result<LibraryApi> library_api(const std::vector<EntryFunction>& entries, const TypeTable& types,
                               const heddle::host::Program& program, Target target, const std::string& version) {
  if (auto problem = unsound_type(types)) return input_error(*problem);
  ApiWriter writer(types, target);
  for (const TypeTable::Entry& type : types.entries()) {
    const auto* value = std::get_if<seg::ValueType>(&type.type);
    if (!value) writer.opaque(type);
    if (value && value->rank > 0) writer.array(type);
  }
  for (size_t i = 0; i < entries.size(); ++i) writer.entry_point(entries[i], i, program);
  if (!writer.clash.empty()) {
    return input_error(
        fmt::format("two functions of the library would be called {}; give a type, a field or an entry "
                    "point another name",
                    writer.clash));
  }
  bool cuda = target == Target::Cuda;
  LibraryApi api;
  api.header = fmt::format("// Generated by Futhark {}.\n", version);
  api.header += kIncludes;
  api.header += cuda ? kCuda : kCpu;
  api.header += embedded::library_header;
  api.header += cuda ? embedded::library_header_cuda : embedded::library_header_cpu;
  api.header += "\n// Arrays and opaque values\n" + writer.structs + writer.declarations;
  api.header += kEnd;
  api.functions = writer.definitions;
  Json manifest = {{"backend", cuda ? "cuda" : "c"},
                   {"version", version},
                   {"entry_points", writer.manifest_entries},
                   {"types", writer.manifest_types}};
  api.manifest = manifest.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  return api;
}

}  // namespace heddle::codegen::host
