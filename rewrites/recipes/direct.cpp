#include "rewrites/recipes/direct.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "ir/nest/traverse.h"
#include "ir/seg/traverse.h"
#include "ir/support/error.h"
#include "rewrites/graph/computed_where_read.h"
#include "rewrites/nest/delinearize_loops.h"
#include "rewrites/nest/discharge.h"
#include "rewrites/nest/drop_barriers.h"
#include "rewrites/nest/row_padding.h"
#include "rewrites/nest/share_scratch.h"
#include "rewrites/points/block_shape.h"
#include "rewrites/points/body.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/delinearize.h"
#include "rewrites/recipes/point_threads.h"
#include "rewrites/recipes/team_ops.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

// Threads of a kernel whose blocks do the work of points together: some times as many as are there at once, so that others follow those that end
// first. Where blocks or their threads have arrays in global memory there are fewer blocks, for its size.
constexpr int64_t kMaxTeamThreads = 132 * 32 * kBlockSize;
constexpr int64_t kMaxGlobalTeams = 132 * 16;
constexpr int64_t kLeastTeam = 32;
constexpr int64_t kElementsOfTeamThread = 8;
constexpr int64_t kEnoughTeamThreads = 132 * 512;
constexpr int64_t kThreadsBesideArrays = 512, kSharedOfMultiprocessor = 227 * 1024;
constexpr int64_t kTeamArrayBytes = 60 * 1024;
// Loops that are taken apart: more than any array has dimensions.
constexpr int kMaxLoopSplits = 16;

struct Point {
  seg::SegSpace space;
  std::vector<seg::Type> types;
  seg::Stms stms;
  std::vector<seg::KernelResult> results;
  seg::SegLevel level;

  bool meant_for_block() const { return level.kind == seg::LevelKind::Block; }
};

Point point_of(const seg::Stm& stm, NameSource& names) {
  if (const auto* op = std::get_if<seg::SegOp>(&stm.exp)) {
    if (op->level.kind == seg::LevelKind::InBlock) refuse("a segmented operation within a block");
    if (op->kind != seg::SegKind::Map) refuse("a segmented reduction, scan or histogram");
    return {op->space, op->types, op->body->stms, op->body->results, op->level};
  }
  const auto& gpu = std::get<seg::GpuBody>(stm.exp);
  seg::SegSpace one_point{names.fresh("flat"), {{names.fresh("gtid"), prim::Value::i64(1)}}};
  Point p{one_point, gpu.types, gpu.body->stms, {}, {}};
  for (const seg::SubExpRes& r : gpu.body->result) {
    p.results.emplace_back(seg::Returns{seg::ReturnsKind::MaySimplify, r.certs, r.value});
  }
  return p;
}

// Where the arrays of a team lie.
enum class TeamArrays { Shared, Global };

class Direct {
 public:
  Direct(Point point, const HostScope& host, NameSource& names, bool of_sources)
      : point_(std::move(point)), kernel_(host, names), body_(kernel_), names_(names) {
    if (!of_sources) return;
    kernel_.look_through_arrays([this](const ComputedArray& array) { return body_.computed_here(array); });
  }

  // Blocks of threads do the work of a point together; nothing is done where the host's condition does not hold.
  void use_teams(TeamArrays arrays, const Expr& condition) {
    team_arrays_ = arrays;
    enabled_ = condition;
  }
  // The kernel only finds out how large arrays are of which the host does not know it.
  void find_sizes() { kernel_.find_sizes(); }
  // How many elements such arrays have room for; none where there are no such arrays.
  std::optional<Name> room() const {
    if (!kernel_.has_rooms()) return std::nullopt;
    return std::get<nest::Var>(kernel_.room()->node).name;
  }
  // Whether shared memory has room for the teams' arrays, in the host's terms.
  const Expr& array_bytes() const { return array_bytes_; }
  Expr arrays_fit() const { return nest::less(array_bytes_, i64(kTeamArrayBytes)); }

  Points run(const std::string& kernel_name) {
    std::vector<Name> indices;
    std::vector<Expr> sizes;
    for (const seg::SegDim& d : point_.space.dims) {
      sizes.push_back(kernel_.host_operand(d.size));
      indices.push_back(kernel_.unique(d.index));
      body_.define(d.index, nest::var(indices.back(), Type::I64));
    }
    Plan lowered;
    lowered.recipe = point_.meant_for_block() ? "direct, each thread doing the work of a block" : "direct";
    nest::Block work = body_.block([&] {
      if (team_arrays_) begin_team(sizes);
      Expr flat = nest::constant(int64_t{0});
      for (size_t k = 0; k < sizes.size(); ++k) {
        flat = nest::add(nest::mul(flat, sizes[k]), nest::var(indices[k], Type::I64));
      }
      body_.define(point_.space.flat, flat);
      const auto rows = device() == Device::Blocks ? graph::RowsMade::Again : graph::RowsMade::Once;
      body_.defer(graph::maps_read_once(point_.stms, point_.results, rows));
      if (team_arrays_ || (device() == Device::Threads && !kernel_.finds_sizes())) make_rows_in_results(indices, sizes);
      body_.stms(point_.stms);
      for (size_t k = 0; k < point_.results.size(); ++k) {
        lowered.results.push_back(
            std::visit([&](const auto& r) { return result(k, r, indices, sizes); }, point_.results[k]));
      }
    });
    if (team_arrays_) {
      lowered.recipe = "blocks of threads, each doing the work of a point together";
      lowered.why_not = "a block of threads works on each point";
      work.push_back(nest::stmt(nest::Barrier{nest::Scope::Block}));
    }
    nest::Facts facts = kernel_.facts(work);
    Seen seen{list(indices, sizes), {}, {}};
    auto not_negative = [&](const Expr& e) {
      return facts.scope([&] {
        tell_indices(facts, seen.indices);
        return facts.prove_at_most(nest::constant(int64_t{0}), e);
      });
    };
    auto definition = [&](const Name& n) { return kernel_.host().facts.definition(n); };
    work = nest::delinearize_loops(work, names_, definition, not_negative);
    nest::Block simple = facts.scope([&] {
      tell_indices(facts, seen.indices);
      return nest::discharge(work, facts);
    });
    // What is not decided where the launch has no guard may be with it, but loops here stay loops there.
    for (int rounds = 0; rounds < kMaxLoopSplits && nest::divides(simple); ++rounds) {
      auto next = facts.scope([&] {
        tell_indices(facts, seen.indices);
        return nest::discharge(simple, facts, {});
      });
      simple = std::move(next.block);
      if (!next.digits) break;
      std::vector<recognize::Index> none;
      std::vector<nest::Buffer> no_buffers;
      delinearize(*next.digits, {none, simple, no_buffers}, names_);
    }
    kernel_.add_host_scalars(work);
    kernel_.add_host_scalars(simple);
    lowered.looked_through = kernel_.looked_through();
    if (team_arrays_) {
      if (kernel_.one_thread()) refuse("a block whose threads update what no atomic operation does");
      if (kernel_.has_rooms()) refuse("a block whose threads have arrays of varying size");
      lowered.launches.push_back(teams(kernel_name, simple, indices, sizes));
      return {std::move(lowered), {}, "a block of threads works on each point", std::move(facts)};
    }
    bool one_thread = kernel_.one_thread(), scratch = kernel_.has_scratch();
    PointsOfKernel points{kernel_name, simple, indices, sizes};
    lowered.launches.push_back(one_thread                    ? one_by_one(std::move(kernel_), std::move(points), names_)
                               : scratch                     ? in_rounds(std::move(kernel_), std::move(points), names_)
                               : device() == Device::Threads ? in_runs(std::move(kernel_), std::move(points), names_)
                                                             : in_tiles(std::move(kernel_), std::move(points), names_));
    if (one_thread) {
      lowered.recipe = "one thread, because no atomic operation does what the accumulator's operator does";
      return {std::move(lowered), {}, "the points update an accumulator", std::move(facts)};
    }
    if (scratch) return {std::move(lowered), {}, "a point needs memory of its own", std::move(facts)};
    if (reads_results(simple))
      return {std::move(lowered), {}, "a point makes its row in several steps", std::move(facts)};
    seen.indices = by_memory(lowered, seen.indices);
    seen.work = std::move(simple);
    seen.launch = lowered.launches[0];
    return {std::move(lowered), std::move(seen), "", std::move(facts)};
  }

 private:
  // ---- Contractions. ----

  static std::vector<recognize::Index> list(const std::vector<Name>& names, const std::vector<Expr>& sizes) {
    std::vector<recognize::Index> result;
    for (size_t k = 0; k < names.size(); ++k) result.push_back({names[k], sizes[k]});
    return result;
  }

  // The indices in the order in which the result lies in memory.
  static std::vector<recognize::Index> by_memory(const Plan& lowered, const std::vector<recognize::Index>& indices) {
    const auto* place = lowered.results.empty() ? nullptr : std::get_if<FreshResult>(&lowered.results[0]);
    if (!place || place->perm.size() != indices.size()) return indices;
    std::vector<recognize::Index> result;
    for (int at : place->perm) result.push_back(indices[static_cast<size_t>(at)]);
    return result;
  }

  // ---- Results. ----

  FreshResult fresh_result(const seg::Type& type, const std::vector<Expr>& sizes) {
    FreshResult place{type.elem, sizes, result_perm(device(), point_.level, point_.space, type)};
    for (const seg::Dim& d : type.dims) place.shape.push_back(kernel_.host_operand(d.size()));
    return place;
  }

  static Indices point_at(const std::vector<Name>& indices) {
    Indices at;
    for (const Name& i : indices) at.push_back(nest::var(i, Type::I64));
    return at;
  }

  // A processor's thread has its rows of the results to itself, and nothing is gained by arrays of its own that are copied there. Nor is it where
  // the threads of a block make a row at once and read none of it.
  void make_rows_in_results(const std::vector<Name>& indices, const std::vector<Expr>& sizes) {
    for (size_t k = 0; k < point_.results.size(); ++k) {
      const auto* r = std::get_if<seg::Returns>(&point_.results[k]);
      const seg::Type& type = point_.types.at(k);
      if (!r || !type.is_array() || type.is_acc() || type.elem == Type::Unit) continue;
      if (team_arrays_ && !is_mapped_last(r->value)) continue;
      const ArrayValue all = kernel_.result_array(static_cast<int>(k), fresh_result(type, sizes));
      const ArrayValue own = row(all, point_at(indices));
      rows_.insert_or_assign(k, own);
      body_.make_in(own, point_.stms, r->value);
    }
  }

  // Whether an in-block segmap makes the array, and only the point's result is made of it.
  bool is_mapped_last(const seg::SubExp& result) const {
    bool mapped = false, read = false;
    for (const seg::StmPtr& s : point_.stms) {
      const auto* op = std::get_if<seg::SegOp>(&s->exp);
      const bool made = std::ranges::any_of(s->pat, [&](const seg::PatElem& p) { return p.name == result.name(); });
      mapped |= made && op && op->kind == seg::SegKind::Map;
      read |= seg::free_names(*s).contains(result.name());
    }
    return mapped && !read;
  }

  bool reads_results(const nest::Block& work) const {
    bool found = false;
    nest::for_each_expr(work, [&](const Expr& e) {
      const auto* load = std::get_if<nest::Load>(&e->node);
      found |=
          load && std::ranges::any_of(rows_, [&](const auto& r) { return r.second.place->buffer == load->buffer; });
    });
    return found;
  }

  ResultPlace result(size_t k, const seg::Returns& r, const std::vector<Name>& indices,
                     const std::vector<Expr>& sizes) {
    const seg::Type& type = point_.types.at(k);
    if (type.is_acc()) return UpdatedResult{r.value.name()};
    FreshResult place = fresh_result(type, sizes);
    if (type.elem == Type::Unit) return place;
    if (kernel_.finds_sizes()) return place;
    if (const auto made = rows_.find(k); made != rows_.end()) {
      body_.assign({made->second}, {body_.value(r.value)});
      return place;
    }
    const ArrayValue to = kernel_.result_array(static_cast<int>(k), place);
    body_.store_value(to, point_at(indices), body_.value(r.value));
    return place;
  }

  ResultPlace result(size_t, const seg::WriteReturns& r, const std::vector<Name>&, const std::vector<Expr>&) {
    if (kernel_.finds_sizes()) return UpdatedResult{r.array};
    ArrayValue to = kernel_.host_array(r.array, true);
    for (const seg::Write& w : r.writes) body_.checked_store(to, w.slice, body_.value(w.value));
    return UpdatedResult{r.array};
  }

  ResultPlace result(size_t, const seg::TileReturns&, const std::vector<Name>&, const std::vector<Expr>&) {
    refuse("a kernel that returns tiles");
  }
  ResultPlace result(size_t, const seg::RegTileReturns&, const std::vector<Name>&, const std::vector<Expr>&) {
    refuse("a kernel that returns register tiles");
  }

  Device device() const { return kernel_.host().layouts.device(); }
  // ---- Teams. ----

  struct TeamSize {
    Expr threads, most;
  };
  // Powers of two. Sums and scans over a row take less where a thread folds some of its elements before it hears of the others': as many as
  // kElementsOfTeamThread, or fewer where there would not be threads enough for the device with so many teams. Of tiles, of what takes long, and
  // of what the host does not know, each thread has a point. H200, softmax of 20000 rows of 200: 66 us with 256 threads, 27 with 32.
  TeamSize team_size(const Expr& teams) const {
    Expr of_rows = i64(1), of_tiles = i64(kLeastTeam);
    for (const seg::SegOp* op : team_ops(point_.stms)) {
      const std::vector<seg::SegDim>& dims = op->space.dims;
      if (dims.size() == 1 && is_known(dims[0]) && is_quick(*op)) {
        of_rows = nest::max(of_rows, extent(dims[0]));
        continue;
      }
      Expr points = i64(1);
      for (const seg::SegDim& dim : dims)
        points = nest::mul(points, is_known(dim) ? nest::min(extent(dim), i64(kBlockSize)) : i64(kBlockSize));
      of_tiles = nest::max(of_tiles, nest::min(points, i64(kBlockSize)));
    }
    const Expr enough = nest::ceil_div(i64(kEnoughTeamThreads), nest::max(teams, i64(1)));
    const Expr few = nest::max(nest::ceil_div(of_rows, i64(kElementsOfTeamThread)), enough);
    auto threads = [&](const Expr& along_rows) { return power_of_two(log2_up(nest::max(of_tiles, along_rows))); };
    return {threads(nest::min(nest::min(of_rows, few), i64(kBlockSize))), threads(nest::min(of_rows, i64(kBlockSize)))};
  }

  // Of blocks whose arrays take much of a multiprocessor's memory there are few at a time, which have more threads for that: a quarter of what a
  // multiprocessor has room for in all, if there are as many elements.
  void fill_multiprocessor() {
    const Expr of_block =
        nest::ceil_div(nest::mul(array_bytes_, i64(kThreadsBesideArrays)), i64(kSharedOfMultiprocessor));
    kernel_.raise_launch_scalar(team_size_,
                                nest::min(power_of_two(log2_up(nest::max(of_block, i64(1)))), most_threads_));
  }

  // Whether a point of an operation is one scalar, or several, without loops: what takes long had better have a thread of its own.
  static bool is_quick(const seg::SegOp& op) {
    struct Loops {
      bool found = false;
      void use(const Name&) {}
      void bind(const Name&) {}
      bool enter(const seg::BodyPtr& b) {
        look_at(b->stms);
        return !found;
      }
      void look_at(const seg::Stms& stms) {
        found |= std::ranges::any_of(stms, [](const seg::StmPtr& s) {
          return std::holds_alternative<seg::Loop>(s->exp) || std::holds_alternative<seg::Screma>(s->exp);
        });
      }
    } loops;
    loops.look_at(op.body->stms);
    for (const seg::StmPtr& s : op.body->stms) seg::walk(loops, s->exp);
    return !loops.found && std::ranges::all_of(op.types, [](const seg::Type& t) { return t.is_scalar(); });
  }

  bool is_known(const seg::SegDim& dim) const {
    return !dim.size.is_var() || kernel_.host().types.contains(dim.size.name());
  }

  static Expr extent(const seg::SegDim& dim) {
    const Expr size = dim.size.is_var() ? nest::var(dim.size.name(), Type::I64) : nest::constant(dim.size.value());
    return nest::max(size, i64(1));
  }

  void begin_team(const std::vector<Expr>& sizes) {
    Expr total = i64(1);
    for (const Expr& s : sizes) total = nest::mul(total, kernel_.host_value(s));
    team_ = names_.fresh("thread");
    team_block_ = names_.fresh("block");
    const auto [size, most] = team_size(total);
    most_threads_ = most;
    team_size_ = kernel_.launch_scalar("team", size);
    const bool in_global = team_arrays_ == TeamArrays::Global;
    Expr teams = nest::min(total, in_global ? i64(kMaxGlobalTeams) : nest::div(i64(kMaxTeamThreads), size));
    num_teams_ = kernel_.launch_scalar("num_blocks", enabled_ ? nest::select(enabled_, teams, i64(0)) : teams);
    auto make_array = [this](Type elem, const std::vector<Expr>& dims) {
      if (team_arrays_ == TeamArrays::Global) {
        return kernel_.block_array(elem, dims, {nest::var(team_block_, Type::I64), num_teams_});
      }
      nest::Buffer b{names_.fresh("of_block"), elem, nest::Space::Shared, dims, nest::dense_strides(dims)};
      body_.emit(nest::stmt(nest::Alloc{b}));
      team_buffers_.insert(b.name);
      return whole_buffer(b, true);
    };
    body_.work_together({nest::var(team_, Type::I64), team_size_, make_array});
  }

  // Gives the teams' arrays rows in which threads do not meet in a bank of shared memory, and says how large they are.
  void place_arrays(nest::Block& work) {
    std::unordered_map<Name, Expr> paddings = nest::row_paddings(work, team_);
    struct Place : nest::Rebuilder<Place> {
      Direct& d;
      const std::unordered_map<Name, Expr>& paddings;
      Place(Direct& d, const std::unordered_map<Name, Expr>& paddings) : d(d), paddings(paddings) {}
      void expr(Expr&) {}
      void buffer(nest::Buffer& b) {
        if (!d.team_buffers_.contains(b.name)) return;
        std::vector<Expr> occupied = b.dims;
        if (auto padding = paddings.find(b.name); padding != paddings.end()) {
          Expr row = nest::add(occupied.back(), padding->second);
          bool known = nest::int_constant(row).has_value();
          occupied.back() = known ? row : d.kernel_.launch_scalar("row", d.kernel_.host_value(row));
          b.strides = nest::dense_strides(occupied);
        }
        Expr bytes = i64(prim::size_bytes(b.elem));
        for (const Expr& n : occupied) bytes = nest::mul(bytes, d.kernel_.host_value(n));
        d.array_bytes_ = nest::add(d.array_bytes_, nest::max(i64(0), bytes));
      }
    } place(*this, paddings);
    place.body(work);
  }

  Launch teams(const std::string& name, nest::Block work, const std::vector<Name>& indices,
               const std::vector<Expr>& sizes) {
    if (kernel_.has_scratch()) kernel_.bound_launch_scalar(num_teams_, i64(kMaxGlobalTeams));
    if (team_arrays_ == TeamArrays::Shared) work = nest::share_arrays(std::move(work));
    place_arrays(work);
    if (team_arrays_ == TeamArrays::Shared) fill_multiprocessor();
    Expr total = i64(1);
    for (const Expr& s : sizes) total = nest::mul(total, s);
    Name round = names_.fresh("round"), number = names_.fresh("point");
    Expr block = nest::var(team_block_, Type::I64), point = nest::var(number, Type::I64);
    nest::Block of_point = decoded(point, indices, sizes, names_);
    of_point.insert(of_point.end(), work.begin(), work.end());
    nest::Block body = {
        nest::stmt(nest::Let{number, nest::add(nest::mul(nest::var(round, Type::I64), num_teams_), block)}),
        nest::stmt(nest::If{nest::less(point, total), std::move(of_point), {}})};
    body = nest::drop_barriers({loop(round, nest::ceil_div(total, num_teams_), nest::Role::Serial, std::move(body))});
    std::optional<Expr> num_threads;
    if (kernel_.has_scratch()) {
      num_threads = kernel_.host_value(nest::mul(num_teams_, team_size_));
      Expr thread = nest::add(nest::mul(block, team_size_), nest::var(team_, Type::I64));
      body.insert(body.begin(), nest::stmt(nest::Let{kernel_.thread(), thread}));
    }
    Expr blocks = num_teams_;
    if (team_arrays_ == TeamArrays::Shared && !std::holds_alternative<nest::Const>(arrays_fit()->node))
      blocks = kernel_.launch_scalar("blocks", nest::select(arrays_fit(), kernel_.host_value(blocks), i64(0)));
    body = {loop(team_, team_size_, nest::Role::Block, std::move(body))};
    body = {loop(team_block_, blocks, nest::Role::Grid, std::move(body))};
    return std::move(kernel_).finish(name, std::move(body), blocks, team_size_, num_threads);
  }

  Point point_;
  KernelBuilder kernel_;
  BodyLowerer body_;
  NameSource& names_;
  std::unordered_map<size_t, ArrayValue> rows_;  // of results, in which points make them
  std::optional<TeamArrays> team_arrays_;
  Name team_, team_block_;
  Expr team_size_, most_threads_, num_teams_, enabled_, array_bytes_ = i64(0);
  std::unordered_set<Name> team_buffers_;  // in shared memory
};

}  // namespace

Points points_of(const seg::Stm& stm, const std::string& kernel_name, const HostScope& host, NameSource& names,
                 bool of_sources) {
  Point point = point_of(stm, names);
  Direct direct(point, host, names, of_sources);
  Points points = direct.run(kernel_name);
  if (auto room = direct.room()) {
    Direct sizes(point, host, names, of_sources);
    sizes.find_sizes();
    Launch launch = std::move(sizes.run(kernel_name + "_sizes").direct.launches[0]);
    points.direct.rooms = Rooms{std::move(launch), *sizes.room(), *room};
  }
  return points;
}

Plan lower_by_teams(const seg::Stm& stm, const std::string& kernel_name, const HostScope& host, NameSource& names) {
  Point point = point_of(stm, names);
  auto lowered = [&](TeamArrays arrays, const Expr& condition, const std::string& suffix) {
    Direct direct(point, host, names, false);
    direct.use_teams(arrays, condition);
    Plan result = direct.run(kernel_name + suffix).direct;
    if (arrays == TeamArrays::Shared) result.team_bytes = direct.array_bytes();
    return std::pair(std::move(result), direct.arrays_fit());
  };
  auto [small, fits] = lowered(TeamArrays::Shared, nullptr, "");
  const auto* known = std::get_if<nest::Const>(&fits->node);
  if (known && known->value.as_bool()) return std::move(small);
  if (known) return lowered(TeamArrays::Global, nullptr, "").first;
  Plan large = lowered(TeamArrays::Global, nest::negate(fits), "_large").first;
  small.launches.push_back(std::move(large.launches[0]));
  return std::move(small);
}

}  // namespace heddle::lower
