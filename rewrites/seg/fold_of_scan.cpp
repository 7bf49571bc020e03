#include "rewrites/seg/fold_of_scan.h"

#include <algorithm>
#include <optional>

#include "ir/seg/traverse.h"
#include "rewrites/seg/builder.h"

namespace heddle::seg {

namespace {

// An operation of one dimension with one operator on scalars, and no other results.
const SegOp* fold_of_scalars(const Stm& s, SegKind kind) {
  const auto* op = std::get_if<SegOp>(&s.exp);
  if (!op || op->kind != kind || op->level.kind != LevelKind::InBlock || op->space.dims.size() != 1) return nullptr;
  if (op->ops.size() != 1 || !op->ops[0].shape.empty()) return nullptr;
  if (op->types.size() != op->ops[0].lambda.ret.size()) return nullptr;
  const bool scalars = std::ranges::all_of(op->types, [](const Type& t) { return t.is_scalar(); });
  const bool plain = std::ranges::all_of(op->body->results, [](const KernelResult& r) {
    const auto* returns = std::get_if<Returns>(&r);
    return returns && returns->certs.empty();
  });
  return scalars && plain && !free_names(*op->body).contains(op->space.flat) ? op : nullptr;
}

class Folding {
 public:
  Folding(const SegOp& scan, const Pat& scanned, const SegOp& reduction, NameSource& names)
      : scan_(scan), scanned_(scanned), reduction_(reduction), names_(names) {}

  // Of the loop, without what the scan ends with; none where the reduction reads other points, or its operator any.
  std::optional<Stm> run(const Pat& reduced) {
    Loop loop{{}, {}, ForLoop{names_.fresh("j"), prim::Type::I64, scan_.space.dims[0].size}, nullptr};
    const SubExp j = std::get<ForLoop>(loop.form).index;
    Stm all{{}, {}, {}, Atom{}, {}};
    const std::vector<SubExp> before = parameters(scan_, "scanned", loop),
                              sums = parameters(reduction_, "folded", loop);
    Body body;
    const std::vector<SubExp> xs = point(scan_, *scan_.body, j, body.stms);
    const std::vector<SubExp> after = combine(scan_.ops[0].lambda, before, xs, body.stms);
    const std::optional<KernelBody> with_scanned = reading(after);
    if (!with_scanned) return std::nullopt;
    const std::vector<SubExp> ys = point(reduction_, *with_scanned, j, body.stms);
    const std::vector<SubExp> next = combine(reduction_.ops[0].lambda, sums, ys, body.stms);
    for (const std::vector<SubExp>* values : {&after, &next}) {
      for (const SubExp& v : *values) body.result.push_back({{}, v});
    }
    loop.body = std::make_shared<const Body>(std::move(body));
    for (size_t k = 0; k < before.size(); ++k) all.pat.push_back({names_.fresh("last"), loop.params[k].type});
    all.pat.insert(all.pat.end(), reduced.begin(), reduced.end());
    all.exp = std::move(loop);
    return all;
  }

 private:
  std::vector<SubExp> parameters(const SegOp& op, const std::string& base, Loop& loop) {
    std::vector<SubExp> out;
    for (size_t k = 0; k < op.types.size(); ++k) {
      loop.params.push_back({{}, names_.fresh(base), op.types[k]});
      loop.inits.push_back(op.ops[0].neutral[k]);
      out.emplace_back(loop.params.back().name);
    }
    return out;
  }

  std::vector<SubExp> point(const SegOp& op, const KernelBody& body, const SubExp& j, Stms& out) {
    Substitution at{{op.space.dims[0].index, j}};
    const KernelBody renamed = rename(names_, at, body);
    out.insert(out.end(), renamed.stms.begin(), renamed.stms.end());
    std::vector<SubExp> values;
    for (const KernelResult& r : renamed.results) values.push_back(std::get<Returns>(r).value);
    return values;
  }

  std::vector<SubExp> combine(const Lambda& op, const std::vector<SubExp>& a, const std::vector<SubExp>& b, Stms& out) {
    Substitution of;
    for (size_t k = 0; k < a.size(); ++k) {
      of.insert_or_assign(op.params[k].name, a[k]);
      of.insert_or_assign(op.params[a.size() + k].name, b[k]);
    }
    const Body renamed = rename(names_, of, *op.body);
    out.insert(out.end(), renamed.stms.begin(), renamed.stms.end());
    std::vector<SubExp> values;
    for (const SubExpRes& r : renamed.result) values.push_back(r.value);
    return values;
  }

  // The reduction's point, which has the scan's results there as values.
  std::optional<KernelBody> reading(const std::vector<SubExp>& values) {
    KernelBody body = *reduction_.body;
    const Slice here{DimFix{SubExp(reduction_.space.dims[0].index)}};
    for (StmPtr& s : body.stms) {
      const auto* index = std::get_if<Index>(&s->exp);
      for (size_t k = 0; index && k < scanned_.size(); ++k) {
        if (index->array != scanned_[k].name || index->slice != here) continue;
        s = std::make_shared<const Stm>(Stm{s->pat, s->attrs, s->certs, Atom{values[k]}, s->position});
        break;
      }
    }
    NameSet used = free_names(body);
    used.merge(free_names(reduction_.ops[0].lambda));
    const bool others = std::ranges::any_of(scanned_, [&](const PatElem& p) { return used.contains(p.name); });
    return others ? std::nullopt : std::optional(std::move(body));
  }

  const SegOp& scan_;
  const Pat& scanned_;
  const SegOp& reduction_;
  NameSource& names_;
};

bool has_certs(const Lambda& op) {
  return std::ranges::any_of(op.body->result, [](const SubExpRes& r) { return !r.certs.empty(); });
}

}  // namespace

KernelBody fold_scans(const KernelBody& given, NameSource& names) {
  KernelBody body = given;
  for (size_t i = 0; i + 1 < body.stms.size(); ++i) {
    const Stm scan = *body.stms[i], reduction = *body.stms[i + 1];
    const SegOp *a = fold_of_scalars(scan, SegKind::Scan), *b = fold_of_scalars(reduction, SegKind::Red);
    if (!a || !b || a->space.dims[0].size != b->space.dims[0].size) continue;
    if (!scan.certs.empty() || !reduction.certs.empty() || has_certs(a->ops[0].lambda) || has_certs(b->ops[0].lambda))
      continue;
    KernelBody rest{{body.stms.begin() + static_cast<long>(i) + 2, body.stms.end()}, body.results};
    const NameSet read = free_names(rest);
    if (std::ranges::any_of(scan.pat, [&](const PatElem& p) { return read.contains(p.name); })) continue;
    std::optional<Stm> loop = Folding(*a, scan.pat, *b, names).run(reduction.pat);
    if (!loop) continue;
    loop->position = reduction.position;
    body.stms[i] = std::make_shared<const Stm>(std::move(*loop));
    body.stms.erase(body.stms.begin() + static_cast<long>(i) + 1);
  }
  return body;
}

}  // namespace heddle::seg
