#include "codegen/host/entry_table.h"

#include <algorithm>

#include "codegen/host/c_writer.h"

namespace heddle::codegen::host {

std::vector<EntryFunction> entry_functions(const heddle::host::Program& program) {
  std::vector<EntryFunction> entries;
  for (const heddle::host::Function& f : program.functions) entries.push_back({&f, ""});
  std::sort(entries.begin(), entries.end(), [](const EntryFunction& a, const EntryFunction& b) {
    return a.function->entry.name < b.function->entry.name;
  });
  for (size_t i = 0; i < entries.size(); ++i) {
    entries[i].c_name = fmt::format("run{}_{}", i, c_identifier(entries[i].function->entry.name));
  }
  return entries;
}

std::string entries_table(const std::vector<EntryFunction>& entries, const TypeTable& types) {
  if (entries.empty()) return "";
  CWriter out, table;
  for (const EntryFunction& e : entries) {
    const seg::EntryPoint& entry = e.function->entry;
    auto static_list = [&](const std::string& name, const std::vector<std::string>& items) -> std::string {
      if (items.empty()) return "NULL";
      out.open("static const struct hd_param_type {}[] =", name);
      out.list(items);
      out.close(";");
      return name;
    };
    std::vector<std::string> inputs, outputs;
    for (const seg::EntryParam& p : entry.params) {
      inputs.push_back(fmt::format("{{{}, {}, {}}}", c_string(p.name), types.index(p.type), p.unique));
    }
    for (const seg::EntryResult& r : entry.results) {
      outputs.push_back(fmt::format("{{NULL, {}, {}}}", types.index(r.type), r.unique));
    }
    table.line("{{{}, {}, {}, {}, {}, {}}},", c_string(entry.name), inputs.size(),
               static_list(e.c_name + "_inputs", inputs), outputs.size(), static_list(e.c_name + "_outputs", outputs),
               e.c_name);
  }
  out.open("static const struct hd_entry entries[] =");
  out.nested(table);
  out.close(";");
  out.blank();
  return out.text();
}

std::string program_table(const heddle::host::Program& program, const TypeTable& types,
                          const std::vector<EntryFunction>& entries, Target target, const std::string& name) {
  CWriter out;
  auto table = [&](std::string_view name, size_t size) {
    out.line(".num_{} = {},", name, size);
    out.line(".{} = {},", name, size == 0 ? "NULL" : name);
  };
  bool cpu = target == Target::Cpu;
  // Of the backend's own part of the runtime, programs know no more than this.
  out.line("HD_API const struct hd_backend_ops *{}(void);", cpu ? "hd_backend_cpu" : "hd_backend_cuda");
  out.open("static const struct hd_program hd_this_program =");
  out.line(".backend = {},", cpu ? "HD_BACKEND_CPU" : "HD_BACKEND_CUDA");
  out.line(".backend_ops = {},", cpu ? "hd_backend_cpu" : "hd_backend_cuda");
  out.line(".name = {},", c_string(name));
  table("types", static_cast<size_t>(types.size()));
  table("entries", entries.size());
  out.line(".num_params = {},", program.params.size());
  out.line(".params = {},", program.params.empty() ? "NULL" : "tuning_params");
  table("failures", program.failures.size());
  table("kernels", program.kernels.size());
  out.line(".device_text = {},", cpu ? "NULL" : "device_text");
  out.line(".kernel_text = {},", cpu ? "NULL" : "kernel_text");
  table("specialized", program.family_kernels.size());
  out.line(".num_constants = {},", program.constants.size());
  out.line(".init_constants = {},", has_init(program) ? "init_constants" : "NULL");
  out.close(";");
  out.blank();
  return out.text();
}

}  // namespace heddle::codegen::host
