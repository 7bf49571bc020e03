#include "rewrites/nest/rewrite_support.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/nest/verify.h"

namespace heddle::nest {

namespace {

using prim::Family;
using prim::Type;

class Finder {
 public:
  explicit Finder(const Name& index) : index_(index) {}

  LoopSite run(const Block& block) {
    body(block);
    if (!found_.loop) refuse(fmt::format("there is no loop {}", index_.text()));
    return found_;
  }

 private:
  void body(const Block& block) {
    for (const Stmt& s : block) {
      if (found_.loop) return;
      if (const auto* loop = std::get_if<For>(&s->node)) {
        if (loop->index == index_) {
          found_ = here_;
          found_.loop = loop;
          return;
        }
        here_.around.push_back(loop);
        body(loop->body);
        here_.around.pop_back();
      } else if (const auto* branch = std::get_if<If>(&s->node)) {
        under(branch->condition, branch->then_body);
        under(negate(branch->condition), branch->else_body);
      } else if (const auto* loop = std::get_if<While>(&s->node)) {
        body(loop->body);
      }
    }
  }

  void under(const Expr& condition, const Block& block) {
    here_.conditions.push_back(condition);
    body(block);
    here_.conditions.pop_back();
  }

  const Name& index_;
  LoopSite here_, found_;
};

struct Replacer : Rebuilder<Replacer> {
  const Name& index;
  const std::function<Block(const For&)>& f;

  Replacer(const Name& index, const std::function<Block(const For&)>& f) : index(index), f(f) {}

  void expr(Expr&) {}
  void stmts(const Stmt& s, Block& out) {
    const auto* loop = std::get_if<For>(&s->node);
    if (!loop || loop->index != index) return Rebuilder::stmts(s, out);
    Block made = f(*loop);
    out.insert(out.end(), made.begin(), made.end());
  }
};

bool reads_memory(const Expr& e) {
  bool found = false;
  for_each_expr(e, [&](const Expr& x) { found |= std::holds_alternative<Load>(x->node); });
  return found;
}

bool mentions(const Expr& e, const NameSet& names) {
  return std::ranges::any_of(free_names(e), [&](const Name& n) { return names.contains(n); });
}

}  // namespace

LoopSite find_loop(const Kernel& kernel, const Name& index) { return Finder(index).run(kernel.body); }

Kernel with_loop_replaced(const Kernel& kernel, const Name& index, const std::function<Block(const For&)>& f) {
  Kernel result = kernel;
  Replacer(index, f).body(result.body);
  return result;
}

Substitution index_lets(const Kernel& kernel) {
  Substitution lets;
  for_each_stmt(kernel.body, [&](const Stmt& s) {
    const auto* let = std::get_if<Let>(&s->node);
    if (let && !reads_memory(let->value)) lets.emplace(let->name, substitute(lets, let->value));
  });
  return lets;
}

Substitution let_values(const Kernel& kernel) {
  Substitution values;
  for_each_stmt(kernel.body, [&](const Stmt& s) {
    const auto* let = std::get_if<Let>(&s->node);
    if (let && !reads_memory(let->value)) values.emplace(let->name, let->value);
  });
  return values;
}

bool is_movable(const Expr& e) {
  bool movable = true;
  for_each_expr(e, [&](const Expr& x) {
    const auto* o = std::get_if<Operation>(&x->node);
    movable &= !std::holds_alternative<Load>(x->node) && !(o && prim::can_fail(o->op));
  });
  return movable;
}

bool may_be_disturbed(const Block& block) {
  bool found = false;
  for_each_stmt(block, [&](const Stmt& s) {
    found |= !std::holds_alternative<Let>(s->node) && !std::holds_alternative<Alloc>(s->node) &&
             !std::holds_alternative<Store>(s->node) && !std::holds_alternative<For>(s->node) &&
             !std::holds_alternative<While>(s->node) && !std::holds_alternative<If>(s->node);
  });
  return found;
}

Shell shell_of(const Block& body) {
  Shell shell;
  const Block* rest = &body;
  size_t at = 0;
  for (; at < rest->size(); ++at) {
    const Stmt& s = (*rest)[at];
    const auto* let = std::get_if<Let>(&s->node);
    if (let && is_movable(let->value)) {
      shell.layers.push_back(s);
      continue;
    }
    const auto* branch = std::get_if<If>(&s->node);
    bool wraps = branch && branch->else_body.empty() && at + 1 == rest->size() && is_movable(branch->condition);
    if (!wraps) break;
    shell.layers.push_back(stmt(If{branch->condition, {}, {}}));
    rest = &branch->then_body;
    at = static_cast<size_t>(-1);
  }
  shell.core.assign(rest->begin() + static_cast<long>(std::min(at, rest->size())), rest->end());
  return shell;
}

Block in_layers(const std::vector<Stmt>& layers, Block core) {
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
    if (const auto* branch = std::get_if<If>(&(*layer)->node)) {
      core = {stmt(If{branch->condition, std::move(core), {}})};
    } else {
      core.insert(core.begin(), *layer);
    }
  }
  return core;
}

Block renamed(const Block& block, const NameSet& bound, NameSource& names) {
  std::unordered_map<Name, Name> fresh;
  for (const Name& n : std::set<Name>(bound.begin(), bound.end())) fresh.emplace(n, names.fresh(n));
  struct Rename : Rebuilder<Rename> {
    const std::unordered_map<Name, Name>& fresh;
    explicit Rename(const std::unordered_map<Name, Name>& fresh) : fresh(fresh) {}
    void use(Name& n) {
      if (auto it = fresh.find(n); it != fresh.end()) n = it->second;
    }
    void bind(Name& n) { use(n); }
  } rename(fresh);
  Block result = block;
  rename.body(result);
  return result;
}

Expr extent_without(const Expr& extent, const Substitution& lets, const NameSet& names) {
  Expr e = substitute(lets, extent);
  if (!mentions(e, names)) return reads_memory(e) ? nullptr : e;
  const auto* o = std::get_if<Operation>(&e->node);
  if (!o || o->op.family != Family::SMin) return nullptr;
  Expr first = extent_without(o->args[0], lets, names);
  return first ? first : extent_without(o->args[1], lets, names);
}

bool is_positive(const Kernel& kernel, const Expr& e, NameSource& names) {
  Facts facts(names, no_definition);
  learn_sizes(facts, kernel);
  return facts.prove_at_most(constant(int64_t{1}), e);
}

std::optional<Expr> exact_quotient(const Expr& a, const Expr& b, NameSource& names) {
  DivisionAtoms atoms(names);
  auto n = from_expr(a, no_definition, &atoms), d = from_expr(b, no_definition);
  if (!n || !d || d->is_zero()) return std::nullopt;
  auto quotient = n->divided_by(*d);
  if (!quotient) return std::nullopt;
  return to_expr(*quotient, &atoms);
}

bool is_fixed(const Kernel& kernel, const Expr& e) {
  return !reads_memory(e) && std::ranges::all_of(free_names(e), [&](const Name& n) {
    return std::ranges::find(kernel.constants, n) != kernel.constants.end();
  });
}

const Buffer& allocated(const Kernel& kernel, const Name& name) {
  const Buffer* found = nullptr;
  for_each_stmt(kernel.body, [&](const Stmt& s) {
    const auto* alloc = std::get_if<Alloc>(&s->node);
    if (alloc && alloc->buffer.name == name) found = &alloc->buffer;
  });
  if (!found) refuse(fmt::format("the kernel makes no buffer {}", name.text()));
  return *found;
}

const Buffer& buffer_named(const Kernel& kernel, const Name& name) {
  auto parameter = std::ranges::find(kernel.buffers, name, &Buffer::name);
  return parameter != kernel.buffers.end() ? *parameter : allocated(kernel, name);
}

void check_only_read(const Kernel& kernel, const Name& buffer) {
  for_each_stmt(kernel.body, [&](const Stmt& s) {
    const auto* store = std::get_if<Store>(&s->node);
    const auto* update = std::get_if<AtomicUpdate>(&s->node);
    if ((store && store->buffer == buffer) || (update && update->buffer == buffer))
      refuse(fmt::format("the kernel writes to {}", buffer.text()));
  });
}

void learn_sizes(Facts& facts, const Kernel& kernel) {
  for (const Name& c : kernel.constants) {
    facts.size(c);
    facts.assume(less(constant(int64_t{0}), var(c, Type::I64)));
  }
  for (const Buffer& b : kernel.buffers) {
    for (const Expr& d : b.dims) {
      if (const auto* v = std::get_if<Var>(&d->node)) facts.size(v->name);
    }
  }
}

void learn_site(Facts& facts, const Kernel& kernel, const LoopSite& place) {
  Substitution lets = index_lets(kernel);
  learn_sizes(facts, kernel);
  for (const For* loop : place.around) facts.index(loop->index, substitute(lets, loop->extent));
  for (const Expr& c : place.conditions) facts.assume(substitute(lets, c));
}

Result<Rewritten> rewrite(const std::function<Rewritten()>& f) {
  try {
    Rewritten result = f();
    std::vector<std::string> problems = verify(result.kernel);
    if (!problems.empty()) return unsupported(problems[0]);
    return result;
  } catch (const Refused& refused) {
    return refused.error;
  }
}

}  // namespace heddle::nest
