// Scalar statements, branches and loops.
#include <algorithm>

#include "codegen/host/function_writer.h"
#include "codegen/host/lifetimes.h"
#include "codegen/host/tables.h"
#include "codegen/long_chain.h"
#include "ir/seg/else_if.h"

namespace heddle::codegen::host {

using prim::Type;

void FunctionWriter::emit(const seg::Stm& stm, const seg::Atom& e, Ending& ending) {
  if (is_array(e.value)) return alias(c_name(stm.pat[0].name), e.value.name(), ending);
  if (kind_of(stm.pat[0].type) == Kind::Scalar) define(stm.pat[0], c_value(e.value));
}

void FunctionWriter::emit(const seg::Stm& stm, const seg::Opaque& e, Ending& ending) {
  if (e.trace) trace(*e.trace, e.value, stm.pat[0].type);
  emit(stm, seg::Atom{e.value}, ending);
}

void FunctionWriter::trace(const std::string& tag, const seg::SubExp& value, const seg::Type& type) {
  if (kind_of(type) == Kind::Nothing) return;
  out_.open("");
  out_.line("struct hd_constituent traced = {{.is_array = {}, .elem = {}}};", type.is_array(), c_enum(type.elem));
  if (type.is_array()) {
    out_.line("traced.array = {};", c_value(value));
  } else {
    out_.line("traced.scalar.{} = {};", c_member(type.elem), c_value(value));
  }
  out_.line("hd_trace(ctx, {}, &traced);", c_string(tag));
  out_.close();
}

void FunctionWriter::emit(const seg::Stm& stm, const seg::PrimOp& e, Ending&) {
  if (kind_of(stm.pat[0].type) == Kind::Scalar) define(stm.pat[0], c_operation(e.op, c_values(e.args)));
}

void FunctionWriter::emit(const seg::Stm& stm, const seg::Apply& e, Ending&) {
  std::vector<std::string> args;
  for (const seg::Arg& a : e.args) args.push_back(c_value(a.value));
  if (stm.pat.empty()) return;
  define(stm.pat[0], fmt::format("{}({})", prim::c_function(*prim::find_function(e.function)), join(args)));
}

// ---- Failures. ----

std::string FunctionWriter::failure_arg(const seg::SubExp& value, Type type) {
  if (type == Type::Unit) return "0";
  if (!prim::is_float(type)) return fmt::format("(int64_t){}", c_value(value));
  std::string wide = c_value(value);
  if (type != Type::F64)
    wide = fmt::format("{}({})", prim::c_function(prim::Op(prim::Family::FPConv, type, Type::F64)), wide);
  return fmt::format("hd_to_bits64({})", wide);
}

void FunctionWriter::emit(const seg::Stm& stm, const seg::Assert& e, Ending&) {
  std::vector<std::string> args;
  for (const seg::ErrorPart& part : e.message) {
    if (const auto* value = std::get_if<seg::ErrorVal>(&part)) args.push_back(failure_arg(value->value, value->type));
  }
  size_t num_args = args.size();
  out_.open("if (!{})", c_value(e.condition));
  out_.line("status = hd_fail(ctx, {}, {}, {});", survey_.failure_index.at(&stm), num_args,
            num_args == 0 ? "NULL" : c_int64s(args));
  out_.line("goto done;");
  out_.close();
}

// ---- Tuning parameters. ----

void FunctionWriter::emit(const seg::Stm& stm, const seg::GetSize& e, Ending&) {
  define(stm.pat[0], fmt::format("hd_param(ctx, {})", survey_.param_index.at(e.key)));
}

void FunctionWriter::emit(const seg::Stm& stm, const seg::GetSizeMax& e, Ending&) {
  define(stm.pat[0], fmt::format("hd_param_max(ctx, {})", c_tuning_class(e.size_class.kind)));
}

void FunctionWriter::emit(const seg::Stm& stm, const seg::CmpSize& e, Ending&) {
  define(stm.pat[0], fmt::format("hd_compare_threshold(ctx, {}, {})", survey_.param_index.at(e.key), c_value(e.value)));
}

// As many blocks as there is work for, at least one, at most what the parameter says.
void FunctionWriter::emit(const seg::Stm& stm, const seg::CalcNumBlocks& e, Ending&) {
  std::string wanted = fmt::format("hd_sdiv_up64({}, {})", c_value(e.width), c_value(e.block_size));
  std::string limit = fmt::format("hd_param(ctx, {})", survey_.param_index.at(e.max_blocks_key));
  define(stm.pat[0], fmt::format("hd_smax64(1, hd_smin64({}, {}))", wanted, limit));
}

// ---- Branches. ----

namespace {

std::string condition(const seg::Match& match, const seg::Case& branch) {
  if (match.is_if()) return c_value(match.subjects[0]);
  std::vector<std::string> tests;
  for (size_t i = 0; i < branch.pattern.size(); ++i) {
    const auto& wanted = branch.pattern[i];
    if (!wanted || wanted->type == Type::Unit) continue;
    prim::Op equal(prim::Family::Eq, wanted->type);
    tests.push_back(c_operation(equal, {c_value(match.subjects[i]), prim::c_literal(*wanted)}));
  }
  return tests.empty() ? "true" : join(tests, " && ");
}

}  // namespace

// The next branch of a chain between whose branches no arrays are made, so that none has to be released there.
const seg::Match* FunctionWriter::next_in_chain(const seg::Match& e) {
  return seg::else_if(e, [](const seg::Stm& s) {
    return std::ranges::none_of(s.pat, [](const seg::PatElem& p) { return kind_of(p.type) == Kind::Array; });
  });
}

void FunctionWriter::emit(const seg::Stm& stm, const seg::Match& e, Ending&) {
  for (const seg::PatElem& p : stm.pat) bind_declared(p.name, p.type);
  auto deliver_all = [&](const Results& results, Ending& ending) { deliver(stm.pat, 0, results, 0, ending); };
  size_t length = 1;
  for (const seg::Match* m = &e; (m = next_in_chain(*m)) != nullptr;) ++length;
  if (length > kLongChain) return long_chain(e, deliver_all);
  for (size_t i = 0; i < e.cases.size(); ++i) {
    std::string head = fmt::format("if ({})", condition(e, e.cases[i]));
    if (i == 0) {
      out_.open("{}", head);
    } else {
      out_.otherwise("else " + head);
    }
    block(e.cases[i].body->stms, e.cases[i].body->result, {}, deliver_all);
  }
  if (e.cases.empty()) {
    out_.open("");
  } else {
    out_.otherwise("else");
  }
  block(e.otherwise->stms, e.otherwise->result, {}, deliver_all);
  out_.close();
}

void FunctionWriter::long_chain(const seg::Match& first, const Finish& deliver_all) {
  out_.open("do");
  const seg::Match* e = &first;
  while (true) {
    for (const seg::Case& c : e->cases) {
      out_.open("if ({})", condition(*e, c));
      block(c.body->stms, c.body->result, {}, deliver_all);
      out_.line("break;");
      out_.close();
    }
    const seg::Match* next = next_in_chain(*e);
    if (!next) break;
    const seg::Stms& all = e->otherwise->stms;
    for (size_t k = 0; k + 1 < all.size(); ++k) {
      Ending none;
      if (!survey_.unneeded.contains(all[k].get())) statement(*all[k], none);
    }
    e = next;
  }
  block(e->otherwise->stms, e->otherwise->result, {}, deliver_all);
  out_.close(" while (0);");
}

// ---- Loops. ----

void FunctionWriter::start_loop(const seg::Loop& loop, Ending& ending) {
  seg::NameSet needed = uses(program_, *loop.body);
  for (size_t i = 0; i < loop.params.size(); ++i) {
    const seg::Param& p = loop.params[i];
    const seg::SubExp& init = loop.inits[i];
    bind(p.name, p.type);
    if (kind_of(p.type) == Kind::Scalar) {
      out_.line("{} {} = {};", prim::c_type(p.type.elem), c_name(p.name), c_value(init));
    } else if (kind_of(p.type) == Kind::Array) {
      bool again = needed.contains(init.name());
      for (size_t j = i + 1; j < loop.inits.size(); ++j) again |= loop.inits[j] == init;
      Ending none;
      alias(c_name(p.name), init.name(), again ? none : ending);
    }
  }
}

void FunctionWriter::begin_iterations(const seg::Loop& loop) {
  if (const auto* w = std::get_if<seg::WhileLoop>(&loop.form)) return out_.open("while ({})", c_name(w->condition));
  const auto& f = std::get<seg::ForLoop>(loop.form);
  bind(f.index, seg::Type::scalar(f.index_type));
  std::string index = c_name(f.index);
  out_.open("for ({} {} = 0; {} < {}; {}++)", prim::c_type(f.index_type), index, index, c_value(f.bound), index);
}

// The parameters change all at once: what another parameter's value goes into is saved before any of them is
// overwritten.
void FunctionWriter::next_iteration(const seg::Loop& loop, const Results& results, Ending& ending) {
  auto is_param = [&](const seg::SubExp& value) {
    return value.is_var() && std::any_of(loop.params.begin(), loop.params.end(),
                                         [&](const seg::Param& p) { return p.name == value.name(); });
  };
  std::vector<std::string> changes;
  for (size_t i = 0; i < loop.params.size(); ++i) {
    const seg::Param& p = loop.params[i];
    const seg::SubExp& value = results[i].value;
    std::string name = c_name(p.name), next = "next_" + name;
    if (kind_of(p.type) == Kind::Nothing || value == seg::SubExp(p.name)) continue;
    if (kind_of(p.type) == Kind::Scalar) {
      if (is_param(value)) {
        out_.line("const {} {} = {};", prim::c_type(p.type.elem), next, c_value(value));
        changes.push_back(fmt::format("{} = {};", name, next));
      } else {
        changes.push_back(fmt::format("{} = {};", name, c_value(value)));
      }
      continue;
    }
    bool again = is_param(value);
    for (size_t j = i + 1; j < results.size(); ++j) again |= results[j].value == value;
    if (!again && ending.take(value.name())) {
      changes.push_back(fmt::format("replace_array(ctx, &{}, &{});", name, c_name(value.name())));
    } else {
      declare_array(next);
      out_.line("hd_array_share(&{}, &{});", next, c_name(value.name()));
      changes.push_back(fmt::format("replace_array(ctx, &{}, &{});", name, next));
    }
  }
  for (const seg::Param& p : loop.params) ending.take(p.name);
  release_all(ending);
  for (const std::string& change : changes) out_.line("{}", change);
}

void FunctionWriter::emit(const seg::Stm& stm, const seg::Loop& e, Ending& ending) {
  start_loop(e, ending);
  begin_iterations(e);
  std::vector<Name> owned;
  for (const seg::Param& p : e.params) {
    if (kind_of(p.type) == Kind::Array) owned.push_back(p.name);
  }
  block(e.body->stms, e.body->result, owned,
        [&](const Results& results, Ending& at_end) { next_iteration(e, results, at_end); });
  out_.close();
  for (size_t i = 0; i < stm.pat.size(); ++i) {
    std::string result = c_name(stm.pat[i].name), param = c_name(e.params[i].name);
    if (kind_of(stm.pat[i].type) == Kind::Array) out_.line("move_array(&{}, &{});", result, param);
    define(stm.pat[i], param);
  }
}

// ---- Accumulators. ----

// The kernels within update the destinations in place, under their own names.
void FunctionWriter::emit(const seg::Stm& stm, const seg::WithAcc& e, Ending& ending) {
  size_t num_arrays = 0;
  for (const seg::WithAccInput& input : e.inputs) num_arrays += input.arrays.size();
  for (size_t i = num_arrays; i < stm.pat.size(); ++i) bind_declared(stm.pat[i].name, stm.pat[i].type);
  for (const seg::Param& p : e.lambda.params) bind(p.name, p.type);
  out_.open("");
  block(e.lambda.body->stms, e.lambda.body->result, {}, [&](const Results& results, Ending& at_end) {
    deliver(stm.pat, num_arrays, results, e.inputs.size(), at_end);
  });
  out_.close();
  size_t i = 0;
  for (const seg::WithAccInput& input : e.inputs) {
    for (const Name& array : input.arrays) alias(c_name(stm.pat[i++].name), array, ending);
  }
}

}  // namespace heddle::codegen::host
