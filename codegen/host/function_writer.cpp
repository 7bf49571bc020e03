#include "codegen/host/function_writer.h"

#include <algorithm>

#include "codegen/host/straight.h"
#include "ir/host/traverse.h"
#include "runtime/device/limits.h"

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
  out_.line("hd_array_move(&{}, &{});", array(to), array(from));
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
  const bool unseen = failures_unseen_;
  for (size_t i = 0; i < block.stmts.size();) {
    size_t next = reads(block.stmts, i);
    if (next == i) statement(block.stmts[next++]);
    i = next;
  }
  failures_unseen_ = unseen;
}

// Elements that follow each other are read for one wait: those from `begin` on whose places do not depend on each other.
// Arrays that die in between die after it. Returns where the next statement is, `begin` if there are not several.
size_t FunctionWriter::reads(const std::vector<ir::Stmt>& stmts, size_t begin) {
  std::vector<const ir::ReadElement*> elements;
  std::vector<ir::Free> frees;
  nest::NameSet read;
  size_t end = begin;
  for (; end < stmts.size() && elements.size() < HD_MAX_READS; ++end) {
    if (const auto* f = std::get_if<ir::Free>(&stmts[end]->node)) {
      frees.push_back(*f);
      continue;
    }
    const auto* e = std::get_if<ir::ReadElement>(&stmts[end]->node);
    if (!e) break;
    if (std::ranges::any_of(ir::free_names(stmts[end]), [&](const Name& n) { return read.contains(n); })) break;
    elements.push_back(e);
    read.insert(e->name);
  }
  if (elements.size() < 2 || reaches_arrays_) return begin;
  std::vector<std::string> texts;
  for (const ir::ReadElement* e : elements) {
    out_.line("{} {};", prim::c_type(e->type), c_name(e->name));
    texts.push_back(fmt::format("{{&{}, {}, &{}}}", array(e->array), c_int64s(e->index), c_name(e->name)));
  }
  try_call("hd_array_read_all(ctx, {}, (const struct hd_element[]){{{}}})", texts.size(), join(texts));
  for (const ir::Free& f : frees) emit(f);
  return end;
}

// What is seen in a branch or a loop has not been seen behind it.
void FunctionWriter::statement(const ir::Stmt& s) {
  failures_unseen_ = failures_unseen_ || launching_.contains(s.get());
  const bool unseen = failures_unseen_;
  std::visit([&](const auto& node) { emit(node); }, s->node);
  if (!std::holds_alternative<ir::ReadElement>(s->node)) failures_unseen_ = unseen;
}

std::string FunctionWriter::finish_function(const std::string& head, const ir::Block& body) {
  CWriter function;
  function.open("{}static int {}", every_loop_launches(body) ? "HD_STRAIGHT " : "", head);
  function.line("int status = HD_SUCCESS;");
  for (const std::string& a : variables_) function.line("NO_ARRAY({});", a);
  function.raw(out_.text());
  function.label("done");
  for (const std::string& a : variables_) function.line("hd_array_release(ctx, &{});", a);
  function.line("return status;");
  function.close();
  return function.text();
}

}  // namespace heddle::codegen::host
