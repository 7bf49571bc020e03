// Entry points: from the constituents of their inputs to those of their results. And the program's constants.
#include "codegen/host/function_writer.h"
#include "codegen/host/launching.h"

namespace heddle::codegen::host {

void FunctionWriter::bind_constants(const nest::NameSet& used) {
  for (size_t i = 0; i < program_.constants.size(); ++i) {
    const ir::Binder& c = program_.constants[i];
    if (!used.contains(c.name)) continue;
    std::string constant = fmt::format("hd_constants(ctx)[{}]", i);
    if (c.type.rank > 0) {
      arrays_of_others_[c.name] = constant + ".array";
      constants_in_use_.push_back(i);
    } else {
      define(c.name, c.type.elem, fmt::format("{}.scalar.{}", constant, c_member(c.type.elem)));
    }
  }
}

void FunctionWriter::hand_over(const std::string& to, const ir::Value& value) {
  if (const auto* from = std::get_if<Name>(&value)) {
    out_.line("{}.is_array = true;", to);
    out_.line("{}.elem = {}.elem;", to, array(*from));
    out_.line("hd_array_move(&{}.array, &{});", to, array(*from));
  } else {
    const auto& e = std::get<nest::Expr>(value);
    out_.line("{}.is_array = false;", to);
    out_.line("{}.elem = {};", to, c_enum(e->type));
    if (has_text(e->type)) out_.line("{}.scalar.{} = {};", to, c_member(e->type), c_expr(e));
  }
}

std::string FunctionWriter::entry_point(const std::string& name, const ir::Function& function) {
  for (size_t i = 0; i < function.inputs.size(); ++i) {
    const ir::Binder& input = function.inputs[i];
    if (input.type.rank > 0) {
      arrays_of_others_[input.name] = fmt::format("in[{}].array", i);
    } else if (has_text(input.type.elem)) {
      define(input.name, input.type.elem, fmt::format("in[{}].scalar.{}", i, c_member(input.type.elem)));
    }
  }
  bind_constants(ir::free_names(function.body));
  changing_ = ir::changing_names(function.body);
  launching_ = launching_stmts(function.body);
  statements(function.body);
  for (size_t i = 0; i < function.body.yields.size(); ++i)
    hand_over(fmt::format("out[{}]", i), function.body.yields[i]);
  return finish_function(
      fmt::format("{}(struct hd_context *ctx, const struct hd_constituent *in, struct hd_constituent *out)", name),
      function.body);
}

std::string FunctionWriter::init_constants(const std::string& name) {
  changing_ = ir::changing_names(program_.init);
  launching_ = launching_stmts(program_.init);
  statements(program_.init);
  for (size_t i = 0; i < program_.init.yields.size(); ++i)
    hand_over(fmt::format("constants[{}]", i), program_.init.yields[i]);
  return finish_function(fmt::format("{}(struct hd_context *ctx, struct hd_constituent *constants)", name),
                         program_.init);
}

}  // namespace heddle::codegen::host
