#include "rewrites/host/compute_where_made.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "ir/nest/threads.h"
#include "rewrites/host/each_block.h"

namespace heddle::host {

namespace {

constexpr size_t kMostStatements = 16;  // of the kernel of one thread

bool is_one(const Expr& e) { return nest::int_constant(e) == 1; }

// ---- Kernels of one thread. ----

bool only_fails(const nest::Stmt& s) {
  const auto* choice = std::get_if<nest::If>(&s->node);
  return choice && choice->then_body.size() == 1 && std::holds_alternative<nest::Fail>(choice->then_body[0]->node) &&
         choice->else_body.empty();
}

// Values, what they are stored to, and when to fail; in order.
std::optional<nest::Block> straight_code(const nest::Kernel& kernel) {
  nest::Block body = kernel.body;
  for (nest::Role role : {nest::Role::Grid, nest::Role::Block}) {
    const auto* loop = body.size() == 1 ? std::get_if<nest::For>(&body[0]->node) : nullptr;
    if (!loop || loop->role != role || !is_one(loop->extent)) return std::nullopt;
    body = nest::substitute({{loop->index, nest::constant(int64_t{0})}}, nest::Block(loop->body));
  }
  auto is_straight = [](const nest::Stmt& s) {
    return std::holds_alternative<nest::Let>(s->node) || std::holds_alternative<nest::Store>(s->node) || only_fails(s);
  };
  if (body.size() > kMostStatements || !std::ranges::all_of(body, is_straight)) return std::nullopt;
  return body;
}

// ---- Kernels of many threads. ----

struct Access {
  int stores = 0, loads = 0, others = 0;
};

// What a kernel does to one of its buffers.
Access access_to(const Name& buffer, const nest::Block& body) {
  struct Count : nest::Walker<Count> {
    const Name& counted;
    Access found;
    explicit Count(const Name& counted) : counted(counted) {}
    void use(const Name& n) { found.others += n == counted ? 1 : 0; }
    void expr(const Expr& e) {
      const auto* load = std::get_if<nest::Load>(&e->node);
      if (!load || load->buffer != counted) return nest::Walker<Count>::expr(e);
      ++found.loads;
      std::ranges::for_each(load->index, [&](const Expr& i) { expr(i); });
    }
    void stmt(const nest::Stmt& s) {
      const auto* store = std::get_if<nest::Store>(&s->node);
      if (!store || store->buffer != counted) return nest::Walker<Count>::stmt(s);
      ++found.stores;
      std::ranges::for_each(store->index, [&](const Expr& i) { expr(i); });
      expr(store->value);
    }
  } count(buffer);
  count.body(body);
  return count.found;
}

// Whether straight code loads from a buffer whatever it computes, so that there is such an element.
bool loads_at_any_rate(const Name& buffer, const nest::Block& code) {
  struct Search : nest::Walker<Search> {
    const Name& from;
    bool found = false;
    explicit Search(const Name& from) : from(from) {}
    void expr(const Expr& e) {
      const auto* load = std::get_if<nest::Load>(&e->node);
      const auto* choice = std::get_if<nest::Select>(&e->node);
      found |= load && load->buffer == from;
      choice ? expr(choice->condition) : nest::Walker<Search>::expr(e);
    }
  } search(buffer);
  search.body(code);
  return search.found;
}

bool may_fail(const nest::Block& body) {
  bool found = false;
  nest::for_each_stmt(body, [&](const nest::Stmt& s) { found |= std::holds_alternative<nest::Fail>(s->node); });
  return found;
}

// Whether a thread that stores into a buffer does nothing else behind than store, so that it may as well end.
bool stores_last(const Name& buffer, const nest::Block& body) {
  for (size_t i = 0; i < body.size(); ++i) {
    if (access_to(buffer, {body[i]}).stores == 0) continue;
    auto is_store = [](const nest::Stmt& s) { return std::holds_alternative<nest::Store>(s->node); };
    if (!std::all_of(body.begin() + static_cast<std::ptrdiff_t>(i) + 1, body.end(), is_store)) return false;
    const auto* choice = std::get_if<nest::If>(&body[i]->node);
    const auto* loop = std::get_if<nest::For>(&body[i]->node);
    if (choice) return stores_last(buffer, choice->then_body) && stores_last(buffer, choice->else_body);
    if (loop) return nest::parallel(loop->role) && stores_last(buffer, loop->body);
    return is_store(body[i]);
  }
  return true;
}

// ---- What the host does between both. ----

// Neither waits for kernels nor looks at what they leave.
bool stands_aside(const Stmt& s) {
  return std::visit(
      [](const auto& n) {
        using T = std::decay_t<decltype(n)>;
        if constexpr (std::is_same_v<T, Alloc>) return !n.from;
        return std::is_same_v<T, Let> || std::is_same_v<T, Measure> || std::is_same_v<T, GetParam> ||
               std::is_same_v<T, GetMax> || std::is_same_v<T, Compare> || std::is_same_v<T, Assert> ||
               std::is_same_v<T, Check>;
      },
      s->node);
}
bool may_end(const Stmt& s) {
  return std::holds_alternative<Assert>(s->node) || std::holds_alternative<Check>(s->node);
}

// ---- Both as one. ----

struct Joined {
  nest::Kernel kernel;
  Launch launch;
};

// The kernel with names for its parameters that the other one has not.
nest::Kernel with_names_apart(const nest::Kernel& kernel, const nest::Kernel& other, NameSource& names) {
  nest::NameSet taken = nest::bound_in(other.body);
  for (const nest::ScalarParam& p : other.scalars) taken.insert(p.name);
  for (const nest::Buffer& b : other.buffers) taken.insert(b.name);
  nest::Substitution to;
  auto fresh = [&](Name& n, prim::Type type) {
    if (!taken.contains(n)) return;
    Name apart = names.fresh(n);
    to.emplace(n, nest::var(apart, type));
    n = apart;
  };
  nest::Kernel result = kernel;
  for (nest::ScalarParam& p : result.scalars) fresh(p.name, p.type);
  for (nest::Buffer& b : result.buffers) fresh(b.name, b.elem);
  return nest::substitute(to, result);
}

class Join {
 public:
  // The launches `many` and `one` of a block, between which all others stand aside.
  Join(const Program& program, const Block& block, size_t many, size_t one, NameSource& names)
      : block_(block),
        many_(many),
        one_(one),
        first_(std::get<Launch>(block.stmts[many]->node)),
        second_(std::get<Launch>(block.stmts[one]->node)),
        maker_(program.kernels[static_cast<size_t>(first_.kernel)]),
        user_(with_names_apart(program.kernels[static_cast<size_t>(second_.kernel)], maker_, names)),
        names_(names) {}

  std::optional<Joined> run() {
    std::optional<nest::Block> code = straight_code(user_);
    if (!code || !maker_.constants.empty() || !maker_.address_scalars.empty()) return std::nullopt;
    auto between = std::span(block_.stmts).subspan(many_ + 1, one_ - many_ - 1);
    if (may_fail(maker_.body) && std::ranges::any_of(between, may_end)) return std::nullopt;
    if (!find_made(*code) || !others_are_apart(*code)) return std::nullopt;
    if (may_fail(*code) && !may_end_at_store()) return std::nullopt;
    return joined(*code);
  }

 private:
  const Name& maker_buffer() const { return maker_.buffers[made_in_maker_].name; }
  const Name& user_buffer() const { return user_.buffers[made_in_user_].name; }

  // Whether what is left of the kernel, of this thread and of blocks that have not begun, need not be done. Blocks that have may wait for
  // what others say, or leave words behind for them, unless all have said it when the array's only element is known.
  bool may_end_at_store() const {
    const bool exchanges = std::ranges::any_of(maker_.buffers, [](const nest::Buffer& b) { return b.exchanged; });
    return stores_last(maker_buffer(), maker_.body) && (!exchanges || is_one(made_by_->shape[0]));
  }

  // The array that one stores and the other loads from, and the element.
  bool find_made(const nest::Block& code) {
    int found = 0;
    for (size_t u = 0; u < second_.buffers.size(); ++u) {
      for (size_t m = 0; m < first_.buffers.size(); ++m) {
        if (first_.buffers[m] != second_.buffers[u]) continue;
        if (access_to(maker_.buffers[m].name, maker_.body).stores == 0) continue;
        made_in_maker_ = m;
        made_in_user_ = u;
        ++found;
      }
    }
    return found == 1 && is_only_stored() && is_new() && is_one_element(code);
  }

  bool is_only_stored() const {
    const nest::Buffer& b = maker_.buffers[made_in_maker_];
    Access access = access_to(b.name, maker_.body);
    return !b.exchanged && access.stores <= 2 && access.loads == 0 && access.others == 0 && b.strides.size() == 1 &&
           is_one(b.strides[0]);
  }

  // Whether the array has no other elements but the maker's.
  bool is_new() {
    const Name& array = second_.buffers[made_in_user_];
    for (size_t i = many_; i-- > 0;) {
      const auto* alloc = std::get_if<Alloc>(&block_.stmts[i]->node);
      if (alloc && alloc->name == array) {
        made_by_ = alloc;
        return !alloc->from && alloc->shape.size() == 1;
      }
      if (!std::holds_alternative<Measure>(block_.stmts[i]->node) && free_names(block_.stmts[i]).contains(array)) break;
    }
    return false;
  }

  // Of the new array, in which elements stand in a row.
  bool is_one_element(const nest::Block& code) {
    Access access = access_to(user_buffer(), code);
    if (access.stores + access.others > 0) return false;
    bool same = true;
    nest::NameSet bound = nest::bound_in(code);
    if (!loads_at_any_rate(user_buffer(), code)) return false;
    nest::for_each_expr(code, [&](const Expr& e) {
      const auto* load = std::get_if<nest::Load>(&e->node);
      if (!load || load->buffer != user_buffer()) return;
      if (load->index.size() != 1 || (element_ && !nest::equal(element_, load->index[0]))) same = false;
      element_ = load->index[0];
    });
    return same && element_ && counts_elements() &&
           std::ranges::none_of(nest::free_names(element_), [&](const Name& n) {
             return bound.contains(n) || std::ranges::any_of(user_.buffers, [&](const auto& b) { return b.name == n; });
           });
  }

  // Whether the user's stride is one.
  bool counts_elements() const {
    const Expr& stride = user_.buffers[made_in_user_].strides[0];
    if (is_one(stride)) return true;
    for (size_t i = 0; i < user_.scalars.size(); ++i) {
      const auto* parameter = std::get_if<nest::Var>(&stride->node);
      if (!parameter || parameter->name != user_.scalars[i].name) continue;
      const auto* value = std::get_if<nest::Var>(&second_.scalars[i]->node);
      return value && std::ranges::any_of(block_.stmts, [&](const Stmt& s) {
               const auto* measure = std::get_if<Measure>(&s->node);
               return measure && measure->name == value->name && measure->aspect == Aspect::Stride &&
                      measure->array == second_.buffers[made_in_user_];
             });
    }
    return false;
  }

  // What else is loaded the maker leaves as it is, and knows under the same name, so that it is nothing that it stores under
  // another; what is stored is new.
  bool others_are_apart(const nest::Block& code) const {
    for (size_t u = 0; u < user_.buffers.size(); ++u) {
      if (u == made_in_user_) continue;
      Access access = access_to(user_.buffers[u].name, code);
      if (access.others > 0 || user_.buffers[u].exchanged) return false;
      if (access.loads > 0 && (access.stores > 0 || !is_unchanged(second_.buffers[u]))) return false;
      if (access.stores > 0 && !is_unmentioned(second_.buffers[u])) return false;
    }
    return true;
  }

  bool is_unchanged(const Name& array) const {
    bool known = false;
    for (size_t m = 0; m < first_.buffers.size(); ++m) {
      if (first_.buffers[m] != array) continue;
      known = true;
      Access access = access_to(maker_.buffers[m].name, maker_.body);
      if (access.stores + access.others > 0 || maker_.buffers[m].exchanged) return false;
    }
    return known;
  }

  bool is_unmentioned(const Name& array) const {
    if (std::ranges::count(second_.buffers, array) != 1) return false;
    for (size_t i = one_; i-- > 0;) {
      const auto* alloc = std::get_if<Alloc>(&block_.stmts[i]->node);
      if (alloc && alloc->name == array) return !alloc->from;
      if (free_names(block_.stmts[i]).contains(array)) break;
    }
    return false;
  }

  // The user's code with names of its own, for the element's value.
  nest::Block code_for(const nest::Block& code, const Expr& value) {
    struct Take : nest::Rebuilder<Take> {
      const Name& from;
      const Expr& value;
      Take(const Name& from, const Expr& value) : from(from), value(value) {}
      void expr(Expr& e) {
        const auto* load = std::get_if<nest::Load>(&e->node);
        if (load && load->buffer == from) {
          e = value;
        } else {
          nest::Rebuilder<Take>::expr(e);
        }
      }
    } take(user_buffer(), value);
    nest::Block result;
    nest::Substitution renamed;
    for (const nest::Stmt& s : code) {
      nest::Block one = nest::substitute(renamed, nest::Block{s});
      take.body(one);
      if (const auto* let = std::get_if<nest::Let>(&one[0]->node)) {
        Name fresh = names_.fresh(let->name);
        renamed.emplace(let->name, nest::var(fresh, let->value->type));
        result.push_back(nest::stmt(nest::Let{fresh, let->value}));
      } else {
        result.push_back(one[0]);
      }
    }
    return result;
  }

  Joined joined(const nest::Block& code) {
    struct Add : nest::Rebuilder<Add> {
      Join& join;
      const nest::Block& code;
      Add(Join& join, const nest::Block& code) : join(join), code(code) {}
      void expr(Expr&) {}
      void stmts(const nest::Stmt& s, nest::Block& out) {
        const auto* store = std::get_if<nest::Store>(&s->node);
        if (!store || store->buffer != join.maker_buffer()) return nest::Rebuilder<Add>::stmts(s, out);
        Expr at = let("at", store->index[0], out), value = let("made", store->value, out);
        out.push_back(nest::stmt(nest::Store{store->buffer, {at}, value}));
        Expr is_it = nest::operation(prim::Op(prim::Family::Eq, prim::Type::I64), {at, join.element_});
        out.push_back(nest::stmt(nest::If{is_it, join.code_for(code, value), {}}));
      }
      Expr let(const char* base, const Expr& value, nest::Block& out) {
        Name name = join.names_.fresh(base);
        out.push_back(nest::stmt(nest::Let{name, value}));
        return nest::var(name, value->type);
      }
    } add(*this, code);
    Joined result{maker_, first_};
    add.body(result.kernel.body);
    nest::NameSet used = nest::free_names(result.kernel.body);
    for (size_t u = 0; u < user_.buffers.size(); ++u) {
      const nest::Buffer& b = user_.buffers[u];
      if (u == made_in_user_ || !used.contains(b.name)) continue;
      result.kernel.buffers.push_back(b);
      result.launch.buffers.push_back(second_.buffers[u]);
      for (const std::vector<Expr>* list : {&b.dims, &b.strides}) {
        for (const Expr& e : *list) used.merge(nest::free_names(e));
      }
    }
    for (size_t i = 0; i < user_.scalars.size(); ++i) {
      if (!used.contains(user_.scalars[i].name)) continue;
      result.kernel.scalars.push_back(user_.scalars[i]);
      result.launch.scalars.push_back(second_.scalars[i]);
    }
    return result;
  }

  const Block& block_;
  size_t many_, one_;
  const Launch &first_, &second_;
  const nest::Kernel& maker_;
  nest::Kernel user_;
  NameSource& names_;
  size_t made_in_maker_ = 0, made_in_user_ = 0;
  const Alloc* made_by_ = nullptr;  // the array
  Expr element_;                    // its index, over the user's scalars
};

// The launch that comes before another, with nothing between that is anything to either.
std::optional<size_t> launch_before(const Block& block, size_t i) {
  while (i-- > 0) {
    if (std::holds_alternative<Launch>(block.stmts[i]->node)) return i;
    if (!stands_aside(block.stmts[i])) break;
  }
  return std::nullopt;
}

}  // namespace

Program compute_where_made(Program program) {
  NameSource names(largest_tag(program) + 1);
  each_block(program, [&](Block& b) {
    for (size_t i = 0; i < b.stmts.size(); ++i) {
      if (!std::holds_alternative<Launch>(b.stmts[i]->node)) continue;
      std::optional<size_t> before = launch_before(b, i);
      if (!before) continue;
      std::optional<Joined> joined = Join(program, b, *before, i, names).run();
      if (!joined) continue;
      joined->launch.kernel = static_cast<int>(program.kernels.size());
      joined->kernel.name += fmt::format("_{}", program.kernels.size());
      program.kernels.push_back(std::move(joined->kernel));
      b.stmts[i] = stmt(std::move(joined->launch));
      b.stmts.erase(b.stmts.begin() + static_cast<std::ptrdiff_t>(*before));
      --i;
    }
  });
  return program;
}

}  // namespace heddle::host
