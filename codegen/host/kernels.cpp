#include "codegen/host/kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "codegen/c_expr.h"
#include "codegen/cuda/kernel_text.h"
#include "codegen/cuda/kernel_traits.h"
#include "codegen/host/c_writer.h"
#include "codegen/host/launching.h"
#include "ir/nest/threads.h"
#include "ir/nest/traverse.h"

namespace heddle::codegen::host {

namespace {

namespace ir = heddle::host;

bool can_fail(const nest::Kernel& kernel) {
  bool found = false;
  nest::for_each_stmt(kernel.body, [&](const nest::Stmt& s) { found |= std::holds_alternative<nest::Fail>(s->node); });
  return found;
}

// Of a block, where they are as many in all launches; else 0.
int64_t threads_of_each_block(const nest::Kernel& kernel) {
  return nest::int_constant(nest::block_size(kernel)).value_or(0);
}

// Of one string literal; C promises no more than 4095 characters.
constexpr size_t kMaxPiece = 3500;

std::string table(const ir::Program& program, bool cpu) {
  CWriter out;
  if (program.kernels.empty()) return "";
  out.open("{} const struct hd_kernel kernels[] =", cpu ? "HD_TABLE" : "static");
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    const nest::Kernel& k = program.kernels[i];
    out.line("{{{}, {}, {}, {}, {}, {}, {}, {}}},", c_string(k.name), has_barriers(k), cpu ? k.name + "_cpu" : "NULL",
             cpu ? "NULL" : fmt::format("kernel_text{}", i), threads_of_each_block(k), cpu && waits_for_blocks(k),
             cpu && mostly_updates(k), cpu && updates_some(k));
  }
  out.close(";");
  out.blank();
  return out.text();
}

// Each literal holds whole lines, unless a line is longer than a literal may be.
void add_literals(CWriter& out, std::string_view text) {
  size_t piece = 0;
  std::string line;
  while (!text.empty()) {
    size_t length = std::min({text.find('\n') + 1, text.size(), kMaxPiece});
    if (length == 0) length = std::min(text.size(), kMaxPiece);
    if (piece + length > kMaxPiece) {
      line += ",";
      piece = 0;
    }
    if (!line.empty()) out.line("{}", line);
    line = c_string(text.substr(0, length));
    piece += length;
    text.remove_prefix(length);
  }
  if (!line.empty()) out.line("{},", line);
}

std::string specialized_table(const ir::Program& program) {
  CWriter out, table;
  for (size_t i = 0; i < program.family_kernels.size(); ++i) {
    const nest::Kernel& kernel = program.family_kernels[i].kernel;
    out.open("static const char *const specialized_text{}[] =", i);
    add_literals(out, kernel_text(kernel));
    out.line("NULL,");
    out.close(";");
    out.open("static const char *const specialized_constants{}[] =", i);
    for (const Name& n : kernel.constants) out.line("{},", c_string(c_name(n)));
    out.close(";");
    table.line("{{{}, {}, specialized_text{}, {}, specialized_constants{}, hd_{}_family}},", c_string(kernel.name),
               c_string(program.family_kernels[i].label), i, kernel.constants.size(), i,
               program.family_kernels[i].family);
  }
  if (program.family_kernels.empty()) return "";
  out.open("static const struct hd_specialized_kernel specialized[] =");
  out.nested(table);
  out.close(";");
  out.blank();
  return out.text();
}

}  // namespace

ir::Program with_c_names(ir::Program program) {
  std::unordered_set<std::string> taken;
  auto rename = [&](nest::Kernel& kernel) {
    std::string base = c_identifier(kernel.name);
    kernel.name = base;
    for (int i = 1; !taken.insert(kernel.name).second; ++i) kernel.name = fmt::format("{}_v{}", base, i);
  };
  for (nest::Kernel& k : program.kernels) rename(k);
  for (ir::FamilyKernel& f : program.family_kernels) rename(f.kernel);
  return program;
}

std::string cpu_kernels(const ir::Program& program) {
  std::vector<std::string> texts;
  size_t length = 0;
  for (const nest::Kernel& k : program.kernels) {
    texts.push_back(kernel_text(k, {.on_processor = true}) + "\n" + cpu_trampoline(k) + "\n");
    length += texts.back().size();
  }
  std::string first, second, declared;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (first.empty() || 2 * first.size() + texts[i].size() <= length) {
      first += texts[i];
    } else {
      second += texts[i];
      declared += fmt::format("HD_API void {}_cpu(const struct hd_cpu_launch *launch, void **args);\n",
                              program.kernels[i].name);
    }
  }
  std::string all = table(program, true);
  if (second.empty()) return "#if HD_KERNELS_HALF != 1\n" + first + all + "#endif\n";
  return "#if HD_KERNELS_HALF != 0\n" + second + "#endif\n#if HD_KERNELS_HALF != 1\n" + declared + first + all +
         "#endif\n";
}

std::string cuda_kernels(const ir::Program& program, std::string_view device_text, std::string_view builtins) {
  // Kernels are queued long before an earlier one is known to have failed.
  KernelTextOptions options;
  options.check_earlier_failure = std::any_of(program.kernels.begin(), program.kernels.end(), can_fail);
  const std::vector<bool> beside_others = kernels_beside_others(program);
  CWriter out;
  out.open("static const char *const device_text[] =");
  add_literals(out, device_text);
  out.line("NULL,");
  out.close(";");
  out.open("static const char *const kernel_text[] =");
  add_literals(out, builtins);
  out.line("NULL,");
  out.close(";");
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    out.open("static const char *const kernel_text{}[] =", i);
    options.beside_others = beside_others[i];
    add_literals(out, kernel_text(program.kernels[i], options));
    out.line("NULL,");
    out.close(";");
  }
  out.blank();
  return out.text() + table(program, false) + specialized_table(program);
}

}  // namespace heddle::codegen::host
