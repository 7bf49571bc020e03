#include "rewrites/seg/histograms_apart.h"

#include <algorithm>

#include "ir/seg/traverse.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/needed_stms.h"
#include "rewrites/seg/pack_bins.h"
#include "rewrites/seg/soon_computed.h"

namespace heddle::seg {

namespace {

constexpr size_t kMostStatements = 24;
constexpr int64_t kMostReads = 8;

// A histogram of the operation, and where its parts are.
struct Part {
  const HistOp* hist;
  size_t bin, value, bound;
};

StmPtr of_parts(const Stm& s, const SegOp& op, const std::vector<Part>& parts, NameSource& names) {
  Stm made{{}, s.attrs, s.certs, op, s.position};
  auto& one = std::get<SegOp>(made.exp);
  auto body = std::make_shared<KernelBody>();
  one.hists.clear();
  one.types.clear();
  auto take = [&](size_t first, size_t count) {
    for (size_t k = first; k < first + count; ++k) {
      one.types.push_back(op.types[k]);
      body->results.push_back(op.body->results[k]);
    }
  };
  for (const Part& p : parts) {
    one.hists.push_back(*p.hist);
    take(p.bin, p.hist->shape.size());
  }
  for (const Part& p : parts) {
    take(p.value, p.hist->dests.size());
    for (size_t k = 0; k < p.hist->dests.size(); ++k) made.pat.push_back(s.pat[p.bound + k]);
  }
  NameSet needed;
  for (const auto& r : body->results) needed.merge(free_names(r));
  body->stms = needed_stms(op.body->stms, needed);
  one.body = std::move(body);
  Substitution fresh;
  made.exp = rename(names, fresh, one);
  return std::make_shared<const Stm>(std::move(made));
}

}  // namespace

std::optional<Stms> histograms_apart(const Stm& s, NameSource& names) {
  const auto* op = std::get_if<SegOp>(&s.exp);
  if (!op || op->kind != SegKind::Hist || op->level.kind != LevelKind::Thread || op->hists.size() < 2 ||
      !is_soon_computed(op->body->stms, kMostStatements, kMostReads))
    return std::nullopt;
  std::vector<Part> large, others;
  size_t bin = 0, value = 0, bound = 0;
  for (const HistOp& h : op->hists) value += h.shape.size();
  for (const HistOp& h : op->hists) {
    (h.dests.size() > 1 && !is_exchanged(h) ? large : others).push_back({&h, bin, value, bound});
    bin += h.shape.size();
    value += h.dests.size();
    bound += h.dests.size();
  }
  if (large.empty()) return std::nullopt;
  Stms all;
  for (const Part& p : large) all.push_back(of_parts(s, *op, {p}, names));
  if (!others.empty()) all.push_back(of_parts(s, *op, others, names));
  return all;
}

Result<Program> histograms_apart(const Program& program) {
  NameSource names(program.next_tag());
  return expand_host_stms(program, [&](const Stm& s) { return histograms_apart(s, names).value_or(just(s)); });
}

}  // namespace heddle::seg
