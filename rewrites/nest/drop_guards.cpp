#include "rewrites/nest/drop_guards.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/nest/printer.h"
#include "rewrites/nest/fill.h"
#include "rewrites/nest/region.h"
#include "rewrites/nest/unused.h"

namespace heddle::nest {

namespace {

using prim::Type;

// Statements with the loops and tests around them.
struct Use {
  Stmt stmt;
  std::vector<const For*> loops;
  std::vector<Expr> tests;
};

class Dropper {
 public:
  Dropper(const Kernel& kernel, const Name& buffer, NameSource& names)
      : kernel_(kernel),
        buffer_(buffer),
        lets_(index_lets(kernel)),
        facts_(names, no_definition),
        filled_(filled_buffers(kernel)) {
    learn_sizes(facts_, kernel);
    find(kernel.body);
  }

  Rewritten run() {
    if (!is_register_) refuse(fmt::format("{} is no register buffer", buffer_.text()));
    check_same_tests();
    Kernel result = kernel_;
    std::vector<Stmt> unguarded;
    for (const Use& u : uses_) {
      const auto* store = std::get_if<Store>(&u.stmt->node);
      if (!store || store->buffer != buffer_ || u.tests.empty()) continue;
      check_harmless(*store, u);
      unguarded.push_back(u.stmt);
    }
    if (unguarded.empty()) refuse(fmt::format("nothing that is stored to {} is tested", buffer_.text()));
    Unguard(*this, unguarded).body(result.body);
    result.body = without_unused(result.body);
    return {result,
            fmt::format("{} is used under the same test of its index everywhere, so that what the other "
                        "elements hold reaches no other memory; what is computed for them reads only elements that "
                        "exist",
                        buffer_.text()),
            {}};
  }

 private:
  // ---- What uses the buffer. ----

  void find(const Block& block) {
    for (const Stmt& s : block) {
      if (const auto* f = std::get_if<For>(&s->node)) {
        if (free_names(f->extent).contains(buffer_)) refuse(fmt::format("{} is used in an extent", buffer_.text()));
        here_.loops.push_back(f);
        find(f->body);
        here_.loops.pop_back();
      } else if (const auto* branch = std::get_if<If>(&s->node)) {
        if (is_known_at_launch(branch->condition)) {
          find(branch->then_body);
          find(branch->else_body);
        } else if (branch->else_body.empty() && is_movable(branch->condition)) {
          here_.tests.push_back(substitute(lets_, branch->condition));
          find(branch->then_body);
          here_.tests.pop_back();
        } else {
          note(s);
        }
      } else {
        note(s);
      }
    }
  }

  // Then it decides for all elements alike.
  bool is_known_at_launch(const Expr& condition) const {
    return std::ranges::all_of(free_names(condition), [&](const Name& n) {
      return std::ranges::find(kernel_.constants, n) != kernel_.constants.end() ||
             std::ranges::any_of(kernel_.scalars, [&](const ScalarParam& p) { return p.name == n; });
    });
  }

  void note(const Stmt& s) {
    if (const auto* alloc = std::get_if<Alloc>(&s->node)) {
      if (alloc->buffer.name == buffer_) is_register_ = alloc->buffer.space == Space::Register;
      buffers_.emplace(alloc->buffer.name, alloc->buffer);
      return;
    }
    if (!free_names(Block{s}).contains(buffer_)) return;
    Use u = here_;
    u.stmt = s;
    uses_.push_back(std::move(u));
  }

  // ---- The tests. ----

  // The places of elements that a statement accesses, all of which must be the same.
  std::vector<Expr> element(const Use& u) const {
    std::optional<std::vector<Expr>> found;
    auto add = [&](const std::vector<Expr>& index) {
      if (found && !std::equal(index.begin(), index.end(), found->begin(), found->end(), equal))
        refuse(fmt::format("a statement uses several elements of {}", buffer_.text()));
      found = index;
    };
    if (const auto* s = std::get_if<Store>(&u.stmt->node); s && s->buffer == buffer_) add(s->index);
    for_each_expr(Block{u.stmt}, [&](const Expr& e) {
      if (const auto* l = std::get_if<Load>(&e->node); l && l->buffer == buffer_) add(l->index);
    });
    if (!found) refuse(fmt::format("{} is used in an unexpected way", buffer_.text()));
    return *found;
  }

  // The tests as functions of the element: where it is indexed by loops, these are named by dimension.
  std::vector<Expr> tests_by_element(const Use& u) const {
    std::vector<Expr> index = element(u);
    Substitution by_dim;
    for (size_t d = 0; d < index.size(); ++d) {
      const auto* v = std::get_if<Var>(&index[d]->node);
      if (!v) refuse(fmt::format("{} is indexed by {}, which is no loop", buffer_.text(), to_text(index[d])));
      // Tags below 0 are no names of the program.
      by_dim.emplace(v->name, var(Name{"element", -static_cast<int>(d) - 2}, Type::I64));
    }
    std::vector<Expr> tests;
    for (const Expr& t : u.tests) tests.push_back(substitute(by_dim, t));
    for (const Expr& t : tests) {
      for (const Name& n : free_names(t)) {
        if (inner_loop(u, n) && !by_dim.contains(n))
          refuse(fmt::format("a test around {} depends on {}, which is not its index", buffer_.text(), n.text()));
      }
    }
    return tests;
  }

  // Loops that not all uses are in: what a test says of their indices differs from use to use.
  bool inner_loop(const Use& u, const Name& name) const {
    auto holds = [&](const Use& x) {
      return std::ranges::any_of(x.loops, [&](const For* f) { return f->index == name; });
    };
    return holds(u) && !std::ranges::all_of(uses_, holds);
  }

  void check_same_tests() const {
    std::optional<std::vector<Expr>> first;
    for (const Use& u : uses_) {
      std::vector<Expr> tests = tests_by_element(u);
      if (!first) first = tests;
      auto in = [](const std::vector<Expr>& all) {
        return [&all](const Expr& t) { return std::ranges::any_of(all, [&](const Expr& x) { return equal(t, x); }); };
      };
      if (!std::ranges::all_of(tests, in(*first)) || !std::ranges::all_of(*first, in(tests)))
        refuse(fmt::format("{} is used under different tests", buffer_.text()));
    }
  }

  // ---- What is computed without them. ----

  void check_harmless(const Store& s, const Use& u) {
    check_inside(buffers_.at(buffer_), s.index, u);
    for_each_expr(s.value, [&](const Expr& e) {
      const auto* o = std::get_if<Operation>(&e->node);
      if (o && prim::can_fail(o->op)) refuse(fmt::format("{} may be undefined without the test", to_text(e)));
      const auto* l = std::get_if<Load>(&e->node);
      if (!l || l->buffer == buffer_) return;
      if (!filled_.contains(l->buffer))
        refuse(fmt::format("{} may not exist without the test, or hold nothing", to_text(e)));
      check_inside(buffers_.at(l->buffer), l->index, u);
    });
  }

  void check_inside(const Buffer& buffer, const std::vector<Expr>& index, const Use& u) {
    Region region = region_of(kernel_, index, u.loops, facts_);
    for (size_t d = 0; d < index.size(); ++d) {
      Polynomial end = region.low[d] + region.extent[d];
      bool exists = facts_.prove_at_most(constant(int64_t{0}), to_expr(region.low[d])) &&
                    facts_.prove_at_most(to_expr(end), buffer.dims[d]);
      if (!exists) refuse(fmt::format("{} may be outside of {}", to_text(index[d]), buffer.name.text()));
    }
  }

  struct Unguard : Rebuilder<Unguard> {
    const Dropper& dropper;
    const std::vector<Stmt>& unguarded;
    Unguard(const Dropper& dropper, const std::vector<Stmt>& unguarded) : dropper(dropper), unguarded(unguarded) {}

    void expr(Expr&) {}
    // A test goes if all statements under it do without.
    void stmts(const Stmt& s, Block& out) {
      const auto* branch = std::get_if<If>(&s->node);
      bool is_test = branch && branch->else_body.empty() && !dropper.is_known_at_launch(branch->condition);
      if (!is_test || !all_unguarded(branch->then_body)) return Rebuilder::stmts(s, out);
      Block inner = branch->then_body;
      body(inner);
      out.insert(out.end(), inner.begin(), inner.end());
    }

    bool all_unguarded(const Block& block) const {
      return std::ranges::all_of(block, [&](const Stmt& s) {
        if (std::ranges::find(unguarded, s) != unguarded.end() || std::holds_alternative<Alloc>(s->node)) return true;
        if (const auto* let = std::get_if<Let>(&s->node)) return is_movable(let->value);
        if (const auto* f = std::get_if<For>(&s->node)) return is_movable(f->extent) && all_unguarded(f->body);
        const auto* branch = std::get_if<If>(&s->node);
        return branch && branch->else_body.empty() && all_unguarded(branch->then_body);
      });
    }
  };

  const Kernel& kernel_;
  const Name& buffer_;
  Substitution lets_;
  Facts facts_;
  Use here_;
  std::vector<Use> uses_;
  std::unordered_map<Name, Buffer> buffers_;  // that the kernel makes
  const NameSet filled_;                      // shared ones of which every element is written
  bool is_register_ = false;
};

}  // namespace

Result<Rewritten> drop_guards(const Kernel& kernel, const Name& buffer, NameSource& names) {
  return rewrite([&] { return Dropper(kernel, buffer, names).run(); });
}

}  // namespace heddle::nest
