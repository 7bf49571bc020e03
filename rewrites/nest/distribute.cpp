#include "rewrites/nest/distribute.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ir/nest/printer.h"
#include "rewrites/nest/dependence.h"

namespace heddle::nest {

namespace {

using prim::Type;

// Gives accesses to some buffers one more index.
struct Expand : Rebuilder<Expand> {
  const NameSet& buffers;
  Expr index;
  Expand(const NameSet& buffers, Expr index) : buffers(buffers), index(std::move(index)) {}

  void expr(Expr& e) {
    Rebuilder::expr(e);
    const auto* l = std::get_if<Load>(&e->node);
    if (!l || !buffers.contains(l->buffer)) return;
    std::vector<Expr> at = l->index;
    at.push_back(index);
    e = load(l->buffer, e->type, std::move(at));
  }
  void stmts(const Stmt& s, Block& out) {
    Rebuilder::stmts(s, out);
    const auto* store = std::get_if<Store>(&out.back()->node);
    if (!store || !buffers.contains(store->buffer)) return;
    Store changed = *store;
    changed.index.push_back(index);
    out.back() = stmt(std::move(changed));
  }
};

class Distributor {
 public:
  Distributor(const Kernel& kernel, const For& loop, NameSource& names)
      : kernel_(kernel), loop_(loop), names_(names), shell_(shell_of(loop.body)) {}

  Rewritten run() {
    if (loop_.role != Role::Serial)
      refuse(fmt::format("{} is {}; only a serial loop can be distributed", loop_.index.text(), to_text(loop_.role)));
    group();
    if (groups_.size() < 2) refuse(fmt::format("{} holds only one statement", loop_.index.text()));
    std::vector<Dependence> all = check_order();
    values_to_buffers();
    Rewritten result{kernel_, "", {}};
    result.kernel = with_loop_replaced(kernel_, loop_.index, [&](const For&) { return loops(result.loops); });
    result.why_legal = fmt::format("no statement depends on a later one of an earlier iteration of {}: {}",
                                   loop_.index.text(), to_text(all));
    if (!buffers_.empty()) result.why_legal += fmt::format("; {} has its own element for each", expanded());
    return result;
  }

 private:
  // A Let that the layers do not hold is computed where the next statement is.
  void group() {
    Block lets;
    for (const Stmt& s : shell_.core) {
      if (const auto* alloc = std::get_if<Alloc>(&s->node)) {
        if (alloc->buffer.space != Space::Register)
          refuse(fmt::format("{} is shared memory", alloc->buffer.name.text()));
        buffers_.push_back(alloc->buffer);
      } else {
        lets.push_back(s);
        if (std::holds_alternative<Let>(s->node)) continue;
        groups_.push_back(std::exchange(lets, {}));
      }
    }
    if (!lets.empty() && !groups_.empty()) groups_.back().insert(groups_.back().end(), lets.begin(), lets.end());
  }

  std::vector<Dependence> check_order() {
    // Statements are numbered by their group, so each group is one statement here; the loop's own buffers are not among
    // the dependences.
    Block numbered;
    for (const Buffer& b : buffers_) numbered.push_back(stmt(Alloc{b}));
    for (const Block& g : groups_) numbered.push_back(stmt(If{constant(prim::Value::of_bool(true)), g, {}}));
    std::vector<Dependence> all = dependences(kernel_, {&loop_}, numbered, names_);
    for (const Dependence& d : all) {
      if (d.first != d.second && (d.loops[0] & kEarlier) != 0)
        refuse(fmt::format("a statement may depend through {} on a later one of an earlier iteration of {}",
                           d.buffer.text(), loop_.index.text()));
    }
    return all;
  }

  // Values that other groups use are stored where they are computed, and loaded where they are used.
  void values_to_buffers() {
    for (size_t g = 0; g < groups_.size(); ++g) {
      Block changed;
      for (const Stmt& s : groups_[g]) {
        changed.push_back(s);
        const auto* let = std::get_if<Let>(&s->node);
        if (!let || !is_used_after(g, let->name)) continue;
        Buffer b{names_.fresh(let->name), let->value->type, Space::Register, {}, {}};
        buffers_.push_back(b);
        changed.push_back(stmt(Store{b.name, {}, var(let->name, b.elem)}));
        for (size_t later = g + 1; later < groups_.size(); ++later)
          groups_[later] = substitute({{let->name, load(b.name, b.elem, {})}}, groups_[later]);
      }
      groups_[g] = std::move(changed);
    }
  }

  bool is_used_after(size_t g, const Name& name) const {
    for (size_t later = g + 1; later < groups_.size(); ++later) {
      if (free_names(groups_[later]).contains(name)) return true;
    }
    return false;
  }

  Block loops(std::vector<Name>& made) {
    Block result;
    NameSet expanded;
    if (!buffers_.empty()) {
      Expr extent = extent_without(loop_.extent, index_lets(kernel_), {});
      if (!extent || !is_movable(extent) || !is_fixed(kernel_, extent))
        refuse(fmt::format("the extent of {} is not constant, so {} cannot be expanded to registers",
                           loop_.index.text(), this->expanded()));
      for (Buffer b : buffers_) {
        b.dims.push_back(extent);
        b.strides = dense_strides(b.dims);
        expanded.insert(b.name);
        result.push_back(stmt(Alloc{b}));
      }
    }
    NameSet repeated = {loop_.index};
    for (const Stmt& layer : shell_.layers) {
      if (const auto* let = std::get_if<Let>(&layer->node)) repeated.insert(let->name);
    }
    for (const Block& g : groups_) {
      Expand expand(expanded, var(loop_.index, Type::I64));
      Block core = g;
      expand.body(core);
      Block copy = {stmt(For{loop_.index, loop_.extent, loop_.role, in_layers(shell_.layers, core)})};
      if (!made.empty()) copy = renamed(copy, repeated, names_);
      made.push_back(std::get<For>(copy[0]->node).index);
      result.push_back(copy[0]);
    }
    return result;
  }

  std::string expanded() const {
    std::string text;
    for (const Buffer& b : buffers_) text += (text.empty() ? "" : ", ") + b.name.text();
    return text;
  }

  const Kernel& kernel_;
  const For& loop_;
  NameSource& names_;
  Shell shell_;
  std::vector<Buffer> buffers_;  // that are expanded
  std::vector<Block> groups_;    // what becomes a loop each
};

}  // namespace

Result<Rewritten> distribute(const Kernel& kernel, const Name& loop, NameSource& names) {
  return rewrite([&] { return Distributor(kernel, *find_loop(kernel, loop).loop, names).run(); });
}

}  // namespace heddle::nest
