#include "rewrites/recipes/fold_in_stage.h"

#include <algorithm>

#include "ir/nest/traverse.h"
#include "ir/support/error.h"
#include "rewrites/nest/discharge.h"
#include "rewrites/nest/rewrite_support.h"
#include "rewrites/points/index_code.h"
#include "rewrites/points/parameters.h"
#include "rewrites/recipes/reduction_shape.h"
#include "rewrites/recipes/strip_code.h"
#include "rewrites/seg/block_operators.h"
#include "rewrites/seg/builder.h"

namespace heddle::lower {

using nest::Expr;

namespace {

nest::Facts facts_of(const HostScope& host, NameSource& names) {
  nest::Facts facts(names, [&host](const Name& n) { return host.facts.definition(n); });
  host.facts.tell(facts);
  return facts;
}

class Fold {
 public:
  Fold(const FoldInStage& fold, const StageArrays& others, const HostScope& host, NameSource& names)
      : stage_(fold.stage),
        made_by_(fold.made_by),
        reduction_(fold.reduction),
        op_(std::get<seg::SegOp>(fold.reduction->exp)),
        others_(others),
        host_(host),
        names_(names) {}

  StageCode run(const std::function<bool(const Name&)>& is_needed) {
    const StageCode elements = elements_as_stage();
    if (!elements.checks.empty()) refuse("its points may fail");
    check_same_points(elements);
    return joined(elements, is_needed);
  }

 private:
  Expr expr(const seg::SubExp& e) const {
    return e.is_var() ? nest::var(e.name(), prim::Type::I64) : nest::constant(e.value());
  }

  // ---- The elements, in the stage's dimensions. ----

  // As many as the stage's points, which are gone over row by row.
  void check_width(const std::vector<seg::SubExp>& sizes) const {
    Expr points = i64(1);
    for (const seg::SubExp& s : sizes) points = nest::mul(points, expr(s));
    nest::Facts facts = facts_of(host_, names_);
    if (!facts.prove_equal(expr(op_.space.dims.back().size), points)) refuse("it has other points than the stage");
  }

  StageCode elements_as_stage() {
    std::vector<seg::SubExp> sizes;
    for (const seg::Dim& d : made_by_.pat[0].type.dims) {
      if (d.is_ext()) refuse("the stage's sizes are not known");
      sizes.push_back(d.size());
    }
    check_width(sizes);
    seg::SegOp map = op_;
    map.kind = seg::SegKind::Map;
    map.ops.clear();
    map.space = {names_.fresh("point"), {}};
    seg::Builder point(names_);
    seg::SubExp number = seg::i64(0);
    for (const seg::SubExp& size : sizes) {
      const Name index = names_.fresh("i");
      number = map.space.dims.empty() ? seg::SubExp(index) : point.add64(point.mul(number, size), index);
      map.space.dims.push_back({index, size});
    }
    const seg::Type type = seg::Type::scalar(prim::Type::I64);
    for (const seg::SegDim& d : op_.space.dims) {
      const bool is_number = &d == &op_.space.dims.back();
      point.add({{{d.index, type}}, {}, {}, seg::Atom{is_number ? number : seg::i64(0)}, {}});
    }
    point.add_all(op_.body->stms);
    map.body = std::make_shared<const seg::KernelBody>(seg::KernelBody{point.take(), op_.body->results});
    const seg::Shape shape(sizes.begin(), sizes.end());
    seg::Stm stm{{}, {}, {}, seg::SegOp{}, reduction_->position};
    for (const seg::Type& t : map.types) stm.pat.push_back({names_.fresh("element"), seg::array_of(t, shape)});
    stm.exp = std::move(map);
    Points points = points_of(stm, "elements", host_, names_, false);
    auto code = stage_of(stm, points, others_, names_);
    if (const auto* why_not = std::get_if<std::string>(&code)) refuse("its points are no stage: " + *why_not);
    return std::get<StageCode>(std::move(code));
  }

  // ---- At the stage's points. ----

  void check_same_points(const StageCode& elements) const {
    bool same = elements.indices.size() == stage_.indices.size() && elements.elsewhere.empty();
    nest::Facts facts = facts_of(host_, names_);
    for (size_t d = 0; same && d < stage_.indices.size(); ++d)
      same = facts.prove_equal(elements.indices[d].extent, stage_.indices[d].extent);
    for (const recognize::WindowedRead& r : elements.reads) {
      if (std::ranges::find(stage_.arrays, r.buffer) == stage_.arrays.end()) continue;
      for (size_t d = 0; d < r.windows.size(); ++d) {
        const stencil::Window& w = r.windows[d];
        same &= w.follows == d && w.lo == 0 && w.hi == 0 && w.num == 1 && w.den == 1;
      }
    }
    if (!same) refuse("it reads other points of the stage than its own");
  }

  StageCode joined(const StageCode& elements, const std::function<bool(const Name&)>& is_needed) {
    StageCode code = stage_;
    code.computes_others = true;  // of what the reduction reads from memory by itself
    code.arrays.clear();
    code.results.clear();
    code.places.clear();
    code.work.clear();
    Places values;
    nest::Block stores;
    for (size_t k = 0; k < stage_.results.size(); ++k) {
      const Name value = names_.fresh(stage_.arrays[k]);
      const prim::Type type = element_type(stage_, k);
      code.work.push_back(nest::stmt(nest::Alloc{{value, type, nest::Space::Register, {}, {}}}));
      for (const Name& n : {stage_.results[k], stage_.arrays[k]})
        values.insert_or_assign(n, Place{value, {}, std::vector<Expr>{}});
      // What other reductions fold stays.
      const bool is_folded =
          std::ranges::any_of(stage_.folds, [&](const StageFold& f) { return k >= f.first && k < f.first + f.count; });
      if (!is_folded && !is_needed(stage_.arrays[k])) continue;
      for (StageFold& f : code.folds) {
        if (k == f.first) f.first = code.results.size();
      }
      stores.push_back(nest::stmt(nest::Store{stage_.results[k], stage_.places[k], nest::load(value, type, {})}));
      code.arrays.push_back(stage_.arrays[k]);
      code.results.push_back(stage_.results[k]);
      code.places.push_back(stage_.places[k]);
    }
    append(code.work, redirected(stage_.work, values));
    append(code.work, stores);
    nest::Substitution indices;
    for (size_t d = 0; d < stage_.indices.size(); ++d)
      indices.emplace(elements.indices[d].name, var(stage_.indices[d].name));
    append(code.work, nest::substitute(indices, redirected(elements.work, values)));
    code.folds.push_back({reduction_, code.results.size(), elements.results.size()});
    for (size_t k = 0; k < elements.results.size(); ++k) {
      code.arrays.push_back(elements.arrays[k]);
      code.results.push_back(elements.results[k]);
      std::vector<Expr> place;
      for (const Expr& e : elements.places[k]) place.push_back(nest::substitute(indices, e));
      code.places.push_back(std::move(place));
    }
    take_launch(code, elements);
    code.looked_through.insert(code.looked_through.end(), elements.looked_through.begin(),
                               elements.looked_through.end());
    look_again(code);
    return code;
  }

  static void append(nest::Block& to, const nest::Block& more) { to.insert(to.end(), more.begin(), more.end()); }

  // The stage's results are memory that is there already where the reduction stands.
  void take_launch(StageCode& code, const StageCode& elements) const {
    Launch& launch = code.launch;
    launch.kernel.buffers.clear();
    launch.kernel.scalars.clear();
    launch.buffer_args.clear();
    launch.scalar_args.clear();
    nest::NameSet used = nest::free_names(code.work);
    for (const recognize::Index& i : code.indices) used.merge(nest::free_names(i.extent));
    take_parameters(launch, std::move(used), {&stage_.launch, &elements.launch});
    for (size_t b = 0; b < launch.buffer_args.size(); ++b) {
      const auto result = std::ranges::find(stage_.results, launch.kernel.buffers[b].name);
      if (result != stage_.results.end())
        launch.buffer_args[b] = HostArray{stage_.arrays[static_cast<size_t>(result - stage_.results.begin())]};
    }
  }

  void look_again(StageCode& code) const {
    nest::Facts facts = facts_of(host_, names_);
    for (const nest::Buffer& b : code.launch.kernel.buffers) {
      if (std::ranges::find(code.results, b.name) == code.results.end()) facts.constant_buffer(b.name);
    }
    facts.scope([&] {
      tell_indices(facts, code.indices);
      code.work = nest::discharge(code.work, facts);
      look_into_work(
          code, [&](const Name& n) { return others_.contains(n); }, facts, names_);
    });
  }

  const StageCode& stage_;
  const seg::Stm& made_by_;
  const seg::StmPtr& reduction_;
  const seg::SegOp& op_;
  const StageArrays& others_;
  const HostScope& host_;
  NameSource& names_;
};

}  // namespace

bool is_fold_to_one(const seg::Stm& stm) {
  const auto* op = std::get_if<seg::SegOp>(&stm.exp);
  if (!op || op->kind != seg::SegKind::Red || op->level.kind != seg::LevelKind::Thread || !seg::of_scalars(*op))
    return false;
  const auto& dims = op->space.dims;
  const bool is_one_segment = std::all_of(
      dims.begin(), dims.end() - 1, [](const seg::SegDim& d) { return d.size == seg::SubExp(prim::Value::i64(1)); });
  const bool in_any_order = std::ranges::all_of(op->ops, [](const seg::SegBinOp& o) { return o.commutative; });
  return is_one_segment && in_any_order;
}

bool is_fold_of_all(const seg::Stm& stm) {
  if (!is_fold_to_one(stm)) return false;
  const auto& op = std::get<seg::SegOp>(stm.exp);
  return op.types.size() == folded_types(op).size();
}

std::vector<PointFold> folds_of(const std::vector<const StageCode*>& stages) {
  std::vector<PointFold> folds;
  for (const StageCode* s : stages) {
    for (const StageFold& f : s->folds) {
      const auto first = s->results.begin() + static_cast<long>(f.first);
      folds.push_back({f.reduction, {first, first + static_cast<long>(f.count)}});
    }
  }
  return folds;
}

std::variant<StageCode, std::string> with_elements(const FoldInStage& fold,
                                                   const std::function<bool(const Name&)>& is_needed,
                                                   const StageArrays& others, const HostScope& host,
                                                   NameSource& names) {
  try {
    return Fold(fold, others, host, names).run(is_needed);
  } catch (const Refused& r) {
    if (r.error.kind == ErrorKind::Internal) throw;
    return r.error.message;
  }
}

}  // namespace heddle::lower
