#include "rewrites/seg/few_scans.h"

#include <algorithm>
#include <utility>

#include "ir/seg/has_checks.h"
#include "ir/seg/traverse.h"
#include "rewrites/seg/block_operators.h"
#include "rewrites/seg/builder.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/two_ways.h"

namespace heddle::seg {

namespace {

// Fewer threads leave most of a device idle, and shorter scans take no longer than the kernels that blocks need. H200, u16: three scans of two
// million elements take a thread each 60 ms.
constexpr int64_t kFewScans = 2048, kLongScan = 1024;

bool are_scalars(const std::vector<Type>& types) { return std::ranges::all_of(types, is_stored_scalar); }

// What threads do, if that is one scan each.
class ScanOfThread {
 public:
  explicit ScanOfThread(const SegOp& op) : op_(op) {
    if (op.kind != SegKind::Map || op.level.kind != LevelKind::Thread || op.body->stms.empty()) return;
    if (has_checks(op.body->stms) || free_names(*op.body).contains(op.space.flat)) return;
    const Stm& last = *op.body->stms.back();
    scan_ = std::get_if<Screma>(&last.exp);
    if (scan_ && !(is_scan() && reads_before() && returns_all(last.pat))) scan_ = nullptr;
  }

  explicit operator bool() const { return scan_ != nullptr; }
  const SubExp& width() const { return scan_->width; }

  // What a segmap's statement becomes.
  Stms by_blocks(const Stm& s, NameSource& names) const {
    Builder host(names);
    SegOp scan{SegKind::Scan, op_.level, op_.space, {}, {}, {}, nullptr};
    const Name j = names.fresh("step");
    scan.space.dims.push_back({j, width()});
    for (const ScanOp& o : scan_->scans) scan.ops.push_back({false, o.lambda, o.neutral, {}});
    KernelBody point;
    for (size_t k = 0; k + 1 < op_.body->stms.size(); ++k) point.stms.push_back(laid_out(op_.body->stms[k], host));
    for (size_t k = 0; k < scan_->arrays.size(); ++k) {
      const Param& p = scan_->map.params[k];
      Stm read{{{p.name, p.type}}, {}, {}, Index{scan_->arrays[k], row_slice({j}, p.type)}, s.position};
      point.stms.push_back(std::make_shared<const Stm>(std::move(read)));
    }
    const Body& each = *scan_->map.body;
    point.stms.insert(point.stms.end(), each.stms.begin(), each.stms.end());
    Pat pat;
    Shape shape;
    for (const SegDim& d : scan.space.dims) shape.push_back(d.size);
    for (size_t k = 0; k < each.result.size(); ++k) {
      point.results.emplace_back(Returns{ReturnsKind::MaySimplify, each.result[k].certs, each.result[k].value});
      scan.types.push_back(scan_->map.ret[k]);
      pat.push_back({s.pat[result_[k]].name, array_of(scan_->map.ret[k], shape)});
    }
    scan.body = std::make_shared<const KernelBody>(std::move(point));
    host.add(Stm{std::move(pat), s.attrs, s.certs, fresh(scan, names), s.position});
    return host.take();
  }

 private:
  bool is_scan() const {
    const auto of_scalars = [](const ScanOp& o) { return are_scalars(o.lambda.ret); };
    const auto is_large = [](const SubExp& size) { return !size.int_constant() || *size.int_constant() >= kLongScan; };
    return !scan_->scans.empty() && scan_->reduces.empty() && std::ranges::all_of(scan_->scans, of_scalars) &&
           are_scalars(scan_->map.ret) && is_large(width()) && operators_are_shared();
  }

  // Whether operators and where they begin are the same for all threads.
  bool operators_are_shared() const {
    NameSet used;
    for (const ScanOp& o : scan_->scans) {
      used.merge(free_names(o.lambda));
      for (const SubExp& n : o.neutral) used.merge(free_names(n));
    }
    const auto is_used = [&](const PatElem& p) { return used.contains(p.name); };
    return std::ranges::none_of(op_.space.dims, [&](const SegDim& d) { return used.contains(d.index); }) &&
           std::ranges::none_of(op_.body->stms, [&](const StmPtr& s) { return std::ranges::any_of(s->pat, is_used); });
  }

  // Whether nothing is computed before but places of what is read, and the scans' length is the same for all threads.
  bool reads_before() const {
    for (size_t k = 0; k + 1 < op_.body->stms.size(); ++k) {
      const Stm& s = *op_.body->stms[k];
      if (width() == SubExp(s.pat[0].name)) return false;
      if (!std::holds_alternative<Index>(s.exp) && !std::holds_alternative<PrimOp>(s.exp)) return false;
    }
    return true;
  }

  bool returns_all(const Pat& pat) {
    for (const PatElem& p : pat) {
      const auto found = std::ranges::find_if(op_.body->results, [&](const KernelResult& r) {
        const auto* returns = std::get_if<Returns>(&r);
        return returns && returns->certs.empty() && returns->value == SubExp(p.name);
      });
      if (found == op_.body->results.end()) return false;
      result_.push_back(static_cast<size_t>(found - op_.body->results.begin()));
    }
    return op_.body->results.size() == pat.size();
  }

  // A statement that reads a row reads it of an array whose rows lie one after the other.
  StmPtr laid_out(const StmPtr& s, Builder& host) const {
    const auto* read = std::get_if<Index>(&s->exp);
    if (!read || s->pat[0].type.dims.size() != 1) return s;
    Shape shape;
    for (const SegDim& d : op_.space.dims) shape.push_back(d.size);
    std::vector<SubExp> at;
    for (const SegDim& d : op_.space.dims) at.emplace_back(d.index);
    if (read->slice != row_slice(at, s->pat[0].type)) return s;
    std::vector<int> order;
    for (size_t d = 0; d <= at.size(); ++d) order.push_back(static_cast<int>(d));
    Stm changed = *s;
    std::get<Index>(changed.exp).array =
        host.let("rows", array_of(s->pat[0].type, shape), Manifest{std::move(order), read->array});
    return std::make_shared<const Stm>(std::move(changed));
  }

  const SegOp& op_;
  const Screma* scan_ = nullptr;
  std::vector<size_t> result_;  // of the threads, for each of the scan's
};

Stms few_or_many(const Stm& s, NameSource& names) {
  const auto* op = std::get_if<SegOp>(&s.exp);
  if (!op) return just(s);
  const ScanOfThread scan(*op);
  if (!scan) return just(s);
  const Type truth = Type::scalar(prim::Type::Bool);
  Builder b(names);
  SubExp scans = op->space.dims[0].size;
  for (size_t d = 1; d < op->space.dims.size(); ++d) scans = b.mul(scans, op->space.dims[d].size);
  const prim::Op below(prim::Family::Slt, prim::Type::I64), up_to(prim::Family::Sle, prim::Type::I64);
  const Name few = b.let("few_scans", truth, PrimOp{below, {scans, i64(kFewScans)}});
  const Name far = b.let("long_scans", truth, PrimOp{up_to, {i64(kLongScan), scan.width()}});
  const Name both = b.let("suits_blocks", truth, PrimOp{prim::Op(prim::Family::LogAnd, prim::Type::Bool), {few, far}});
  b.add(two_ways(s, both, scan.by_blocks(s, names), just(s), names));
  return b.take();
}

// Where the host has versions, one of them is by blocks: of those only what is in loops is looked at.
class FewScans : public HostCodeAlone {
 public:
  explicit FewScans(NameSource& names) : names_(names) {}

  BodyPtr body(const BodyPtr& b) { return body_of(*b, false); }
  using HostCodeAlone::body;

 private:
  BodyPtr body_of(const Body& b, bool is_version) {
    Stms all;
    for (const StmPtr& s : b.stms) {
      const Stms made = runs_on_device(s->exp) && !is_version ? few_or_many(*s, names_) : Stms{within(s)};
      all.insert(all.end(), made.begin(), made.end());
    }
    return std::make_shared<const Body>(Body{std::move(all), b.result});
  }

  StmPtr within(const StmPtr& s) {
    if (runs_on_device(s->exp)) return s;
    const auto* match = std::get_if<Match>(&s->exp);
    if (!match || match->sort != MatchSort::Equiv) return std::make_shared<const Stm>(rebuild(*this, *s));
    Match versions = *match;
    for (Case& c : versions.cases) c.body = body_of(*c.body, true);
    versions.otherwise = body_of(*versions.otherwise, true);
    return std::make_shared<const Stm>(Stm{s->pat, s->attrs, s->certs, std::move(versions), s->position});
  }

  NameSource& names_;
};

}  // namespace

Program few_scans(const Program& program, NameSource& names) {
  Program out = program;
  for (FunDef& f : out.functions) f.body = FewScans(names).body(f.body);
  return out;
}

Result<Program> few_scans(const Program& program) {
  NameSource names(program.next_tag());
  return few_scans(program, names);
}

}  // namespace heddle::seg
