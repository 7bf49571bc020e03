#include "codegen/host/kernels.h"

#include <fmt/format.h>

#include <algorithm>

#include "codegen/c_expr.h"
#include "codegen/cuda/kernel_text.h"
#include "codegen/host/c_writer.h"

namespace heddle::codegen::host {

namespace {

// Of one string literal; C promises no more than 4095 characters.
constexpr size_t kMaxPiece = 3500;

std::string table(const Survey& survey, bool cpu) {
  CWriter out;
  if (survey.kernels.empty()) return "";
  out.open("{} const struct hd_kernel kernels[] =", cpu ? "HD_TABLE" : "static");
  for (const KernelEntry& k : survey.kernels) {
    out.line("{{{}, {}, {}}},", c_string(k.kernel.name), has_barriers(k.kernel), cpu ? k.kernel.name + "_cpu" : "NULL");
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

std::string specialized_table(const Survey& survey) {
  CWriter out, table;
  for (size_t i = 0; i < survey.specialized.size(); ++i) {
    const nest::Kernel& kernel = survey.specialized[i];
    out.open("static const char *const specialized_text{}[] =", i);
    add_literals(out, kernel_text(kernel));
    out.line("NULL,");
    out.close(";");
    out.open("static const char *const specialized_constants{}[] =", i);
    for (const Name& n : kernel.constants) out.line("{},", c_string(c_name(n)));
    out.close(";");
    table.line("{{{}, {}, specialized_text{}, {}, specialized_constants{}, hd_contraction_family}},",
               c_string(kernel.name), c_string(survey.labels[i]), i, kernel.constants.size(), i);
  }
  if (survey.specialized.empty()) return "";
  out.open("static const struct hd_specialized_kernel specialized[] =");
  out.nested(table);
  out.close(";");
  out.blank();
  return out.text();
}

}  // namespace

std::string cpu_kernels(const Survey& survey) {
  std::vector<std::string> texts;
  size_t length = 0;
  for (const KernelEntry& k : survey.kernels) {
    texts.push_back(kernel_text(k.kernel) + "\n" + cpu_trampoline(k.kernel) + "\n");
    length += texts.back().size();
  }
  std::string first, second, declared;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (first.empty() || 2 * first.size() + texts[i].size() <= length) {
      first += texts[i];
    } else {
      second += texts[i];
      declared += fmt::format("HD_API void {}_cpu(const struct hd_cpu_launch *launch, void **args);\n",
                              survey.kernels[i].kernel.name);
    }
  }
  std::string all = table(survey, true);
  if (second.empty()) return "#if HD_KERNELS_HALF != 1\n" + first + all + "#endif\n";
  return "#if HD_KERNELS_HALF != 0\n" + second + "#endif\n#if HD_KERNELS_HALF != 1\n" + declared + first + all +
         "#endif\n";
}

std::string cuda_kernels(const Survey& survey, std::string_view device_text, std::string_view builtins) {
  // Kernels are queued long before an earlier one is known to have failed.
  KernelTextOptions options;
  options.check_earlier_failure =
      std::any_of(survey.kernels.begin(), survey.kernels.end(), [](const KernelEntry& k) { return k.can_fail; });
  CWriter out;
  out.open("static const char *const device_text[] =");
  add_literals(out, device_text);
  out.line("NULL,");
  out.close(";");
  out.open("static const char *const kernel_text[] =");
  add_literals(out, builtins);
  for (const KernelEntry& k : survey.kernels) {
    out.blank();
    add_literals(out, kernel_text(k.kernel, options));
  }
  out.line("NULL,");
  out.close(";");
  out.blank();
  return out.text() + table(survey, false) + specialized_table(survey);
}

}  // namespace heddle::codegen::host
