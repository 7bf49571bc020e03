// Branches, loops and failures.
#include <algorithm>
#include <unordered_set>

#include "codegen/host/function_writer.h"
#include "codegen/long_chain.h"

namespace heddle::codegen::host {

// ---- Failures. ----

namespace {

std::string failure_arg(const nest::Expr& value) {
  if (value->type == prim::Type::Unit) return "0";
  if (prim::is_float(value->type)) {
    bool is_wide = value->type == prim::Type::F64;
    prim::Op widen(prim::Family::FPConv, value->type, prim::Type::F64);
    return fmt::format("hd_to_bits64({})", c_expr(is_wide ? value : nest::operation(widen, {value})));
  }
  return fmt::format("(int64_t)({})", c_expr(value));
}

}  // namespace

void FunctionWriter::emit(const ir::Assert& s) {
  std::vector<std::string> args;
  for (const nest::Expr& e : s.args) args.push_back(failure_arg(e));
  out_.open("if ({})", c_expr(nest::negate(s.condition)));
  out_.line("status = hd_fail(ctx, {}, {}, {});", s.failure, args.size(), args.empty() ? "NULL" : c_int64s(args));
  out_.line("goto done;");
  out_.close();
}

void FunctionWriter::emit(const ir::Check& s) {
  out_.open("if ({})", c_expr(nest::negate(s.condition)));
  out_.line("status = hd_error(ctx, {});", c_string(s.message));
  out_.line("goto done;");
  out_.close();
}

// ---- Branches. ----

namespace {

bool is_about_arrays(const ir::Stmt& s) {
  return std::visit(
      [](const auto& n) {
        using T = std::decay_t<decltype(n)>;
        if constexpr (std::is_same_v<T, ir::If>) {
          return std::ranges::any_of(n.results, [](const ir::Binder& b) { return b.type.rank > 0; });
        } else {
          return !(std::is_same_v<T, ir::Let> || std::is_same_v<T, ir::Measure> || std::is_same_v<T, ir::GetParam> ||
                   std::is_same_v<T, ir::GetMax> || std::is_same_v<T, ir::Compare> ||
                   std::is_same_v<T, ir::ReadElement> || std::is_same_v<T, ir::Assert> || std::is_same_v<T, ir::Trace>);
        }
      },
      s->node);
}

bool is_name(const ir::Value& value, const Name& name) {
  if (const auto* array = std::get_if<Name>(&value)) return *array == name;
  const auto* v = std::get_if<nest::Var>(&std::get<nest::Expr>(value)->node);
  return v && v->name == name;
}

// The next branch of a chain between whose branches no arrays are made, so that none has to be released there.
const ir::If* next_in_chain(const ir::If& e) {
  const ir::Block& body = e.otherwise;
  if (body.stmts.empty()) return nullptr;
  const auto* inner = std::get_if<ir::If>(&body.stmts.back()->node);
  if (!inner || inner->results.size() != body.yields.size()) return nullptr;
  for (size_t k = 0; k < body.yields.size(); ++k) {
    if (!is_name(body.yields[k], inner->results[k].name)) return nullptr;
  }
  bool plain = std::none_of(body.stmts.begin(), body.stmts.end() - 1, is_about_arrays);
  return plain ? inner : nullptr;
}

}  // namespace

void FunctionWriter::branch(const ir::Block& block, const std::vector<ir::Binder>& results) {
  statements(block);
  for (size_t i = 0; i < results.size(); ++i) {
    if (const auto* yielded = std::get_if<Name>(&block.yields[i])) {
      move(results[i].name, *yielded);
    } else {
      out_.line("{} = {};", c_name(results[i].name), c_expr(std::get<nest::Expr>(block.yields[i])));
    }
  }
}

void FunctionWriter::emit(const ir::If& s) {
  for (const ir::Binder& r : s.results) {
    if (r.type.rank > 0) {
      declare(r.name);
    } else {
      out_.line("{} {};", prim::c_type(r.type.elem), c_name(r.name));
    }
  }
  size_t length = 1;
  for (const ir::If* next = &s; (next = next_in_chain(*next)) != nullptr;) ++length;
  if (length > kLongChain) return long_chain(s);
  for (size_t i = 0; i < s.cases.size(); ++i) {
    std::string head = fmt::format("if ({})", c_expr(s.cases[i].condition));
    if (i == 0) {
      out_.open("{}", head);
    } else {
      out_.otherwise("else " + head);
    }
    branch(s.cases[i].body, s.results);
  }
  if (s.cases.empty()) {
    out_.open("");
  } else if (s.otherwise.stmts.empty() && s.results.empty()) {
    return out_.close();
  } else {
    out_.otherwise("else");
  }
  branch(s.otherwise, s.results);
  out_.close();
}

void FunctionWriter::long_chain(const ir::If& first) {
  out_.open("do");
  const ir::If* e = &first;
  while (true) {
    for (const ir::Case& c : e->cases) {
      out_.open("if ({})", c_expr(c.condition));
      branch(c.body, first.results);
      out_.line("break;");
      out_.close();
    }
    const ir::If* next = next_in_chain(*e);
    if (!next) break;
    for (size_t k = 0; k + 1 < e->otherwise.stmts.size(); ++k) statement(e->otherwise.stmts[k]);
    e = next;
  }
  branch(e->otherwise, first.results);
  out_.close(" while (0);");
}

// ---- Loops. ----

void FunctionWriter::emit(const ir::Loop& s) {
  for (const ir::LoopParam& p : s.params) {
    if (const auto* init = std::get_if<Name>(&p.init)) {
      take_over(p.binder.name, *init);
    } else {
      define(p.binder.name, p.binder.type.elem, c_expr(std::get<nest::Expr>(p.init)));
    }
  }
  if (const auto* w = std::get_if<ir::WhileTrue>(&s.form)) {
    out_.open("while ({})", c_name(w->condition));
  } else {
    const auto& f = std::get<ir::ForEach>(s.form);
    std::string index = c_name(f.index);
    out_.open("for ({} {} = 0; {} < {}; {}++)", prim::c_type(f.bound->type), index, index, c_expr(f.bound), index);
  }
  statements(s.body);
  next_iteration(s);
  out_.close();
  for (size_t i = 0; i < s.results.size(); ++i) {
    const ir::Binder& param = s.params[i].binder;
    if (param.type.rank > 0) {
      take_over(s.results[i], param.name);
    } else {
      define(s.results[i], param.type.elem, c_name(param.name));
    }
  }
}

// The parameters change all at once: one at a time that no other's new value depends on, and where there is none, its value is
// kept elsewhere first.
void FunctionWriter::next_iteration(const ir::Loop& loop) {
  struct Change {
    const ir::Binder* param;
    std::string value;
    std::unordered_set<std::string> reads;  // variables, since an inner loop may have taken a parameter's over
  };
  std::vector<Change> changes;
  for (size_t i = 0; i < loop.params.size(); ++i) {
    const ir::Binder& param = loop.params[i].binder;
    const ir::Value& value = loop.body.yields[i];
    if (is_name(value, param.name)) continue;
    if (const auto* from = std::get_if<Name>(&value)) {
      if (array(*from) != array(param.name)) changes.push_back({&param, array(*from), {array(*from)}});
    } else {
      const auto& e = std::get<nest::Expr>(value);
      std::unordered_set<std::string> reads;
      for (const Name& n : nest::free_names(e)) reads.insert(c_name(n));
      changes.push_back({&param, c_expr(e), std::move(reads)});
    }
  }
  auto write = [&](const std::string& to, const Change& c) {
    if (c.param->type.rank > 0) {
      out_.line("hd_array_move(&{}, &{});", to, c.value);
    } else {
      out_.line("{} = {};", to, c.value);
    }
  };
  auto variable = [&](const ir::Binder& b) { return b.type.rank > 0 ? array(b.name) : c_name(b.name); };
  while (!changes.empty()) {
    auto free = std::ranges::find_if(changes, [&](const Change& c) {
      return std::ranges::none_of(changes, [&](const Change& other) {
        return other.param != c.param && other.reads.contains(variable(*c.param));
      });
    });
    if (free != changes.end()) {
      write(variable(*free->param), *free);
      changes.erase(free);
      continue;
    }
    Change& kept = changes.front();
    std::string next = "next_" + c_name(kept.param->name);
    if (kept.param->type.rank > 0) {
      declare_text(next);
      write(next, kept);
    } else {
      out_.line("{} {} = {};", prim::c_type(kept.param->type.elem), next, kept.value);
    }
    kept.value = next;
    kept.reads.clear();
  }
}

}  // namespace heddle::codegen::host
