#include "codegen/host/function_writer.h"

#include "codegen/host/straight.h"

namespace heddle::codegen::host {

// ---- Variables. ----

std::string FunctionWriter::array(const Name& name) const {
  auto it = arrays_of_others_.find(name);
  return it == arrays_of_others_.end() ? c_name(name) : it->second;
}

void FunctionWriter::declare_text(const std::string& variable) {
  if (declared_.insert(variable).second) variables_.push_back(variable);
}

std::string FunctionWriter::declare(const Name& array) {
  declare_text(c_name(array));
  return c_name(array);
}

void FunctionWriter::move(const Name& to, const Name& from) {
  out_.line("move_array(&{}, &{});", array(to), array(from));
}

void FunctionWriter::define(const Name& name, prim::Type type, const std::string& value) {
  if (has_text(type)) out_.line("{} {} = {};", prim::c_type(type), c_name(name), value);
}

std::string FunctionWriter::address(const nest::Expr& value) {
  if (const auto* v = std::get_if<nest::Var>(&value->node)) return "&" + c_name(v->name);
  std::string name = fresh("value");
  out_.line("const {} {} = {};", prim::c_type(value->type), name, c_expr(value));
  return "&" + name;
}

std::string FunctionWriter::fresh(const std::string& base) { return fmt::format("{}{}", base, ++counters_[base]); }

// ---- Blocks. ----

void FunctionWriter::statements(const ir::Block& block) {
  for (const ir::Stmt& s : block.stmts) statement(s);
}

void FunctionWriter::statement(const ir::Stmt& s) {
  std::visit([&](const auto& node) { emit(node); }, s->node);
}

std::string FunctionWriter::finish_function(const std::string& head, const ir::Block& body) {
  CWriter function;
  function.open("{}static int {}", every_loop_launches(body) ? "HD_STRAIGHT " : "", head);
  function.line("int status = HD_SUCCESS;");
  for (const std::string& a : variables_) function.line("struct hd_array {} = {{0}};", a);
  function.raw(out_.text());
  function.label("done");
  for (const std::string& a : variables_) function.line("hd_array_release(ctx, &{});", a);
  function.line("return status;");
  function.close();
  return function.text();
}

}  // namespace heddle::codegen::host
