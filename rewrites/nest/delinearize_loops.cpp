#include "rewrites/nest/delinearize_loops.h"

#include <optional>

#include "ir/support/error.h"
#include "rewrites/nest/digits.h"

namespace heddle::nest {

namespace {

bool is_quotient(prim::Family f) { return f == prim::Family::SDiv || f == prim::Family::SQuot; }
bool is_remainder(prim::Family f) { return f == prim::Family::SMod || f == prim::Family::SRem; }

bool is_var(const Expr& e, const Name& name) {
  const auto* v = std::get_if<Var>(&e->node);
  return v && v->name == name;
}

// The operator, if this is a quotient or a remainder of the index.
const Operation* division_of(const Expr& e, const Name& index) {
  const auto* o = std::get_if<Operation>(&e->node);
  return o && (is_quotient(o->op.family) || is_remainder(o->op.family)) && is_var(o->args[0], index) ? o : nullptr;
}

// By what an index is divided.
struct Divisions : Walker<Divisions> {
  const Name& index;
  Expr by;
  bool differs = false;  // it is divided by different things

  explicit Divisions(const Name& index) : index(index) {}

  void expr(const Expr& e) {
    if (const Operation* o = division_of(e, index)) {
      differs |= by && !equal(by, o->args[1]);
      by = o->args[1];
      return;
    }
    Walker::expr(e);
  }
};

// The index's quotients and remainders are the two indices themselves.
struct ReplaceDivisions : Rebuilder<ReplaceDivisions> {
  const Name& index;
  const TwoIndices& two;
  ReplaceDivisions(const Name& index, const TwoIndices& two) : index(index), two(two) {}

  void expr(Expr& e) {
    const Operation* o = division_of(e, index);
    if (!o) return Rebuilder::expr(e);
    e = var(is_quotient(o->op.family) ? two.outer : two.inner, prim::Type::I64);
  }
};

class Split : public Rebuilder<Split> {
 public:
  Split(NameSource& names, const Definitions& definitions, const NotNegative& not_negative)
      : names_(names), definitions_(definitions), not_negative_(not_negative) {}

  void stmts(const Stmt& s, Block& out) {
    const auto* loop = std::get_if<For>(&s->node);
    if (loop && loop->role == Role::Serial) {
      if (auto split = apart(*loop)) return stmts(*split, out);
    }
    Rebuilder::stmts(s, out);
  }

 private:
  std::optional<Stmt> apart(const For& loop) {
    Divisions d(loop.index);
    d.body(loop.body);
    if (!d.by || d.differs || !not_negative_(d.by)) return std::nullopt;
    // A size that is bound in the body may differ from iteration to iteration.
    for (const Name& n : free_names(d.by)) {
      if (!free_names(Block{stmt(loop)}).contains(n)) return std::nullopt;
    }
    auto rows = quotient(loop.extent, d.by);
    if (!rows) return std::nullopt;
    TwoIndices two({loop.index, *rows, d.by}, names_);
    For changed = loop;
    ReplaceDivisions(loop.index, two).body(changed.body);
    return two.in(changed);
  }

  std::optional<Expr> quotient(const Expr& extent, const Expr& by) const {
    try {
      auto e = from_expr(extent, definitions_), b = from_expr(by, definitions_);
      if (!e || !b || b->is_zero()) return std::nullopt;
      auto q = e->divided_by(*b);
      if (!q) return std::nullopt;
      return to_expr(*q);
    } catch (const Refused&) {
      return std::nullopt;  // coefficients beyond 64 bits
    }
  }

  NameSource& names_;
  const Definitions& definitions_;
  const NotNegative& not_negative_;
};

}  // namespace

Block delinearize_loops(const Block& block, NameSource& names, const Definitions& definitions,
                        const NotNegative& not_negative) {
  Split split(names, definitions, not_negative);
  Block result = block;
  split.body(result);
  return result;
}

}  // namespace heddle::nest
