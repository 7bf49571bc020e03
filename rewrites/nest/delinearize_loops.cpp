#include "rewrites/nest/delinearize_loops.h"

#include <optional>

#include "ir/nest/traverse.h"
#include "ir/support/error.h"

namespace heddle::nest {

namespace {

using prim::Family;
using prim::Type;

bool is_quotient(Family f) { return f == Family::SDiv || f == Family::SQuot; }
bool is_remainder(Family f) { return f == Family::SMod || f == Family::SRem; }

bool is_var(const Expr& e, const Name& name) {
  const auto* v = std::get_if<Var>(&e->node);
  return v && v->name == name;
}

// By what an index is divided.
struct Divisions : Walker<Divisions> {
  const Name& index;
  Expr by;
  bool differs = false;  // it is divided by different things

  explicit Divisions(const Name& index) : index(index) {}

  void expr(const Expr& e) {
    const auto* o = std::get_if<Operation>(&e->node);
    if (o && (is_quotient(o->op.family) || is_remainder(o->op.family)) && is_var(o->args[0], index)) {
      differs |= by && !equal(by, o->args[1]);
      by = o->args[1];
      return;
    }
    Walker::expr(e);
  }
};

struct Replace : Rebuilder<Replace> {
  const Name& index;
  Expr quotient, remainder, whole;

  Replace(const Name& index, const Expr& quotient, const Expr& remainder, const Expr& by)
      : index(index), quotient(quotient), remainder(remainder), whole(add(mul(quotient, by), remainder)) {}

  void expr(Expr& e) {
    const auto* o = std::get_if<Operation>(&e->node);
    bool divided = o && (is_quotient(o->op.family) || is_remainder(o->op.family)) && is_var(o->args[0], index);
    if (divided) {
      e = is_quotient(o->op.family) ? quotient : remainder;
    } else if (is_var(e, index)) {
      e = whole;
    } else {
      Rebuilder::expr(e);
    }
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
    Name i = names_.fresh(loop.index), j = names_.fresh(loop.index);
    Replace replace(loop.index, var(i, Type::I64), var(j, Type::I64), d.by);
    Block body = loop.body;
    replace.body(body);
    return stmt(For{i, *rows, Role::Serial, {stmt(For{j, d.by, Role::Serial, body})}});
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
