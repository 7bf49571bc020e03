#include "rewrites/seg/mapped_again.h"

#include <algorithm>

#include "rewrites/seg/needed_stms.h"

namespace heddle::seg {

namespace {

// Beyond so many statements, memory is taken to be cheaper.
constexpr size_t kMostStatements = 16;

// What statements of a point cost, as far as they are of the kind that may be done again.
class Again {
 public:
  explicit Again(const SegSpace& space) {
    for (const SegDim& d : space.dims) here_.emplace_back(DimFix{SubExp(d.index)});
  }

  bool may_be_done(const Stms& stms) {
    return std::ranges::all_of(stms, [&](const StmPtr& s) { return s->certs.empty() && stm(*s); });
  }
  int64_t bytes() const { return bytes_; }
  size_t statements() const { return statements_; }

 private:
  bool stm(const Stm& s) {
    ++statements_;
    const bool of_scalars = std::ranges::all_of(s.pat, [](const PatElem& p) { return p.type.is_scalar(); });
    if (!of_scalars) return false;
    if (std::holds_alternative<PrimOp>(s.exp) || std::holds_alternative<Atom>(s.exp)) return true;
    if (const auto* match = std::get_if<Match>(&s.exp)) {
      return may_be_done(match->otherwise->stms) &&
             std::ranges::all_of(match->cases, [&](const Case& c) { return may_be_done(c.body->stms); });
    }
    const auto* index = std::get_if<Index>(&s.exp);
    if (!index || index->slice != here_) return false;
    bytes_ += prim::size_bytes(s.pat[0].type.elem);
    return true;
  }

  Slice here_;
  int64_t bytes_ = 0;
  size_t statements_ = 0;
};

}  // namespace

std::optional<SegOp> mapped_again(const SegOp& scan, size_t result) {
  const Type& type = scan.types[result];
  const auto* returns = std::get_if<Returns>(&scan.body->results[result]);
  if (!returns || !returns->certs.empty() || !returns->value.is_var()) return std::nullopt;
  if (!type.is_scalar() || type.is_acc() || type.elem == prim::Type::Unit) return std::nullopt;
  NameSet needed = {returns->value.name()};
  KernelBody body{needed_stms(scan.body->stms, needed), {*returns}};
  Again again(scan.space);
  if (!again.may_be_done(body.stms) || again.statements() > kMostStatements) return std::nullopt;
  if (again.bytes() > prim::size_bytes(type.elem)) return std::nullopt;
  return SegOp{
      SegKind::Map, scan.level, scan.space, {}, {}, {type}, std::make_shared<const KernelBody>(std::move(body))};
}

}  // namespace heddle::seg
