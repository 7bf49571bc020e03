#include "rewrites/nest/keep_in_registers.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "ir/nest/threads.h"
#include "ir/nest/traverse.h"

namespace heddle::nest {

namespace {

constexpr int64_t kMostBytes = 512;        // of all arrays: half of the registers that a thread can have
constexpr int64_t kMostStatements = 4096;  // that loops are written out to
// The same within a loop that stays: compilers move what is the same in all its rounds before it, and need registers for that, too.
constexpr int64_t kMostWithinLoop = 256;

// The loops of which the index must be known for an expression to be a constant; nothing where it depends on more.
using Loops = std::optional<NameSet>;

struct Array {
  Name name;
  int64_t bytes;
  Loops loops = NameSet{};   // for all its indices
  bool within_loop = false;  // which stays
};

class Find : public Walker<Find> {
 public:
  void stmt(const Stmt& s) {
    if (const auto* alloc = std::get_if<Alloc>(&s->node)) array(alloc->buffer);
    if (const auto* store = std::get_if<Store>(&s->node)) access(store->buffer, store->index);
    if (const auto* update = std::get_if<AtomicUpdate>(&s->node)) access(update->buffer, update->index);
    const auto* loop = std::get_if<For>(&s->node);
    bool in_order = loop ? !parallel(loop->role) : std::holds_alternative<While>(s->node);
    if (loop && in_order && loop->role != Role::Vector) index(*loop);
    if (in_order) around_.push_back(loop ? loop->index : Name{});
    Walker::stmt(s);
    if (in_order) around_.pop_back();
    if (const auto* let = std::get_if<Let>(&s->node)) {
      if (Loops needed = of(let->value)) known_.emplace(let->name, *needed);
    }
  }
  void expr(const Expr& e) {
    if (const auto* load = std::get_if<Load>(&e->node)) access(load->buffer, load->index);
    Walker::expr(e);
  }

  std::vector<Array> arrays;  // in the order in which they are allocated

 private:
  void index(const For& loop) {
    Loops needed = of(loop.extent);
    if (!needed) return;
    needed->insert(loop.index);
    known_.emplace(loop.index, std::move(*needed));
  }

  void array(const Buffer& b) {
    if (b.space != Space::Register || b.dims.empty()) return;
    auto bytes = static_cast<int64_t>(prim::size_bytes(b.elem));
    for (const Expr& d : b.dims) bytes *= std::max<int64_t>(0, int_constant(d).value_or(kMostBytes + 1));
    if (bytes > kMostBytes) return;
    numbers_.emplace(b.name, arrays.size());
    arrays.push_back({b.name, bytes});
  }

  void access(const Name& buffer, const std::vector<Expr>& index) {
    auto it = numbers_.find(buffer);
    if (it == numbers_.end()) return;
    Array& a = arrays[it->second];
    NameSet all;
    for (const Expr& i : index) {
      Loops needed = of(i);
      if (needed) all.merge(*needed);
      if (!needed) a.loops = std::nullopt;
    }
    a.within_loop |= std::ranges::any_of(around_, [&](const Name& n) { return !all.contains(n); });
    if (a.loops) a.loops->merge(all);
  }

  Loops of(const Expr& e) const {
    NameSet needed;
    bool known = true;
    for_each_expr(e, [&](const Expr& x) {
      known = known && !std::holds_alternative<Load>(x->node);
      const auto* v = std::get_if<Var>(&x->node);
      if (!v) return;
      auto it = known_.find(v->name);
      known = known && it != known_.end();
      if (known) needed.insert(it->second.begin(), it->second.end());
    });
    return known ? Loops(std::move(needed)) : std::nullopt;
  }

  std::unordered_map<Name, size_t> numbers_;
  std::vector<Name> around_;                 // loops; nameless ones are no For
  std::unordered_map<Name, NameSet> known_;  // indices of loops and what is computed of them
};

// How many statements there are once these loops are written out, as far as that is at most kMostStatements.
class Count {
 public:
  explicit Count(const NameSet& loops) : loops_(loops) {}
  int64_t of(const Block& block) {
    add(block);
    return count_;
  }

 private:
  void add(const Block& block) {
    for (const Stmt& s : block) {
      if (++count_ > kMostStatements) return;
      if (const auto* let = std::get_if<Let>(&s->node)) define(let->name, let->value);
      if (const auto* branch = std::get_if<If>(&s->node)) {
        add(branch->then_body);
        add(branch->else_body);
      }
      if (const auto* loop = std::get_if<While>(&s->node)) add(loop->body);
      if (const auto* loop = std::get_if<For>(&s->node))
        loops_.contains(loop->index) ? written_out(*loop) : add(loop->body);
    }
  }

  void written_out(const For& loop) {
    int64_t rounds = int_constant(substitute(values_, loop.extent)).value_or(kMostStatements);
    for (int64_t i = 0; i < rounds && count_ <= kMostStatements; ++i) {
      values_.insert_or_assign(loop.index, constant(i));
      add(loop.body);
    }
  }

  void define(const Name& name, const Expr& value) {
    if (value->type != prim::Type::I64) return;
    Expr e = substitute(values_, value);
    if (int_constant(e)) values_.insert_or_assign(name, e);
  }

  const NameSet& loops_;
  Substitution values_;
  int64_t count_ = 0;
};

}  // namespace

Block keep_in_registers(Block block) {
  Find found;
  found.body(block);
  NameSet unrolled;
  int64_t bytes = 0, before = Count(unrolled).of(block);
  for (const Array& a : found.arrays) {
    if (!a.loops || bytes + a.bytes > kMostBytes) continue;
    NameSet loops = unrolled;
    loops.insert(a.loops->begin(), a.loops->end());
    int64_t after = Count(loops).of(block);
    if (after > (a.within_loop ? std::min(before + kMostWithinLoop, kMostStatements) : kMostStatements)) continue;
    unrolled = std::move(loops);
    before = after;
    bytes += a.bytes;
  }
  struct Unroll : Rebuilder<Unroll> {
    const NameSet& loops;
    explicit Unroll(const NameSet& loops) : loops(loops) {}
    void expr(Expr&) {}
    void stmts(const Stmt& s, Block& out) {
      Rebuilder::stmts(s, out);
      const auto* loop = std::get_if<For>(&out.back()->node);
      if (loop && loops.contains(loop->index))
        out.back() = stmt(For{loop->index, loop->extent, Role::Unrolled, loop->body});
    }
  } unroll(unrolled);
  unroll.body(block);
  return block;
}

}  // namespace heddle::nest
