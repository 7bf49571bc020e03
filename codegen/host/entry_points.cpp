// Entry points: from the constituents of their inputs to those of their results. And the program's constants.
#include "codegen/host/function_writer.h"
#include "codegen/host/lifetimes.h"

namespace heddle::codegen::host {

namespace {

constexpr const char* kInvalidSizes = "Error: entry point arguments have invalid sizes.\n";

}  // namespace

// Sizes come from the shapes of arrays or from scalars that are passed; all occurrences of one must agree.
void FunctionWriter::bind_sizes(const seg::FunDef& function, size_t num_sizes) {
  seg::NameSet known;
  std::vector<std::string> checks;
  for (size_t i = num_sizes; i < function.params.size(); ++i) {
    const seg::Param& p = function.params[i];
    if (p.type.is_scalar()) known.insert(p.name);
  }
  for (size_t i = num_sizes; i < function.params.size(); ++i) {
    const seg::Type& type = function.params[i].type;
    for (size_t d = 0; d < type.dims.size(); ++d) {
      const seg::SubExp& size = type.dims[d].size();
      std::string actual = fmt::format("in[{}].array.shape[{}]", i - num_sizes, d);
      if (size.is_var() && known.insert(size.name()).second) {
        out_.line("const int64_t {} = {};", c_value(size), actual);
      } else {
        checks.push_back(fmt::format("{} != {}", actual, c_value(size)));
      }
    }
  }
  for (size_t i = 0; i < num_sizes; ++i) {
    const seg::Param& p = function.params[i];
    bind(p.name, p.type);
    // A size of no array can only matter as the size of something empty.
    if (!known.contains(p.name) && kind_of(p.type) == Kind::Scalar) out_.line("const int64_t {} = 0;", c_name(p.name));
  }
  if (checks.empty()) return;
  out_.open("if ({})", join(checks, " || "));
  out_.line("status = hd_error(ctx, {});", c_string(kInvalidSizes));
  out_.line("goto done;");
  out_.close();
}

void FunctionWriter::bind_inputs(const seg::FunDef& function, size_t num_sizes) {
  for (size_t i = num_sizes; i < function.params.size(); ++i) {
    const seg::Param& p = function.params[i];
    bind(p.name, p.type);
    if (kind_of(p.type) == Kind::Scalar) {
      out_.line("const {} {} = in[{}].scalar.{};", prim::c_type(p.type.elem), c_name(p.name), i - num_sizes,
                c_member(p.type.elem));
    }
  }
}

void FunctionWriter::bind_constants(const seg::NameSet& used) {
  for (size_t i = 0; i < survey_.constants.size(); ++i) {
    const Constant& c = survey_.constants[i];
    if (!used.contains(c.name)) continue;
    bind(c.name, c.type);
    if (kind_of(c.type) == Kind::Array) {
      out_.line("hd_array_share(&{}, &hd_constants(ctx)[{}].array);", c_name(c.name), i);
    } else {
      out_.line("const {} {} = hd_constants(ctx)[{}].scalar.{};", prim::c_type(c.type.elem), c_name(c.name), i,
                c_member(c.type.elem));
    }
  }
}

void FunctionWriter::return_results(const seg::FunDef& function, const Results& results, size_t num_sizes,
                                    const seg::NameSet& used, Ending& ending) {
  CWriter handover(1);
  for (size_t i = num_sizes; i < results.size(); ++i) {
    const seg::Type& type = function.ret[i].type;
    const seg::SubExp& value = results[i].value;
    std::string out = fmt::format("out[{}]", i - num_sizes);
    handover.line("{} = (struct hd_constituent){{.is_array = {}, .elem = {}}};", out, type.is_array(),
                  c_enum(type.elem));
    if (kind_of(type) == Kind::Scalar) handover.line("{}.scalar.{} = {};", out, c_member(type.elem), c_value(value));
    if (kind_of(type) != Kind::Array) continue;
    std::string result = fmt::format("result{}", i - num_sizes);
    declare_array(result);
    try_call("hd_array_dense(ctx, &{}, &{})", result, c_value(value));
    handover.line("move_array(&{}.array, &{});", out, result);
    // Whoever gets the result may consume it, which no constant may suffer.
    for (size_t c = 0; c < survey_.constants.size(); ++c) {
      if (!survey_.constants[c].type.is_array() || !used.contains(survey_.constants[c].name)) continue;
      out_.open("if ({0}.mem != NULL && {0}.mem == hd_constants(ctx)[{1}].array.mem)", result, c);
      try_call("unshare_array(ctx, &{})", result);
      out_.close();
    }
  }
  release_all(ending);
  out_.raw(handover.text());
}

std::string FunctionWriter::entry_point(const std::string& name, const seg::FunDef& function, size_t num_inputs,
                                        size_t num_outputs) {
  size_t num_sizes = function.params.size() - num_inputs, num_result_sizes = function.ret.size() - num_outputs;
  seg::NameSet used = uses(program_, *function.body);
  bind_inputs(function, num_sizes);
  bind_sizes(function, num_sizes);
  bind_constants(used);
  std::vector<Name> owned;
  for (size_t i = num_sizes; i < function.params.size(); ++i) {
    const seg::Param& p = function.params[i];
    if (kind_of(p.type) != Kind::Array || !used.contains(p.name)) continue;
    out_.line("hd_array_share(&{}, &in[{}].array);", c_name(p.name), i - num_sizes);
    owned.push_back(p.name);
  }
  for (const Constant& c : survey_.constants) {
    if (c.type.is_array() && used.contains(c.name)) owned.push_back(c.name);
  }
  block(function.body->stms, function.body->result, owned, [&](const Results& results, Ending& ending) {
    return_results(function, results, num_result_sizes, used, ending);
  });
  return finish_function(
      fmt::format("{}(struct hd_context *ctx, const struct hd_constituent *in, struct hd_constituent *out)", name),
      function.body->stms);
}

std::string FunctionWriter::init_constants(const std::string& name) {
  Results results;
  for (const Constant& c : survey_.constants) results.push_back({{}, c.name});
  block(program_.program.constants, results, {}, [&](const Results&, Ending& ending) {
    for (size_t i = 0; i < survey_.constants.size(); ++i) {
      const Constant& c = survey_.constants[i];
      std::string constant = fmt::format("constants[{}]", i);
      out_.line("{} = (struct hd_constituent){{.is_array = {}, .elem = {}}};", constant, c.type.is_array(),
                c_enum(c.type.elem));
      if (c.type.is_array()) {
        alias(constant + ".array", c.name, ending);
      } else {
        out_.line("{}.scalar.{} = {};", constant, c_member(c.type.elem), c_name(c.name));
      }
    }
  });
  return finish_function(fmt::format("{}(struct hd_context *ctx, struct hd_constituent *constants)", name),
                         program_.program.constants);
}

}  // namespace heddle::codegen::host
