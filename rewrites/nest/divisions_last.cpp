#include "rewrites/nest/divisions_last.h"

#include <algorithm>
#include <unordered_map>

#include "ir/nest/traverse.h"

namespace heddle::nest {

namespace {

using prim::Family;
using prim::Type;

// What an element is the quotient of, kept until the points are done.
struct Kept {
  Buffer value, dividend, divisor;
};

bool reads(const Expr& e) {
  bool found = false;
  for_each_expr(e, [&](const Expr& part) { found |= std::holds_alternative<Load>(part->node); });
  return found;
}

// The division of an expression or of what a name stands for; null where it is none that has a branch.
const Operation* division(const Expr& e, const std::unordered_map<Name, Expr>& lets) {
  const Expr* of = &e;
  if (const auto* v = std::get_if<Var>(&e->node)) {
    auto it = lets.find(v->name);
    if (it == lets.end()) return nullptr;
    of = &it->second;
  }
  const auto* o = std::get_if<Operation>(&(*of)->node);
  const bool divides = o && o->op.family == Family::FDiv && (*of)->type != Type::F16;
  return divides && !std::holds_alternative<Const>(o->args[1]->node) ? o : nullptr;
}

// Stores to one buffer that are in no branch and in no loop that is not written out, and what they store.
class Stores {
 public:
  Stores(const Block& body, const Name& buffer) : buffer_(buffer) { block(body, true); }
  // Whether there is one, of a quotient of numbers that stay what they are.
  bool is_quotient() const { return count_ == 1 && is_plain_ && !is_read_; }

 private:
  void block(const Block& b, bool is_plain) {
    for (const Stmt& s : b) {
      if (const auto* let = std::get_if<Let>(&s->node)) lets_.emplace(let->name, let->value);
      if (const auto* store = std::get_if<Store>(&s->node); store && store->buffer == buffer_) {
        ++count_;
        const Operation* o = division(store->value, lets_);
        is_plain_ = is_plain && o && !reads(o->args[0]) && !reads(o->args[1]);
      } else if (const auto* loop = std::get_if<For>(&s->node)) {
        block(loop->body, is_plain && loop->role == Role::Unrolled);
      } else if (!std::holds_alternative<Let>(s->node)) {
        within(s);
      }
      for_each_expr(Block{s}, [&](const Expr& e) {
        const auto* load = std::get_if<Load>(&e->node);
        is_read_ |= load && load->buffer == buffer_;
      });
    }
  }
  // In branches and the like.
  void within(const Stmt& s) {
    for_each_stmt(Block{s}, [&](const Stmt& inner) {
      const auto* store = std::get_if<Store>(&inner->node);
      count_ += store && store->buffer == buffer_ ? 2 : 0;
    });
  }

  const Name& buffer_;
  std::unordered_map<Name, Expr> lets_;
  int count_ = 0;
  bool is_plain_ = false, is_read_ = false;
};

struct Keep : Rebuilder<Keep> {
  const std::vector<Kept>& kept;
  std::unordered_map<Name, Expr> lets;

  explicit Keep(const std::vector<Kept>& kept) : kept(kept) {}

  void stmts(const Stmt& s, Block& out) {
    if (const auto* let = std::get_if<Let>(&s->node)) lets.emplace(let->name, let->value);
    const auto* store = std::get_if<Store>(&s->node);
    auto of = store ? std::ranges::find(kept, store->buffer, [](const Kept& k) { return k.value.name; }) : kept.end();
    if (of == kept.end()) return Rebuilder::stmts(s, out);
    const Operation* o = division(store->value, lets);
    out.push_back(stmt(Store{of->dividend.name, store->index, o->args[0]}));
    out.push_back(stmt(Store{of->divisor.name, store->index, o->args[1]}));
  }
};

// For all elements of a buffer.
Block divided(const Kept& k, NameSource& names) {
  std::vector<Name> at;
  std::vector<Expr> index;
  for (size_t d = 0; d < k.value.dims.size(); ++d) {
    at.push_back(names.fresh("point"));
    index.push_back(var(at.back(), Type::I64));
  }
  const Type elem = k.value.elem;
  const Expr quotient =
      operation(prim::Op(Family::FDiv, elem), {load(k.dividend.name, elem, index), load(k.divisor.name, elem, index)});
  Block code = {stmt(Store{k.value.name, index, quotient})};
  for (size_t d = at.size(); d-- > 0;) code = {stmt(For{at[d], k.value.dims[d], Role::Unrolled, std::move(code)})};
  return code;
}

bool are_several(const Buffer& b) {
  return std::ranges::any_of(b.dims, [](const Expr& d) { return int_constant(d).value_or(1) > 1; });
}

}  // namespace

Block divisions_last(const Stmt& loop, const std::vector<Buffer>& values, NameSource& names) {
  std::vector<Kept> kept;
  for (const Buffer& b : values) {
    if (!are_several(b) || !Stores({loop}, b.name).is_quotient()) continue;
    Buffer dividend = b, divisor = b;
    dividend.name = names.fresh("dividend"), divisor.name = names.fresh("divisor");
    kept.push_back({b, std::move(dividend), std::move(divisor)});
  }
  if (kept.empty()) return {loop};
  Block code;
  for (const Kept& k : kept) {
    code.push_back(stmt(Alloc{k.dividend}));
    code.push_back(stmt(Alloc{k.divisor}));
  }
  Block body = {loop};
  Keep(kept).body(body);
  code.insert(code.end(), body.begin(), body.end());
  for (const Kept& k : kept) {
    const Block quotients = divided(k, names);
    code.insert(code.end(), quotients.begin(), quotients.end());
  }
  return code;
}

}  // namespace heddle::nest
