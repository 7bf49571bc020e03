#include "rewrites/seg/computed_in_reductions.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "rewrites/seg/builder.h"
#include "rewrites/seg/compute_element.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/needed_stms.h"
#include "rewrites/seg/overwrites_nothing.h"

namespace heddle::seg {

namespace {

constexpr size_t kMostStms = 64;

// Straight, but for choices, and of scalars: computed again it costs some instructions. Counts elements that are read.
class ShortPoint {
 public:
  explicit ShortPoint(const Stms& stms) : short_(all(stms)) {}

  bool is_short() const { return short_ && count_ <= kMostStms; }
  size_t reads() const { return reads_; }

 private:
  bool all(const Stms& stms) {
    return std::ranges::all_of(stms, [&](const StmPtr& s) { return one(*s); });
  }
  bool one(const Stm& s) {
    ++count_;
    if (!std::ranges::all_of(s.pat, [](const PatElem& p) { return p.type.is_scalar() && !p.type.is_acc(); }))
      return false;
    if (std::holds_alternative<Index>(s.exp)) ++reads_;
    if (const auto* match = std::get_if<Match>(&s.exp)) {
      return all(match->otherwise->stms) &&
             std::ranges::all_of(match->cases, [&](const Case& c) { return all(c.body->stms); });
    }
    return std::holds_alternative<Index>(s.exp) || std::holds_alternative<PrimOp>(s.exp) ||
           std::holds_alternative<Atom>(s.exp);
  }

  size_t reads_ = 0, count_ = 0;
  bool short_;
};

class Computed : public HostCodeAlone {
 public:
  explicit Computed(NameSource& names) : names_(names) {}

  Stms stms(const Stms& stms) {
    Stms out;
    for (const StmPtr& s : stms)
      out.push_back(std::make_shared<const Stm>(stm(runs_on_device(s->exp) ? *s : rebuild(*this, *s))));
    return out;
  }

  // What is known outside of a body may be overwritten there, by a round of a loop before, too.
  BodyPtr body(const BodyPtr& b) {
    std::unordered_map<Name, Source> outside = std::exchange(known_, {});
    BodyPtr result = std::make_shared<const Body>(Body{stms(b->stms), b->result});
    known_ = std::move(outside);
    return result;
  }
  using HostCodeAlone::body;

 private:
  struct Source {
    StmPtr scan;
    size_t result;
  };

  Stm stm(const Stm& s) {
    const auto* op = std::get_if<SegOp>(&s.exp);
    Stm result = s;
    if (op && op->kind == SegKind::Red && op->level.kind == LevelKind::Thread) result.exp = reduction(*op);
    if (!overwrites_nothing(s.exp)) known_.clear();
    if (op && op->kind == SegKind::Scan && op->level.kind == LevelKind::Thread) remember(s, *op);
    return result;
  }

  void remember(const Stm& s, const SegOp& op) {
    if (!overwrites_nothing(s.exp) || !ShortPoint(op.body->stms).is_short()) return;
    size_t scanned = 0;
    for (const SegBinOp& o : op.ops) scanned += o.lambda.ret.size();
    const auto scan = std::make_shared<const Stm>(s);
    for (size_t k = scanned; k < s.pat.size(); ++k) known_.insert_or_assign(s.pat[k].name, Source{scan, k});
  }

  // The result of which each point of the reduction reads another element.
  const Source* source(const Stm& s, const SegOp& op) const {
    const auto* read = std::get_if<Index>(&s.exp);
    const auto found = read ? known_.find(read->array) : known_.end();
    if (found == known_.end() || !s.pat[0].type.is_scalar()) return nullptr;
    const std::vector<SegDim>& there = std::get<SegOp>(found->second.scan->exp).space.dims;
    if (there.size() != read->slice.size()) return nullptr;
    size_t next = 0;
    for (const SegDim& d : op.space.dims) {
      const auto* at = next < there.size() ? std::get_if<DimFix>(&read->slice[next]) : nullptr;
      if (at && at->index == SubExp(d.index) && there[next].size == d.size) {
        ++next;
      } else if (d.size != i64(1)) {
        return nullptr;
      }
    }
    return next == there.size() ? &found->second : nullptr;
  }

  SegOp reduction(const SegOp& op) {
    size_t sources = 0, reads = 0;
    const Stm* scan = nullptr;
    for (const StmPtr& s : op.body->stms) {
      const Source* from = source(*s, op);
      if (!from) continue;
      ++sources;
      if (from->scan.get() != scan) reads += ShortPoint(std::get<SegOp>(from->scan->exp).body->stms).reads();
      scan = from->scan.get();
    }
    if (reads > sources) return op;
    auto body = std::make_shared<KernelBody>(*op.body);
    body->stms.clear();
    for (const StmPtr& s : op.body->stms) {
      if (const Source* from = source(*s, op)) {
        NameSet needed = {s->pat[0].name};
        const Stms computed = needed_stms(compute_element(*s, *from->scan, from->result, names_), needed);
        body->stms.insert(body->stms.end(), computed.begin(), computed.end());
      } else {
        body->stms.push_back(s);
      }
    }
    SegOp result = op;
    result.body = std::move(body);
    return result;
  }

  NameSource& names_;
  std::unordered_map<Name, Source> known_;
};

}  // namespace

Program computed_in_reductions(const Program& program, NameSource& names) {
  Computed computed(names);
  Program out = program;
  out.constants = computed.stms(program.constants);
  for (FunDef& function : out.functions) function.body = computed.body(function.body);
  return out;
}

}  // namespace heddle::seg
