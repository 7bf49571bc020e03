#include "rewrites/recipes/staged_loop.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/nest/threads.h"
#include "ir/nest/traverse.h"
#include "ir/support/error.h"
#include "rewrites/nest/discharge.h"
#include "rewrites/nest/rewrite_support.h"
#include "rewrites/points/block_shape.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/way.h"

namespace heddle::lower {

using nest::Block;
using nest::Expr;
using nest::Role;
using nest::stmt;
using prim::Type;

namespace {

// Elements of an array that are staged at a time: one by each thread.
constexpr int64_t kChunk = kBlockSize;
// Steps whose elements a thread loads at once. As many as compilers write out of a loop of unknown length.
constexpr int64_t kSteps = 4;
constexpr int64_t kWideBytes = 16;
constexpr size_t kMaxStaged = 16;  // arrays

Expr var(const Name& n) { return nest::var(n, Type::I64); }
nest::Stmt loop(const Name& i, Expr extent, Role role, Block body) {
  return stmt(nest::For{i, std::move(extent), role, std::move(body)});
}
void append(Block& to, const Block& more) { to.insert(to.end(), more.begin(), more.end()); }

nest::NameSet written_by(const Block& b) {
  nest::NameSet written;
  nest::for_each_stmt(b, [&](const nest::Stmt& s) {
    if (const auto* store = std::get_if<nest::Store>(&s->node)) written.insert(store->buffer);
    if (const auto* update = std::get_if<nest::AtomicUpdate>(&s->node)) written.insert(update->buffer);
  });
  return written;
}

// Elements that all points of a block read in a step of a loop.
struct Staged {
  Name value;  // what a step calls the element
  Name array;
  Type elem;
  std::vector<Expr> index;  // over the loop's index and scalars
  nest::Buffer tile, next;  // of the block's in this chunk; of a thread's in these steps
};

class StagedLoops {
 public:
  StagedLoops(const Seen& seen, NameSource& names)
      : names_(names), launch_(seen.launch), fixed_(scalars(seen.launch.kernel)), written_(written_by(seen.work)) {
    check_indices(seen.indices);
    check_points(seen.work);
    thread_ = names.fresh("thread");
    Name block = names.fresh("block"), number = names.fresh("number");
    Expr total = i64(1);
    for (const recognize::Index& i : seen.indices) total = nest::mul(total, i.extent);
    Block body = {stmt(nest::Let{number, nest::add(nest::mul(var(block), i64(kBlockSize)), var(thread_))})};
    for (const auto& [index, extent] : seen.indices) {
      bool single = nest::int_constant(extent) == 1;
      body.push_back(stmt(nest::Let{index, single ? i64(0) : nest::min(var(number), nest::sub(extent, i64(1)))}));
    }
    for (const nest::Stmt& s : seen.work) append(body, statement(s, nest::less(var(number), total)));
    Block in_block = std::move(tiles_);
    in_block.push_back(loop(thread_, i64(kBlockSize), Role::Block, std::move(body)));
    launch_.kernel.body = {loop(block, nest::ceil_div(total, i64(kBlockSize)), Role::Grid, std::move(in_block))};
  }

  Launch launch(const std::string& name) && {
    launch_.kernel.name = name;
    launch_.num_blocks = nest::num_blocks(launch_.kernel);
    launch_.block_size = nest::block_size(launch_.kernel);
    launch_.failures.clear();
    keep_used(launch_);
    return std::move(launch_);
  }

 private:
  static nest::NameSet scalars(const nest::Kernel& kernel) {
    nest::NameSet names;
    for (const nest::ScalarParam& p : kernel.scalars) names.insert(p.name);
    return names;
  }

  // With several, threads would have to divide, or lie otherwise than the results do.
  static void check_indices(const std::vector<recognize::Index>& indices) {
    auto several = [](const recognize::Index& i) { return nest::int_constant(i.extent) != 1; };
    if (std::ranges::count_if(indices, several) > 1) refuse("points have several indices");
  }

  void check_points(const Block& work) {
    auto is_staged = [&](const nest::Stmt& s) {
      return is_stageable(s) && !staged_by(std::get<nest::For>(s->node)).empty();
    };
    if (std::ranges::none_of(work, is_staged))
      refuse("no loop of a point reads elements that follow from the loop's index alone");
    if (nest::may_fail(work)) refuse("a point may fail");
    nest::for_each_stmt(work, [](const nest::Stmt& s) {
      if (std::holds_alternative<nest::Barrier>(s->node)) refuse("a point works together with others");
    });
  }

  // A loop that all threads run through as often, and in which nothing is left to those of a point.
  bool is_stageable(const nest::Stmt& s) const {
    const auto* f = std::get_if<nest::For>(&s->node);
    if (!f || f->role != Role::Serial || !is_fixed(f->extent) || writes_results({s})) return false;
    // Where the length is known, it is written out if it is short.
    return nest::int_constant(f->extent).value_or(kChunk) >= kChunk;
  }

  bool writes_results(const Block& b) const {
    nest::NameSet written = written_by(b);
    return std::ranges::any_of(launch_.kernel.buffers,
                               [&](const nest::Buffer& array) { return written.contains(array.name); });
  }

  // What all threads do, and what only those of a point do.
  Block statement(const nest::Stmt& s, const Expr& inside) {
    if (writes_results({s})) return {stmt(nest::If{inside, {s}, {}})};
    if (!is_stageable(s)) return {s};
    const auto& f = std::get<nest::For>(s->node);
    std::vector<Staged> staged = staged_by(f);
    for (Staged& a : staged) {
      a.tile = {names_.fresh(a.array.base + "_staged"), a.elem, nest::Space::Shared, {i64(kChunk)}, {i64(1)}};
      a.next = {names_.fresh(a.array.base + "_next"), a.elem, nest::Space::Register, {i64(kSteps)}, {i64(1)}};
    }
    return staged.empty() ? Block{s} : in_chunks(f, staged);
  }

  // Whether it is the same in all threads.
  bool is_fixed(const Expr& e) const {
    return nest::is_movable(e) &&
           std::ranges::all_of(nest::free_names(e), [&](const Name& n) { return fixed_.contains(n); });
  }

  std::vector<Staged> staged_by(const nest::For& f) {
    std::vector<Staged> staged;
    nest::Substitution lets;
    fixed_.insert(f.index);
    for (const nest::Stmt& s : f.body) {
      const auto* let = std::get_if<nest::Let>(&s->node);
      const auto* load = let ? std::get_if<nest::Load>(&let->value->node) : nullptr;
      if (let && nest::is_movable(let->value)) lets.emplace(let->name, nest::substitute(lets, let->value));
      if (!load || staged.size() == kMaxStaged || !only_read(load->buffer)) continue;
      std::vector<Expr> index = load->index;
      for (Expr& e : index) e = nest::substitute(lets, e);
      if (!std::ranges::all_of(index, [&](const Expr& e) { return is_fixed(e); })) continue;
      staged.push_back({let->name, load->buffer, let->value->type, std::move(index), {}, {}});
    }
    fixed_.erase(f.index);
    return staged;
  }

  bool only_read(const Name& name) const {
    auto array = std::ranges::find(launch_.kernel.buffers, name, &nest::Buffer::name);
    return array != launch_.kernel.buffers.end() && !array->exchanged && !written_.contains(name);
  }

  Block in_chunks(const nest::For& f, const std::vector<Staged>& staged) {
    Name chunk = names_.fresh("chunk"), group = names_.fresh("group"), step = names_.fresh("step"),
         last = names_.fresh("last");
    Expr chunks = nest::div(nest::max(i64(0), f.extent), i64(kChunk)), first = nest::mul(var(chunk), i64(kChunk));
    Expr in_chunk = nest::mul(var(group), i64(kSteps));
    Block filling = {stmt(nest::Barrier{nest::Scope::Block})}, loading;
    Block steps = {stmt(nest::Let{f.index, nest::add(nest::add(first, in_chunk), var(step))})};
    for (const Staged& a : staged) {
      tiles_.push_back(stmt(nest::Alloc{a.tile}));
      std::vector<Expr> from = a.index;
      for (Expr& e : from) e = nest::substitute({{f.index, nest::add(first, var(thread_))}}, e);
      filling.push_back(stmt(nest::Store{a.tile.name, {var(thread_)}, nest::load(a.array, a.elem, std::move(from))}));
      loading.push_back(stmt(nest::Alloc{a.next}));
      append(loading, wide_loads(a, in_chunk));
    }
    filling.push_back(stmt(nest::Barrier{nest::Scope::Block}));
    for (const nest::Stmt& s : f.body) {
      const auto* let = std::get_if<nest::Let>(&s->node);
      auto a = let ? std::ranges::find(staged, let->name, &Staged::value) : staged.end();
      bool is_staged = let && a != staged.end();
      steps.push_back(is_staged ? stmt(nest::Let{a->value, nest::load(a->next.name, a->elem, {var(step)})}) : s);
    }
    loading.push_back(loop(step, i64(kSteps), Role::Unrolled, std::move(steps)));
    filling.push_back(loop(group, i64(kChunk / kSteps), Role::Serial, std::move(loading)));

    Expr done = nest::mul(chunks, i64(kChunk));
    Block rest = {stmt(nest::Let{f.index, nest::add(done, var(last))})};
    append(rest, f.body);
    rest = nest::renamed(rest, nest::bound_in(rest), names_);
    return {loop(chunk, chunks, Role::Serial, std::move(filling)),
            loop(last, nest::sub(f.extent, done), Role::Serial, std::move(rest))};
  }

  // What these steps of a thread read, as wide as may be.
  Block wide_loads(const Staged& a, const Expr& in_chunk) {
    int64_t width = std::min(kSteps, kWideBytes / prim::size_bytes(a.elem));
    Name part = names_.fresh("part"), word = names_.fresh("word");
    Expr at = nest::add(nest::mul(var(part), i64(width)), var(word));
    Expr from = nest::add(in_chunk, at);
    Block wide = {loop(word, i64(width), Role::Vector,
                       {stmt(nest::Store{a.next.name, {at}, nest::load(a.tile.name, a.elem, {from})})})};
    return {loop(part, i64(kSteps / width), Role::Unrolled, std::move(wide))};
  }

  NameSource& names_;
  Launch launch_;
  Name thread_;
  nest::NameSet fixed_, written_;
  Block tiles_;
};

}  // namespace

Launch staged_loop(const Seen& seen, const std::string& kernel_name, NameSource& names) {
  return StagedLoops(seen, names).launch(kernel_name);
}

}  // namespace heddle::lower
