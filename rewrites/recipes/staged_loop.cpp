#include "rewrites/recipes/staged_loop.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/nest/threads.h"
#include "ir/nest/traverse.h"
#include "ir/support/error.h"
#include "rewrites/nest/discharge.h"
#include "rewrites/nest/rewrite_support.h"
#include "rewrites/nest/uniform.h"
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

// Threads of a block, and elements of an array that are staged at a time: one by each thread.
constexpr int64_t kLanes = kBlockSize;
constexpr int64_t kLeastLanes = 32;
// From so many steps on the barriers are worth it.
constexpr int64_t kLeastSteps = 32;
// Steps whose elements a thread loads at once. As many as compilers write out of a loop of unknown length.
constexpr int64_t kSteps = 4;
constexpr int64_t kWideBytes = 16;
constexpr size_t kMaxStaged = 16;  // arrays

void append(Block& to, const Block& more) { to.insert(to.end(), more.begin(), more.end()); }

nest::NameSet written_by(const Block& b) {
  nest::NameSet written;
  nest::for_each_stmt(b, [&](const nest::Stmt& s) {
    if (const auto* store = std::get_if<nest::Store>(&s->node)) written.insert(store->buffer);
    if (const auto* update = std::get_if<nest::AtomicUpdate>(&s->node)) written.insert(update->buffer);
  });
  return written;
}

Expr add_scalar(Launch& launch, const std::string& base, Expr host_value, NameSource& names) {
  Name name = names.fresh(base);
  launch.kernel.scalars.push_back({name, Type::I64});
  launch.scalar_args.emplace_back(std::move(host_value));
  return var(name);
}

// No block runs where the host's condition does not hold.
void launch_only_if(Launch& launch, const Expr& condition, NameSource& names) {
  nest::For outermost = std::get<nest::For>(launch.kernel.body.at(0)->node);
  Expr blocks = nest::substitute(host_values(launch), outermost.extent);
  outermost.extent = add_scalar(launch, "blocks", nest::select(condition, blocks, i64(0)), names);
  launch.kernel.body = {stmt(std::move(outermost))};
}

void finish(Launch& launch) {
  launch.num_blocks = nest::num_blocks(launch.kernel);
  launch.block_size = nest::block_size(launch.kernel);
  keep_used(launch);
}

struct StagedLaunch {
  Launch launch;
  Expr worth;  // of the host, where the direct kernel may be better; null where it is not
};

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
      : names_(names),
        launch_(seen.launch),
        scalars_(scalars(seen.launch.kernel)),
        only_read_(only_read(seen)),
        own_(own_index(seen.indices)),
        uniform_(seen.work, same_in_block(seen.indices), only_read_) {
    check_points(seen.work);
    thread_ = names.fresh("thread");
    const auto& [own_name, own] = seen.indices[own_];
    lanes_ = has_others(seen.indices) ? lanes_of(own) : i64(kLanes);
    Name block = names.fresh("block"), number = names.fresh("number");
    Block body = {stmt(nest::Let{number, nest::add(nest::mul(var(block), lanes_), var(thread_))})};
    for (const recognize::Index& i : seen.indices) {
      bool single = nest::int_constant(i.extent) == 1;
      if (single) body.push_back(stmt(nest::Let{i.name, i64(0)}));
      if (!single && i.name == own_name)
        body.push_back(stmt(nest::Let{i.name, nest::min(var(number), nest::sub(own, i64(1)))}));
    }
    append(body, statements(seen.work, nest::less(var(number), own)));
    Block in_block = std::move(tiles_);
    in_block.push_back(loop(thread_, lanes_, Role::Block, std::move(body)));
    Block in_grid = {loop(block, nest::ceil_div(own, lanes_), Role::Grid, std::move(in_block))};
    for (size_t k = seen.indices.size(); k-- > 0;) {
      const auto& [index, extent] = seen.indices[k];
      if (k != own_ && nest::int_constant(extent) != 1) in_grid = {loop(index, extent, Role::Grid, std::move(in_grid))};
    }
    launch_.kernel.body = std::move(in_grid);
    // Along one index alone there are as many threads as in the direct kernel, whose loads the elements take as long.
    if (!has_others(seen.indices)) return;
    worth_ = nest::both(nest::less(i64(kLeastLanes), host(own)), enough_steps());
    const auto* known = std::get_if<nest::Const>(&worth_->node);
    if (known && !known->value.as_bool()) refuse("the points of a row, or the steps of its loops, are few");
  }

  StagedLaunch launch(const std::string& name) && {
    launch_.kernel.name = name;
    launch_.failures.clear();
    if (worth_) launch_only_if(launch_, worth_, names_);
    finish(launch_);
    return {std::move(launch_), worth_};
  }

 private:
  static nest::NameSet scalars(const nest::Kernel& kernel) {
    nest::NameSet names;
    for (const nest::ScalarParam& p : kernel.scalars) names.insert(p.name);
    return names;
  }

  static nest::NameSet only_read(const Seen& seen) {
    nest::NameSet written = written_by(seen.work), names;
    for (const nest::Buffer& b : seen.launch.kernel.buffers) {
      if (!b.exchanged && !written.contains(b.name)) names.insert(b.name);
    }
    return names;
  }

  // Along which neighbouring threads have neighbours: the last one that is no single point.
  static size_t own_index(const std::vector<recognize::Index>& indices) {
    size_t own = indices.size() - 1;
    while (own > 0 && nest::int_constant(indices[own].extent) == 1) --own;
    return own;
  }
  bool has_others(const std::vector<recognize::Index>& indices) const {
    auto several = [](const recognize::Index& i) { return nest::int_constant(i.extent) != 1; };
    return std::any_of(indices.begin(), indices.begin() + static_cast<long>(own_), several);
  }
  nest::NameSet same_in_block(const std::vector<recognize::Index>& indices) const {
    nest::NameSet names = scalars_;
    for (size_t k = 0; k < indices.size(); ++k) {
      if (k != own_) names.insert(indices[k].name);
    }
    return names;
  }

  Expr host(const Expr& e) const { return nest::substitute(host_values(launch_), e); }

  // The power of two next above the extent, as far as a block may have so many.
  Expr lanes_of(const Expr& own) {
    Expr enough = nest::max(i64(kLeastLanes), nest::min(host(own), i64(kLanes)));
    return add_scalar(launch_, "lanes", power_of_two(log2_up(enough)), names_);
  }

  Expr enough_steps() const {
    Expr most = i64(0);
    for (const Expr& extent : extents_) {
      bool known = std::ranges::all_of(nest::free_names(extent), [&](const Name& n) { return scalars_.contains(n); });
      if (known) most = nest::max(most, host(extent));
    }
    if (nest::int_constant(most) == 0) refuse("the host does not know how long the loops are");
    return nest::negate(nest::less(most, i64(kLeastSteps)));
  }

  void check_points(const Block& work) {
    if (!stages(work)) refuse("no loop of a point reads elements that follow from indices that its block shares");
    if (nest::may_fail(work)) refuse("a point may fail");
    nest::for_each_stmt(work, [](const nest::Stmt& s) {
      if (std::holds_alternative<nest::Barrier>(s->node)) refuse("a point works together with others");
    });
  }

  // A loop that all threads run through as often; else nothing.
  const nest::For* common_loop(const nest::Stmt& s) const {
    const auto* f = std::get_if<nest::For>(&s->node);
    return f && f->role == Role::Serial && uniform_.has(f->extent) ? f : nullptr;
  }
  bool stages(const Block& b) const {
    return std::ranges::any_of(b, [&](const nest::Stmt& s) {
      const nest::For* f = common_loop(s);
      return f && (stages(f->body) || is_stageable(*f));
    });
  }

  // In which nothing is left to the threads of points.
  bool is_stageable(const nest::For& f) const {
    // Where the length is known, it is written out if it is short.
    bool is_long = nest::int_constant(f.extent).value_or(kLanes) >= kLanes;
    return is_long && nest::is_movable(f.extent) && !writes_results(f.body) && !staged_by(f).empty();
  }

  bool writes_results(const Block& b) const {
    nest::NameSet written = written_by(b);
    return std::ranges::any_of(launch_.kernel.buffers,
                               [&](const nest::Buffer& array) { return written.contains(array.name); });
  }

  Block statements(const Block& b, const Expr& inside) {
    Block out;
    for (const nest::Stmt& s : b) append(out, statement(s, inside));
    return out;
  }

  // What all threads do, and what only those of a point do.
  Block statement(const nest::Stmt& s, const Expr& inside) {
    const nest::For* f = common_loop(s);
    if (f && stages(f->body)) return {loop(f->index, f->extent, Role::Serial, statements(f->body, inside))};
    if (f && is_stageable(*f)) return in_chunks(*f);
    if (writes_results({s})) return {stmt(nest::If{inside, {s}, {}})};
    return {s};
  }

  std::vector<Staged> staged_by(const nest::For& f) const {
    std::vector<Staged> staged;
    nest::Substitution lets;
    nest::NameSet bound = nest::bound_in(f.body);
    auto before_and_with_the_loop = [&](const Expr& e) {
      return nest::is_movable(e) && uniform_.has(e) &&
             std::ranges::none_of(nest::free_names(e), [&](const Name& n) { return bound.contains(n); });
    };
    for (const nest::Stmt& s : f.body) {
      const auto* let = std::get_if<nest::Let>(&s->node);
      const auto* load = let ? std::get_if<nest::Load>(&let->value->node) : nullptr;
      if (let && nest::is_movable(let->value)) lets.emplace(let->name, nest::substitute(lets, let->value));
      if (!load || staged.size() == kMaxStaged || !only_read_.contains(load->buffer)) continue;
      std::vector<Expr> index = load->index;
      for (Expr& e : index) e = nest::substitute(lets, e);
      bool follows = std::ranges::any_of(index, [&](const Expr& e) { return nest::free_names(e).contains(f.index); });
      if (follows && std::ranges::all_of(index, before_and_with_the_loop))
        staged.push_back({let->name, load->buffer, let->value->type, std::move(index), {}, {}});
    }
    return staged;
  }

  Block in_chunks(const nest::For& f) {
    std::vector<Staged> staged = staged_by(f);
    extents_.push_back(f.extent);
    Name chunk = names_.fresh("chunk"), group = names_.fresh("group"), step = names_.fresh("step"),
         last = names_.fresh("last"), count = names_.fresh("count");
    Expr first = nest::mul(var(chunk), lanes_), mine = nest::add(first, var(thread_));
    Expr in_chunk = nest::mul(var(group), i64(kSteps));
    Block filling, in_steps;
    for (Staged& a : staged) {
      a.tile = {names_.fresh(a.array.base + "_staged"), a.elem, nest::Space::Shared, {lanes_}, {i64(1)}};
      a.next = {names_.fresh(a.array.base + "_next"), a.elem, nest::Space::Register, {i64(kSteps)}, {i64(1)}};
      tiles_.push_back(stmt(nest::Alloc{a.tile}));
      std::vector<Expr> from = a.index;
      for (Expr& e : from) e = nest::substitute({{f.index, mine}}, e);
      filling.push_back(stmt(nest::Store{a.tile.name, {var(thread_)}, nest::load(a.array, a.elem, std::move(from))}));
      in_steps.push_back(stmt(nest::Alloc{a.next}));
      append(in_steps, wide_loads(a, in_chunk));
    }
    // A step, the elements being loaded from where `from` says.
    auto one_step = [&](const Expr& i, const auto& from) {
      Block steps = {stmt(nest::Let{f.index, i})};
      for (const nest::Stmt& s : f.body) {
        const auto* let = std::get_if<nest::Let>(&s->node);
        auto a = let ? std::ranges::find(staged, let->name, &Staged::value) : staged.end();
        bool is_staged = let && a != staged.end();
        steps.push_back(is_staged ? stmt(nest::Let{a->value, from(*a)}) : s);
      }
      return steps;
    };
    auto from_registers = [&](const Staged& a) { return nest::load(a.next.name, a.elem, {var(step)}); };
    in_steps.push_back(loop(step, i64(kSteps), Role::Unrolled,
                            one_step(nest::add(nest::add(first, in_chunk), var(step)), from_registers)));

    Expr groups = nest::div(var(count), i64(kSteps));
    Expr done = nest::mul(groups, i64(kSteps)), at = nest::add(done, var(last));
    auto from_tile = [&](const Staged& a) { return nest::load(a.tile.name, a.elem, {at}); };
    Block rest = one_step(nest::add(first, at), from_tile);
    rest = nest::renamed(rest, nest::bound_in(rest), names_);

    Block body = {stmt(nest::Barrier{nest::Scope::Block}),
                  stmt(nest::If{nest::less(mine, f.extent), filling, {}}),
                  stmt(nest::Barrier{nest::Scope::Block}),
                  stmt(nest::Let{count, nest::min(lanes_, nest::sub(f.extent, first))}),
                  loop(group, groups, Role::Serial, std::move(in_steps)),
                  loop(last, nest::sub(var(count), done), Role::Serial, std::move(rest))};
    return {loop(chunk, nest::ceil_div(nest::max(i64(0), f.extent), lanes_), Role::Serial, std::move(body))};
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
  nest::NameSet scalars_, only_read_;
  size_t own_;
  nest::Uniform uniform_;
  Expr lanes_, worth_;
  std::vector<Expr> extents_;  // of the loops that are staged
  Block tiles_;
};

}  // namespace

std::vector<Launch> staged_loop(const Seen& seen, const std::string& kernel_name, NameSource& names) {
  StagedLaunch staged = StagedLoops(seen, names).launch(kernel_name);
  std::vector<Launch> launches = {std::move(staged.launch)};
  if (!staged.worth) return launches;
  Launch otherwise = seen.launch;
  otherwise.kernel.name = kernel_name + "_short";
  launch_only_if(otherwise, nest::negate(staged.worth), names);
  finish(otherwise);
  launches.push_back(std::move(otherwise));
  return launches;
}

}  // namespace heddle::lower
