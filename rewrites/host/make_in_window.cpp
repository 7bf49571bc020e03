#include "rewrites/host/make_in_window.h"

#include <algorithm>
#include <optional>

#include "ir/nest/index_map.h"
#include "rewrites/host/each_block.h"
#include "rewrites/host/same_memory.h"
#include "rewrites/nest/discharge.h"

namespace heddle::host {

namespace {

// Whether a kernel accesses an array of which it knows that the widest access may begin where the array begins.
bool is_accessed_wide(const nest::Kernel& kernel, const Name& buffer) {
  bool wide = false;
  nest::for_each_stmt(kernel.body, [&](const nest::Stmt& s) {
    const auto* loop = std::get_if<nest::For>(&s->node);
    wide |= loop && loop->role == nest::Role::Vector && nest::free_names(loop->body).contains(buffer);
    wide |= std::holds_alternative<nest::AsyncCopy>(s->node);
  });
  return wide;
}

// Arrays that loops hand on whose rows are dense, and those that they begin with: as loops do that update an array in place.
class DenseArrays {
 public:
  void block(const Block& b) {
    for (const Stmt& s : b.stmts) {
      if (const auto* alloc = std::get_if<Alloc>(&s->node)) {
        if (is_plain(*alloc)) names.insert(alloc->name);
      } else if (const auto* manifest = std::get_if<Manifest>(&s->node)) {
        if (is_row_major(manifest->order)) names.insert(manifest->name);
      } else if (const auto* shared = std::get_if<Share>(&s->node)) {
        if (names.contains(shared->array)) names.insert(shared->name);
      } else if (const auto* loop = std::get_if<Loop>(&s->node)) {
        for (size_t k = 0; k < loop->params.size(); ++k) {
          if (!is_dense(loop->params[k].init) || !is_handed_through(*loop, k)) continue;
          names.insert(loop->params[k].binder.name);
          names.insert(loop->results[k]);
        }
        block(loop->body);
      } else if (const auto* branches = std::get_if<If>(&s->node)) {
        for (const Case& c : branches->cases) block(c.body);
        block(branches->otherwise);
      }
    }
  }

  nest::NameSet names;

 private:
  bool is_dense(const Value& v) const {
    const auto* name = std::get_if<Name>(&v);
    return name && names.contains(*name);
  }

  // Whether each round yields the parameter itself, by whatever name.
  static bool is_handed_through(const Loop& loop, size_t k) {
    const auto* yielded = std::get_if<Name>(&loop.body.yields[k]);
    if (!yielded) return false;
    Name name = *yielded;
    for (size_t i = loop.body.stmts.size(); i-- > 0;) {
      if (const auto* shared = std::get_if<Share>(&loop.body.stmts[i]->node)) {
        if (shared->name == name) name = shared->array;
      } else if (const auto* inner = std::get_if<Loop>(&loop.body.stmts[i]->node)) {
        const auto at = static_cast<size_t>(std::ranges::find(inner->results, name) - inner->results.begin());
        if (at == inner->results.size()) continue;
        const auto* init = std::get_if<Name>(&inner->params[at].init);
        if (!init || !is_handed_through(*inner, at)) return false;
        name = *init;
      }
    }
    return name == loop.params[k].binder.name;
  }
};

// In one block of statements.
class MakeInWindow {
 public:
  // `params`: of the loop whose body it is, if it is one's.
  MakeInWindow(const std::vector<nest::Kernel>& kernels, const nest::NameSet& dense,
               const std::vector<LoopParam>& params, Block& block)
      : kernels_(kernels), dense_(dense), params_(params), block_(block) {}

  // Changes the block if what is copied may be made in its place. Yields the number of the statement that makes it.
  std::optional<size_t> at_copy(size_t at) {
    const Copy copy = std::get<Copy>(block_.stmts[at]->node);
    const Name from = first_name(block_, copy.from);
    const auto made = made_by<Alloc>(block_, from), sliced = made_by<Slice>(block_, copy.to);
    if (!made || !sliced || *made > at || *sliced > at || mentions_of(copy.to, block_) != 1) return std::nullopt;
    const Stmt array = block_.stmts[*made];
    Slice slice = std::get<Slice>(block_.stmts[*sliced]->node);
    slice.array = first_name(block_, slice.array);
    const Stmt window = stmt(slice);
    const auto whole_made = made_by<Alloc>(block_, slice.array);
    if (!is_plain(std::get<Alloc>(array->node))) return std::nullopt;
    if (!whole_made && !(is_handed_on(slice.array) && (is_element(slice) || is_row(slice)))) return std::nullopt;
    if (whole_made) {
      const auto& whole = std::get<Alloc>(block_.stmts[*whole_made]->node);
      if (!is_plain(whole) || !lies_alike(slice, whole)) return std::nullopt;
    }
    if (may_fail(*made, at)) return std::nullopt;
    const bool is_later = whole_made && *whole_made > *made;
    memory_.emplace(block_);
    // What it has besides is filled in as soon as it is made.
    const std::optional<size_t> filled = is_later ? filled_at(slice.array, *whole_made + 1) : std::nullopt;
    if (!may_lie_there(from, *made, at) || !is_untouched(slice, *made, at, filled)) return std::nullopt;

    // What has to stand before, in order.
    std::vector<Stmt> before;
    std::vector<size_t> gone = {*made, *sliced, at};
    nest::NameSet needed = free_names(window);
    if (is_later) {
      const Stmt& whole = block_.stmts[*whole_made];
      before.push_back(whole);
      gone.push_back(*whole_made);
      needed.merge(free_names(whole));
      if (filled) {
        before.push_back(block_.stmts[*filled]);
        gone.push_back(*filled);
        needed.merge(free_names(block_.stmts[*filled]));
      }
      needed.erase(slice.array);
    }
    before.push_back(stmt(Slice{from, slice.array, slice.subscripts}));
    for (size_t i = at; i-- > *made + 1;) {
      const bool asserts = std::holds_alternative<Assert>(block_.stmts[i]->node);
      if (std::ranges::find(gone, i) != gone.end() || (!asserts && !binds_any(block_.stmts[i], needed))) continue;
      const std::optional<Stmt> earlier = as_early(block_.stmts[i], *made);
      if (!earlier) return std::nullopt;
      needed.merge(free_names(*earlier));
      before.insert(before.begin(), *earlier);
      gone.push_back(i);
    }
    if (needed.contains(from)) return std::nullopt;

    std::vector<Stmt> all;
    for (size_t i = 0; i < block_.stmts.size(); ++i) {
      if (i == *made) all.insert(all.end(), before.begin(), before.end());
      const auto* free = std::get_if<Free>(&block_.stmts[i]->node);
      const bool is_gone = std::ranges::find(gone, i) != gone.end() || (free && free->array == copy.to);
      if (!is_gone) all.push_back(block_.stmts[i]);
    }
    block_.stmts = std::move(all);
    return *made + before.size() - 1;
  }

 private:
  // Whether something is asserted between, without which there might be no memory of such a size, or no such window in it, and which cannot be
  // asserted before: a kernel may fail first, or it is within a branch or a loop.
  bool may_fail(size_t from, size_t to) const {
    bool asserts = false, kernels_fail = false, within = false;
    for (size_t i = from; i < to; ++i) {
      const Stmt& outer = block_.stmts[i];
      asserts |= std::holds_alternative<Assert>(outer->node);
      for_each_stmt(Block{{outer}, {}}, [&](const Stmt& s) {
        within |= std::holds_alternative<Check>(s->node) || (std::holds_alternative<Assert>(s->node) && s != outer);
        const auto* launch = std::get_if<Launch>(&s->node);
        kernels_fail |= launch && nest::may_fail(kernels_[static_cast<size_t>(launch->kernel)].body);
      });
    }
    return within || (asserts && kernels_fail);
  }

  // Whether a loop hands it on, so that no other name from outside is that of its memory where something is written there.
  bool is_handed_on(const Name& array) const {
    return std::ranges::any_of(params_, [&](const LoopParam& p) { return p.binder.name == array; });
  }

  static bool is_element(const Slice& window) {
    return std::ranges::all_of(window.subscripts, [](const auto& s) {
      const auto* range = std::get_if<Range>(&s);
      return !range || nest::int_constant(range->count) == 1;
    });
  }

  // Whether it is some neighbours in a row of an array whose rows are dense.
  bool is_row(const Slice& window) const {
    const auto* last = std::get_if<Range>(&window.subscripts.back());
    return dense_.contains(window.array) && last && nest::int_constant(last->stride) == 1 &&
           std::none_of(window.subscripts.begin(), window.subscripts.end() - 1,
                        [](const Subscript& s) { return std::holds_alternative<Range>(s); });
  }

  // Whether the window's elements lie like those of an array of their own: it is some neighbouring rows.
  static bool lies_alike(const Slice& window, const Alloc& whole) {
    const auto* rows = std::get_if<Range>(&window.subscripts[0]);
    if (!rows || nest::int_constant(rows->stride) != 1) return false;
    for (size_t d = 1; d < window.subscripts.size(); ++d) {
      const auto* all = std::get_if<Range>(&window.subscripts[d]);
      if (!all || nest::int_constant(all->start) != 0 || nest::int_constant(all->stride) != 1) return false;
      if (!nest::equal(all->count, whole.shape[d])) return false;
    }
    return true;
  }

  // Whether what is done with the array works as well in a window, and nothing is done any more behind the copy.
  bool may_lie_there(const Name& array, size_t made, size_t copied) const {
    for (size_t i = made + 1; i < block_.stmts.size(); ++i) {
      const Stmt& s = block_.stmts[i];
      if (i == copied || std::holds_alternative<Free>(s->node) || !memory_->touches(s, array)) continue;
      if (i > copied) return false;
      if (const auto* launch = std::get_if<Launch>(&s->node)) {
        const nest::Kernel& kernel = kernels_[static_cast<size_t>(launch->kernel)];
        for (size_t b = 0; b < launch->buffers.size(); ++b) {
          if (memory_->of(launch->buffers[b]) != memory_->of(array)) continue;
          if (!memory_->same(launch->buffers[b], array) || is_accessed_wide(kernel, kernel.buffers[b].name))
            return false;
        }
      } else if (const auto* measure = std::get_if<Measure>(&s->node)) {
        if (measure->aspect != Aspect::Size) return false;
      } else if (!std::holds_alternative<Fill>(s->node) && !std::holds_alternative<Share>(s->node)) {
        return false;
      }
    }
    return std::ranges::none_of(block_.yields, [&](const Value& v) {
      const auto* name = std::get_if<Name>(&v);
      return name && memory_->of(*name) == memory_->of(array);
    });
  }

  std::optional<size_t> filled_at(const Name& array, size_t i) const {
    const auto* fill = std::get_if<Fill>(&block_.stmts[i]->node);
    return fill && fill->array == array ? std::optional(i) : std::nullopt;
  }

  // Whether nobody looks at the window's elements, or writes there, before what is copied now, but for what is filled in first.
  bool is_untouched(const Slice& window, size_t from, size_t to, std::optional<size_t> filled) const {
    for (size_t i = from; i < to; ++i) {
      if (i == filled) continue;
      const Stmt& s = block_.stmts[i];
      if (std::holds_alternative<Alloc>(s->node) || std::holds_alternative<Slice>(s->node) ||
          std::holds_alternative<Share>(s->node) || std::holds_alternative<Measure>(s->node) ||
          std::holds_alternative<Free>(s->node))
        continue;
      for (const Name& n : free_names(s)) {
        if (memory_->of(n) == memory_->of(window.array) && !is_apart(n, window)) return false;
      }
    }
    return true;
  }

  bool is_apart(const Name& array, const Slice& window) const {
    const auto sliced = made_by<Slice>(block_, array);
    if (!sliced) return false;
    const Slice& other = std::get<Slice>(block_.stmts[*sliced]->node);
    if (first_name(block_, other.array) != window.array) return false;
    const auto *a = std::get_if<Range>(&other.subscripts[0]), *b = std::get_if<Range>(&window.subscripts[0]);
    return a && b && nest::int_constant(a->stride) == 1 && (ends_before(*a, *b) || ends_before(*b, *a));
  }

  bool ends_before(const Range& a, const Range& b) const {
    const auto end = nest::from_expr(nest::add(a.start, a.count), nest::no_definition),
               begin = nest::from_expr(b.start, nest::no_definition);
    if (!end || !begin) return false;
    const poly::Polynomial between = *begin - *end;
    return std::ranges::all_of(between.terms(), [&](const poly::Term& t) {
      return t.coefficient > 0 && std::ranges::all_of(t.monomial, [&](const Name& n) { return is_count(n); });
    });
  }

  // Whether it is that of a window's rows, which is not negative.
  bool is_count(const Name& scalar) const {
    return std::ranges::any_of(block_.stmts, [&](const Stmt& s) {
      const auto* slice = std::get_if<Slice>(&s->node);
      const auto* range = slice ? std::get_if<Range>(&slice->subscripts[0]) : nullptr;
      const auto* count = range ? std::get_if<nest::Var>(&range->count->node) : nullptr;
      return count && count->name == scalar;
    });
  }

  // A statement that binds a scalar or asserts, as it may stand where this array is made; none where it may fail, or looks at what is not there yet.
  std::optional<Stmt> as_early(const Stmt& s, size_t made) const {
    if (std::holds_alternative<Assert>(s->node)) return s;
    if (const auto* let = std::get_if<Let>(&s->node)) {
      bool may_fail = false;
      nest::for_each_expr(let->value, [&](const Expr& e) {
        const auto* o = std::get_if<nest::Operation>(&e->node);
        may_fail |= o && prim::can_fail(o->op);
      });
      return may_fail ? std::nullopt : std::optional(s);
    }
    const auto* measure = std::get_if<Measure>(&s->node);
    if (!measure || measure->aspect != Aspect::Size) return std::nullopt;
    const auto alloc = made_by<Alloc>(block_, measure->array);
    if (!alloc || *alloc < made) return s;  // where it is made behind, whoever looks for its name finds out
    return stmt(
        Let{measure->name, std::get<Alloc>(block_.stmts[*alloc]->node).shape[static_cast<size_t>(measure->dim)]});
  }

  static bool binds_any(const Stmt& s, const nest::NameSet& names) {
    struct Bound : Walker<Bound> {
      const nest::NameSet& names;
      bool any = false;
      explicit Bound(const nest::NameSet& names) : names(names) {}
      void expr(const Expr&) {}
      void bind(const Name& n) { any |= names.contains(n); }
    } bound(names);
    bound.stmt(s);
    return bound.any;
  }

  const std::vector<nest::Kernel>& kernels_;
  const nest::NameSet& dense_;
  const std::vector<LoopParam>& params_;
  Block& block_;
  std::optional<SameMemory> memory_;
};

void in_block(const std::vector<nest::Kernel>& kernels, const nest::NameSet& dense,
              const std::vector<LoopParam>& params, Block& block) {
  for (size_t i = 0; i < block.stmts.size(); ++i) {
    if (!std::holds_alternative<Copy>(block.stmts[i]->node)) continue;
    if (const std::optional<size_t> made = MakeInWindow(kernels, dense, params, block).at_copy(i)) i = *made;
  }
}

}  // namespace

Program make_in_window(Program program) {
  each_body(program, [&](Block& body) {
    DenseArrays dense;
    dense.block(body);
    each_block(body, [&](Block& b) {
      for (Stmt& s : b.stmts) {
        const auto* loop = std::get_if<Loop>(&s->node);
        if (!loop) continue;
        Loop changed = *loop;
        in_block(program.kernels, dense.names, loop->params, changed.body);
        s = stmt(std::move(changed));
      }
      in_block(program.kernels, dense.names, {}, b);
    });
  });
  return program;
}

}  // namespace heddle::host
