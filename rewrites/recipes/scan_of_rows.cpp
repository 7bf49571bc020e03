#include "rewrites/recipes/scan_of_rows.h"

#include "ir/nest/traverse.h"
#include "rewrites/nest/discharge.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/find_contraction.h"
#include "rewrites/recipes/folds.h"
#include "rewrites/seg/scan_of_rows.h"

namespace heddle::lower {

namespace {

using nest::Expr;
using prim::Type;

// What a thread has of a row: enough to be several lines of a cache, and vectors; of long rows more, since each row is somewhere else, and what is
// read there next is fetched ahead only from one line to the next. A few threads are to get something, and a thread's columns to stay in its cache.
constexpr int64_t kLeastColumns = 128, kMostColumns = 512, kEnoughParts = 4;

Launch by_columns(const seg::SegOp& elements, const std::string& name, const HostScope& host, NameSource& names,
                  std::vector<ResultPlace>& places) {
  Folds f(elements, host, names);
  BodyLowerer& b = f.body();
  KernelBuilder& kernel = f.kernel();
  const size_t rank = f.sizes().size();
  const Expr rows = f.sizes()[rank - 2], width = f.sizes()[rank - 1];
  std::vector<ArrayValue> results;
  for (size_t k = 0; k < elements.types.size(); ++k) {
    FreshResult place{elements.types[k].elem, f.sizes(), {}};
    for (size_t d = 0; d < rank; ++d) place.perm.push_back(static_cast<int>(d));
    results.push_back(kernel.result_array(static_cast<int>(k), place));
    places.emplace_back(std::move(place));
  }
  std::vector<recognize::Index> grid;
  Indices segment;
  for (size_t d = 0; d + 2 < rank; ++d) {
    grid.push_back({names.fresh("segment"), f.sizes()[d]});
    segment.push_back(nest::var(grid.back().name, Type::I64));
  }
  const Expr of_row = nest::ceil_div(kernel.host_value(width), i64(kEnoughParts));
  const Expr part =
      kernel.launch_scalar("columns", nest::min(nest::max(of_row, i64(kLeastColumns)), i64(kMostColumns)));
  grid.push_back({names.fresh("block"),
                  kernel.launch_scalar("blocks", nest::ceil_div(kernel.host_value(width), kernel.host_value(part)))});
  nest::Block work = b.block([&] {
    const Expr first = b.bind(nest::mul(nest::var(grid.back().name, Type::I64), part));
    const Expr columns = nest::min(part, nest::sub(width, first));
    std::vector<ArrayValue> running;
    for (const seg::Type& t : f.types()) running.push_back(b.fresh_array(t.elem, {i64(kMostColumns)}));
    b.loop(columns, [&](const Expr& i) { f.store(running, {i}, f.neutral()); });
    b.loop(rows, [&](const Expr& j) {
      b.loop(columns, [&](const Expr& i) {
        Indices index = segment;
        index.push_back(j);
        index.push_back(b.bind(nest::add(first, i)));
        const std::vector<KernelValue> now = f.combined(f.read(running, {i}), f.point(index));
        f.store(running, {i}, now);
        f.store(results, index, now);
      });
    });
  });
  nest::Facts facts = kernel.facts(work);
  work = facts.scope([&] {
    tell_indices(facts, grid);
    return nest::discharge(work, facts);
  });
  if (kernel.has_scratch() || kernel.one_thread()) refuse("elements would need memory of their own");
  kernel.add_host_scalars(work);
  work = {loop(names.fresh("lane"), i64(1), nest::Role::Block, std::move(work))};
  Expr num_blocks = i64(1);
  for (size_t k = grid.size(); k-- > 0;) {
    work = {loop(grid[k].name, grid[k].extent, nest::Role::Grid, std::move(work))};
    num_blocks = nest::mul(grid[k].extent, num_blocks);
  }
  return std::move(kernel).finish(name, std::move(work), num_blocks, i64(1), std::nullopt);
}

}  // namespace

Proposal scan_of_rows(const seg::Stm& stm, const std::string& kernel_name, const HostScope& host, NameSource& names) {
  const auto elements = seg::elements_of_rows(std::get<seg::SegOp>(stm.exp), names);
  if (!elements) return Refusal{"it is no scan of rows in memory"};
  return or_refusal([&]() -> Proposal {
    Plan lowered;
    lowered.recipe = "scan of rows by columns";
    lowered.why_not = "it is a scan";
    lowered.launches.push_back(by_columns(*elements, kernel_name, host, names, lowered.results));
    return lowered;
  });
}

}  // namespace heddle::lower
