#include "rewrites/nest/keep_last_steps.h"

#include <algorithm>
#include <map>

#include "rewrites/nest/meanings.h"
#include "rewrites/nest/rewrite_support.h"

namespace heddle::nest {

namespace {

constexpr int64_t kMostCarried = 4;

Expr truth(bool b) { return constant(prim::Value::of_bool(b)); }
Expr either(const Expr& a, const Expr& b) { return negate(both(negate(a), negate(b))); }

using Place = std::vector<Polynomial>;  // of an element, over the loop's index and what does not change in the loop

// A load in a loop, and under which condition it takes place.
struct Read {
  Name buffer;
  std::vector<Expr> index;
  Expr condition;  // null: one that is not known before the loop
  bool before_the_write;
};

// What a loop reads of a buffer that it writes once a step.
class Reads {
 public:
  Reads(const For& loop, const Store& write, const Meanings& meanings)
      : write_(write), meanings_(meanings), bound_(bound_in(loop.body)) {
    block(loop.body, truth(true));
  }
  const std::vector<Read>& all() const { return reads_; }

 private:
  void block(const Block& b, const Expr& condition) {
    for (const Stmt& s : b) {
      if (const auto* store = std::get_if<Store>(&s->node); store == &write_) {
        parts_of(*store, condition);
        written_ = true;
      } else if (const auto* branch = std::get_if<If>(&s->node)) {
        value(branch->condition, condition);
        block(branch->then_body, both_known(condition, known(branch->condition)));
        block(branch->else_body, both_known(condition, known(negate(branch->condition))));
      } else if (const auto* loop = std::get_if<For>(&s->node)) {
        value(loop->extent, condition);
        block(loop->body, nullptr);
      } else if (const auto* loop = std::get_if<While>(&s->node)) {
        value(loop->condition, nullptr);
        block(loop->body, nullptr);
      } else {
        std::visit([&](const auto& node) { parts_of(node, condition); }, s->node);
      }
    }
  }

  template <class Node>
  void parts_of(const Node& node, const Expr& condition) {
    struct V : Walker<V> {
      Reads& reads;
      const Expr& condition;
      V(Reads& reads, const Expr& condition) : reads(reads), condition(condition) {}
      void expr(const Expr& e) { reads.value(e, condition); }
      void body(const Block&) {}
    } v(*this, condition);
    parts(node, v);
  }

  void value(const Expr& e, const Expr& condition) {
    if (const auto* choice = std::get_if<Select>(&e->node)) {
      value(choice->condition, condition);
      value(choice->if_true, both_known(condition, known(choice->condition)));
      value(choice->if_false, both_known(condition, known(negate(choice->condition))));
      return;
    }
    if (const auto* l = std::get_if<Load>(&e->node); l && l->buffer == write_.buffer)
      reads_.push_back({l->buffer, l->index, condition, !written_});
    std::visit([&](const auto& node) { parts_of(node, condition); }, e->node);
  }

  Expr known(const Expr& condition) const { return meanings_.without(condition, bound_); }
  static Expr both_known(const Expr& a, const Expr& b) { return a && b ? both(a, b) : nullptr; }

  const Store& write_;
  const Meanings& meanings_;
  NameSet bound_;
  bool written_ = false;
  std::vector<Read> reads_;
};

class Carry : public Rebuilder<Carry> {
 public:
  Carry(const Kernel& kernel, NameSource& names) : meanings_(kernel.body), names_(names) {
    for (const Buffer& b : kernel.buffers) {
      if (!b.exchanged && !b.dims.empty()) types_.emplace(b.name, b.elem);
    }
  }

  void expr(Expr&) {}
  void stmts(const Stmt& s, Block& out) {
    Rebuilder::stmts(s, out);
    const auto* loop = std::get_if<For>(&out.back()->node);
    if (!loop || loop->role != Role::Serial || may_be_disturbed(loop->body)) return;
    For carried = *loop;
    Block before;
    for (const Stmt& inner : loop->body) {
      const auto* write = std::get_if<Store>(&inner->node);
      if (write && is_written_once(*loop, write->buffer)) carry(*loop, *write, carried, before);
    }
    if (before.empty()) return;
    out.pop_back();
    out.insert(out.end(), before.begin(), before.end());
    out.push_back(stmt(std::move(carried)));
  }

 private:
  bool is_written_once(const For& loop, const Name& buffer) const {
    if (!types_.contains(buffer)) return false;
    int writes = 0;
    for_each_stmt(loop.body, [&](const Stmt& s) {
      const auto* store = std::get_if<Store>(&s->node);
      writes += store && store->buffer == buffer;
    });
    return writes == 1;
  }

  std::optional<Place> place(const For& loop, const std::vector<Expr>& index) const {
    return meanings_.place(index, bound_in(loop.body));
  }

  static Place at_step(const Place& place, const Name& index, const Polynomial& step) {
    Place result;
    for (const Polynomial& p : place) result.push_back(p.substitute(index, step));
    return result;
  }

  // Whether each step has another place.
  static bool moves(const Place& place, const Name& index) {
    return std::ranges::any_of(
        place, [&](const Polynomial& p) { return p.degree_in(index) == 1 && p.coefficient(index).as_constant(); });
  }

  // How many steps before the element was written, if so few that it may be carried.
  std::optional<int64_t> steps_back(const For& loop, const Read& read, const Place& written) const {
    auto from = place(loop, read.index);
    if (!from) return std::nullopt;
    const bool apart = moves(written, loop.index);
    if (!apart && !read.before_the_write) return std::nullopt;
    for (int64_t k = 1; k <= (apart ? kMostCarried : 1); ++k) {
      if (at_step(*from, loop.index, Polynomial::of(loop.index) + k) == written) return k;
    }
    return std::nullopt;
  }

  void carry(const For& loop, const Store& write, For& carried, Block& before) {
    auto written = place(loop, write.index);
    if (!written) return;
    // Under which conditions what was written so many steps before is read, and which loads do.
    std::map<int64_t, std::vector<const Read*>> by_steps;
    const Reads reads(loop, write, meanings_);
    std::vector<const Read*> others;
    for (const Read& r : reads.all()) {
      auto k = steps_back(loop, r, *written);
      (k ? by_steps[*k] : others).push_back(&r);
    }
    std::erase_if(by_steps, [&](const auto& of) {
      // All loads that are alike become the same.
      for (const Read* r : of.second) {
        auto alike = [&](const Read* other) { return std::ranges::equal(other->index, r->index, equal); };
        if (std::ranges::any_of(others, alike)) return true;
      }
      return std::ranges::any_of(of.second, [](const Read* r) { return !r->condition; }) &&
             std::ranges::none_of(of.second, [](const Read* r) { return is_always(*r); });
    });
    if (by_steps.empty()) return;

    const prim::Type type = types_.at(write.buffer);
    const int64_t most = by_steps.rbegin()->first;
    std::vector<Buffer> kept;
    for (int64_t k = 1; k <= most; ++k) {
      kept.push_back({names_.fresh("last"), type, Space::Register, {}, {}});
      before.push_back(stmt(Alloc{kept.back()}));
      Expr needed;
      for (const auto& [steps, loads] : by_steps) {
        if (steps < k) continue;
        const Expr step = constant(steps - k);
        for (const Read* r : loads) {
          if (!r->condition) continue;
          Expr now = both(less(step, loop.extent), substitute({{loop.index, step}}, r->condition));
          needed = needed ? either(needed, now) : now;
        }
      }
      std::vector<Expr> first;
      for (const Polynomial& p : at_step(*written, loop.index, -k)) first.push_back(to_expr(p));
      Expr value = select(needed, load(write.buffer, type, first), constant(prim::zero(type)));
      before.push_back(stmt(Store{kept.back().name, {}, value}));
    }
    replace(carried.body, write, by_steps, kept);
  }

  static bool is_always(const Read& r) { return r.condition && equal(r.condition, truth(true)); }

  void replace(Block& body, const Store& write, const std::map<int64_t, std::vector<const Read*>>& by_steps,
               const std::vector<Buffer>& kept) {
    struct Loads : Rebuilder<Loads> {
      const Name& array;
      const std::map<int64_t, std::vector<const Read*>>& by_steps;
      const std::vector<Buffer>& kept;
      Loads(const Name& array, const std::map<int64_t, std::vector<const Read*>>& by_steps,
            const std::vector<Buffer>& kept)
          : array(array), by_steps(by_steps), kept(kept) {}
      void expr(Expr& e) {
        const auto* l = std::get_if<Load>(&e->node);
        for (const auto& [steps, loads] : by_steps) {
          if (!l || l->buffer != array) break;
          auto same = [&](const Read* r) { return std::ranges::equal(r->index, l->index, equal); };
          if (!std::ranges::any_of(loads, same)) continue;
          e = load(kept[static_cast<size_t>(steps - 1)].name, e->type, {});
          return;
        }
        Rebuilder::expr(e);
      }
    } loads(write.buffer, by_steps, kept);
    loads.body(body);
    Block with_value;
    Name value = names_.fresh("written");
    const prim::Type type = types_.at(write.buffer);
    for (const Stmt& s : body) {
      const auto* store = std::get_if<Store>(&s->node);
      if (!store || store->buffer != write.buffer) {
        with_value.push_back(s);
        continue;
      }
      with_value.push_back(stmt(Let{value, store->value}));
      with_value.push_back(stmt(Store{store->buffer, store->index, var(value, type)}));
    }
    for (size_t k = kept.size(); k-- > 1;)
      with_value.push_back(stmt(Store{kept[k].name, {}, load(kept[k - 1].name, type, {})}));
    with_value.push_back(stmt(Store{kept[0].name, {}, var(value, type)}));
    body = std::move(with_value);
  }

  Meanings meanings_;
  NameSource& names_;
  std::unordered_map<Name, prim::Type> types_;
};

}  // namespace

Kernel keep_last_steps(Kernel kernel, NameSource& names) {
  Carry carry(kernel, names);
  carry.body(kernel.body);
  return kernel;
}

}  // namespace heddle::nest
