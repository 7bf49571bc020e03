#include "rewrites/recipes/finish_segment.h"

#include <algorithm>

#include "ir/nest/traverse.h"
#include "rewrites/nest/rewrite_support.h"
#include "rewrites/points/index_code.h"
#include "rewrites/recipes/strip_code.h"

namespace heddle::lower {

using nest::Expr;
using prim::Type;

namespace {

constexpr int64_t kWidestAccess = 16;  // bytes

Expr index(const Name& n) { return nest::var(n, Type::I64); }

std::optional<int64_t> constant_of(const seg::SubExp& e) {
  return e.is_var() ? std::nullopt : std::optional(e.value().i);
}

// The size of a segspace as the stage's extents have it.
bool is_same(const Expr& extent, const seg::SubExp& size) {
  const auto* v = std::get_if<nest::Var>(&extent->node);
  return size.is_var() ? v && v->name == size.name() : nest::int_constant(extent) == constant_of(size);
}

// The fewest bins of a segment, where all that is in one is a scalar.
std::optional<int64_t> bins_of(const seg::SegOp& op) {
  std::optional<int64_t> fewest;
  for (const seg::HistOp& h : op.hists) {
    if (h.shape.size() != 1 || !h.op_shape.empty()) return std::nullopt;
    const std::optional<int64_t> bins = constant_of(h.shape[0]);
    if (!bins) return std::nullopt;
    fewest = std::min(fewest.value_or(*bins), *bins);
  }
  return fewest;
}

// Loads of bins from where the thread has them.
struct FromBins : nest::Rebuilder<FromBins> {
  const std::vector<BinsOfThread>& bins;

  explicit FromBins(const std::vector<BinsOfThread>& bins) : bins(bins) {}

  void expr(Expr& e) {
    Rebuilder::expr(e);
    const auto* load = std::get_if<nest::Load>(&e->node);
    if (!load) return;
    auto own = std::ranges::find(bins, load->buffer, &BinsOfThread::array);
    if (own != bins.end()) e = nest::load(own->bins.name, e->type, {load->index.back(), own->thread});
  }
};

// What is in registers goes to the segment's row of the result, as many elements at a time as an access is wide.
nest::Stmt stored(const Name& values, Type elem, int64_t count, const Name& result, const std::vector<Expr>& segment,
                  NameSource& names) {
  int64_t width = kWidestAccess / prim::size_bytes(elem);
  if (width < 1 || count % width != 0) width = 1;
  const Name word = names.fresh("word"), taken = names.fresh("element"), kept = names.fresh("element");
  const nest::Buffer part{names.fresh("part"), elem, nest::Space::Register, {i64(width)}, {i64(1)}};
  auto in_row = [&](const Name& element) { return nest::add(nest::mul(index(word), i64(width)), index(element)); };
  std::vector<Expr> at = segment;
  at.push_back(in_row(kept));
  nest::Block take = {nest::stmt(nest::Store{part.name, {index(taken)}, nest::load(values, elem, {in_row(taken)})})};
  nest::Block keep = {nest::stmt(nest::Store{result, at, nest::load(part.name, elem, {index(kept)})})};
  nest::Block body = {
      nest::stmt(nest::Alloc{part}), nest::stmt(nest::For{taken, i64(width), nest::Role::Unrolled, std::move(take)}),
      nest::stmt(nest::For{kept, i64(width), width > 1 ? nest::Role::Vector : nest::Role::Unrolled, std::move(keep)})};
  return nest::stmt(nest::For{word, i64(count / width), nest::Role::Unrolled, std::move(body)});
}

}  // namespace

bool finishes_segments(const StageCode& stage, const seg::Stm& histogram) {
  const auto& op = std::get<seg::SegOp>(histogram.exp);
  const size_t rank = op.space.dims.size() - 1;
  const std::optional<int64_t> bins = bins_of(op);
  if (!bins || stage.indices.size() != rank + 1 || stage.updates || stage.is_tiled || !stage.elsewhere.empty() ||
      !stage.checks.empty())
    return false;
  for (size_t d = 0; d < rank; ++d) {
    if (!is_same(stage.indices[d].extent, op.space.dims[d].size)) return false;
  }
  const std::optional<int64_t> points = nest::int_constant(stage.indices[rank].extent);
  if (!points || *points < 1 || *points > *bins) return false;
  auto is_of_bins = [&](const Name& array) {
    return std::ranges::any_of(histogram.pat, [&](const seg::PatElem& p) { return p.name == array; });
  };
  for (const BufferArg& a : stage.launch.buffer_args) {
    const auto* host = std::get_if<HostArray>(&a);
    if (host ? !is_of_bins(host->name) : !std::holds_alternative<ResultArray>(a)) return false;
  }
  for (const recognize::WindowedRead& r : stage.reads) {
    for (size_t d = 0; d < rank; ++d) {
      const stencil::Window& w = r.windows[d];
      const bool is_own = w.follows == d && w.lo == 0 && w.hi == 0 && w.num == 1 && w.den == 1;
      if (!is_own || w.border != stencil::Border::None) return false;
    }
  }
  return std::ranges::all_of(stage.places, [&](const std::vector<Expr>& place) {
    return std::ranges::equal(place, stage.indices,
                              [](const Expr& at, const recognize::Index& i) { return nest::equal(at, index(i.name)); });
  });
}

nest::Block finished_segment(const StageCode& stage, const std::vector<Expr>& segment,
                             const std::vector<BinsOfThread>& bins, NameSource& names) {
  const int64_t count = *nest::int_constant(stage.indices.back().extent);
  const Name point = names.fresh("point");
  nest::Block code;
  Places places;
  for (size_t k = 0; k < stage.results.size(); ++k) {
    const nest::Buffer values{
        names.fresh(stage.arrays[k]), element_type(stage, k), nest::Space::Register, {i64(count)}, {i64(1)}};
    code.push_back(nest::stmt(nest::Alloc{values}));
    places.emplace(stage.results[k], Place{.buffer = values.name, .fixed = std::vector<Expr>{index(point)}});
  }
  nest::Block work;
  for (size_t d = 0; d < stage.indices.size(); ++d) {
    const Expr at = d < segment.size() ? segment[d] : index(point);
    work.push_back(nest::stmt(nest::Let{stage.indices[d].name, at}));
  }
  work.insert(work.end(), stage.work.begin(), stage.work.end());
  work = nest::renamed(work, nest::bound_in(work), names);
  FromBins(bins).body(work);
  code.push_back(nest::stmt(nest::For{point, i64(count), nest::Role::Unrolled, redirected(work, places)}));
  for (size_t k = 0; k < stage.results.size(); ++k) {
    code.push_back(
        stored(places.at(stage.results[k]).buffer, element_type(stage, k), count, stage.results[k], segment, names));
  }
  return code;
}

}  // namespace heddle::lower
