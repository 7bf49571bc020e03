// Kernels compiled for the sizes at hand where there are some, else the generic ones.
#include "codegen/host/function_writer.h"
#include "codegen/host/geometry_text.h"

namespace heddle::codegen::host {

namespace {

// C has no empty arrays.
std::string list_or_null(const std::vector<nest::Expr>& list) {
  if (list.empty()) return "NULL";
  if (list[0]->type == prim::Type::Bool) return fmt::format("(const bool[]){{{}}}", join(c_exprs(list)));
  return c_int64s(list);
}

void write_members(CWriter& out, const ir::Record& record) {
  for (const ir::Member& m : record.members) {
    if (const auto* e = std::get_if<nest::Expr>(&m.value)) {
      out.line(".{} = {},", m.name, c_expr(*e));
    } else if (const auto* list = std::get_if<std::vector<nest::Expr>>(&m.value)) {
      out.line(".{} = {},", m.name, list_or_null(*list));
    } else {
      const auto& records = std::get<ir::Records>(m.value);
      if (records.empty()) continue;
      out.open(".{} = (const struct hd_{}[])", m.name, records[0].type);
      for (const ir::Record& r : records) {
        out.open("");
        write_members(out, r);
        out.close(",");
      }
      out.close(",");
    }
  }
}

}  // namespace

// What the family is asked, and `variant`, which it answers.
void FunctionWriter::ask(const ir::Way& way) {
  const ir::FamilyKernel& family = program_.family_kernels[static_cast<size_t>(way.kernel)];
  out_.open("const struct hd_{} shape =", way.shape.type);
  write_members(out_, way.shape);
  out_.line(".geometry = {},", geometry_functions(way.kernel, list_or_null(way.sizes)));
  out_.close(";");
  out_.line("const struct hd_request request = {{{}, &shape, {}, {}, {}, {}, {}}};", way.kernel, way.fixed.size(),
            list_or_null(way.fixed), way.places.size(), list_or_null(way.places), ir::sizes_change(way, changing_));
  out_.line("int64_t constants[{}];", family.kernel.constants.size());
  out_.line("struct hd_kernel_variant *const variant = hd_find_variant(ctx, &request, constants);");
  out_.line("decided = variant != NULL;");
  out_.line("done = decided && variant->code != NULL;");
}

// Runs this way if it can be; then `decided` is true, and `done` unless its kernel is not compiled yet.
void FunctionWriter::way(const ir::Way& way, bool is_first) {
  // The runtime looks for memory before it answers, so it is not asked in vain.
  std::vector<std::string> conditions;
  if (!is_first) conditions.emplace_back("!decided");
  if (!way.asked.stmts.empty()) {
    out_.open("{}", is_first ? "" : "if (!decided)");
    conditions.clear();
    statements(way.asked);
  }
  const auto* constant = std::get_if<nest::Const>(&way.guard->node);
  if (!constant || !constant->value.as_bool())
    conditions.push_back(conditions.empty() ? c_expr(way.guard) : "(" + c_expr(way.guard) + ")");
  out_.open("{}", conditions.empty() ? "" : fmt::format("if ({})", join(conditions, " && ")));
  statements(way.measured);
  ask(way);
  out_.open("if (done)");
  way_ = &way;
  statements(way.body);
  if (!way.body.yields.empty()) out_.line("done = decided = {};", c_expr(std::get<nest::Expr>(way.body.yields[0])));
  way_ = nullptr;
  out_.close();
  out_.close();
  if (!way.asked.stmts.empty()) out_.close();
}

void FunctionWriter::emit(const ir::Choose& s) {
  out_.open("");
  out_.line("bool decided = false, done = false;");
  for (size_t i = 0; i < s.ways.size(); ++i) way(s.ways[i], i == 0);
  out_.open("if (!done)");
  statements(s.otherwise);
  out_.close();
  out_.close();
}

}  // namespace heddle::codegen::host
