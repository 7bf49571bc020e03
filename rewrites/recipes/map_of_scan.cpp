#include "rewrites/recipes/map_of_scan.h"

#include <algorithm>

#include "ir/seg/has_checks.h"
#include "ir/seg/traverse.h"
#include "rewrites/graph/element.h"

namespace heddle::lower {

using prim::Family;

namespace {

// Statements of a point that a thread of a scan may have to do for each of its elements, all of which wait for the tiles before.
constexpr size_t kMostOperations = 64;

// Whether a scan's results are read by nobody but statements that read them at the point's own indices, or one before.
class NearReads {
 public:
  // `count`: of the results, how many are scanned. The others are in memory as other threads get there.
  NearReads(const seg::SegSpace& space, const seg::Pat& pat, size_t count)
      : pat_(pat), count_(static_cast<long>(count)), own_(space.dims.back().index) {
    for (const seg::SegDim& d : space.dims) here_.emplace_back(seg::DimFix{seg::SubExp(d.index)});
  }

  bool only_near(const seg::KernelBody& body) {
    seg::walk(*this, body);
    return uses_ > 0 && near_uses(body.stms) == uses_;
  }

  // Of a walk.
  void use(const Name& n) { uses_ += std::ranges::count(pat_, n, &seg::PatElem::name); }
  void bind(const Name&) {}

 private:
  long near_uses(const seg::Stms& stms) {
    long found = 0;
    for (const seg::StmPtr& s : stms) {
      if (is_one_less(s->exp)) before_.insert(s->pat[0].name);
      if (const auto* match = std::get_if<seg::Match>(&s->exp)) {
        found += near_uses(match->otherwise->stms);
        for (const seg::Case& c : match->cases) found += near_uses(c.body->stms);
      }
      const auto* index = std::get_if<seg::Index>(&s->exp);
      if (!index) continue;
      const long k = std::ranges::find(pat_, index->array, &seg::PatElem::name) - pat_.begin();
      if (index->slice == here_ ? k < std::ssize(pat_) : k < count_ && is_before(index->slice)) ++found;
    }
    return found;
  }

  bool is_before(const seg::Slice& slice) const {
    if (slice.size() != here_.size() || !std::equal(slice.begin(), slice.end() - 1, here_.begin())) return false;
    const auto* last = std::get_if<seg::DimFix>(&slice.back());
    return last && last->index.is_var() && before_.contains(last->index.name());
  }

  bool is_one_less(const seg::Exp& e) const {
    const auto* op = std::get_if<seg::PrimOp>(&e);
    if (!op || op->args.size() != 2) return false;
    const seg::SubExp &a = op->args[0], &b = op->args[1], own(own_);
    const Family how = op->op.family;
    if (how == Family::Sub || how == Family::SubNw) return a == own && b.int_constant() == 1;
    if (how != Family::Add && how != Family::AddNw) return false;
    return (a == own && b.int_constant() == -1) || (b == own && a.int_constant() == -1);
  }

  const seg::Pat& pat_;
  const long count_;
  const Name own_;
  seg::Slice here_;
  seg::NameSet before_;  // what comes to one less than the point's last index
  long uses_ = 0;
};

bool is_scalar_result(const seg::KernelResult& result, const seg::Type& type) {
  if (std::holds_alternative<seg::WriteReturns>(result)) return true;
  return std::holds_alternative<seg::Returns>(result) && type.is_scalar() && !type.is_acc() &&
         type.elem != prim::Type::Unit;
}

}  // namespace

size_t num_scanned(const seg::SegOp& scan) {
  size_t count = 0;
  for (const seg::SegBinOp& op : scan.ops) count += op.lambda.ret.size();
  return count;
}

bool maps_scan(const seg::Stm& map, const seg::Stm& scan) {
  const auto* op = std::get_if<seg::SegOp>(&map.exp);
  if (!op || op->kind != seg::SegKind::Map || op->level.kind != seg::LevelKind::Thread) return false;
  const auto& scanned = std::get<seg::SegOp>(scan.exp);
  if (!std::ranges::equal(op->space.dims, scanned.space.dims, {}, &seg::SegDim::size, &seg::SegDim::size)) return false;
  for (size_t k = 0; k < op->types.size(); ++k) {
    if (!is_scalar_result(op->body->results[k], op->types[k])) return false;
  }
  const graph::Element work(op->body->stms);
  return work.is_straight() && work.operations() <= kMostOperations &&
         NearReads(op->space, scan.pat, num_scanned(scanned)).only_near(*op->body);
}

MapOfScan::MapOfScan(const seg::Stm& map, const std::vector<ResultPlace>& results, int first, KernelBuilder& kernel,
                     BodyLowerer& body)
    : op_(std::get<seg::SegOp>(map.exp)), body_(body) {
  for (size_t k = 0; k < results.size(); ++k) {
    const auto* fresh = std::get_if<FreshResult>(&results[k]);
    results_.push_back(fresh ? kernel.result_array(first + static_cast<int>(k), *fresh)
                             : kernel.host_array(std::get<UpdatedResult>(results[k]).array, true));
  }
}

bool MapOfScan::has_checks() const { return seg::has_checks(op_.body->stms); }

void MapOfScan::point(const std::vector<nest::Expr>& sizes, const Indices& index, const seg::Pat& pattern,
                      const std::vector<ArrayValue>& scanned) {
  for (size_t k = 0; k < scanned.size(); ++k) body_.define(pattern[k].name, scanned[k]);
  body_.define_point(op_.space, sizes, index);
  body_.stms(op_.body->stms);
  for (size_t k = 0; k < results_.size(); ++k) {
    const seg::KernelResult& result = op_.body->results[k];
    if (const auto* returns = std::get_if<seg::Returns>(&result)) {
      body_.store_value(results_[k], index, body_.value(returns->value));
    } else {
      for (const seg::Write& w : std::get<seg::WriteReturns>(result).writes)
        body_.checked_store(results_[k], w.slice, body_.value(w.value));
    }
  }
}

}  // namespace heddle::lower
