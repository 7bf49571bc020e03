#include "rewrites/seg/histograms_apart.h"

#include <algorithm>

#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/histogram_parts.h"
#include "rewrites/seg/pack_bins.h"
#include "rewrites/seg/soon_computed.h"

namespace heddle::seg {

namespace {

constexpr size_t kMostStatements = 24;
constexpr int64_t kMostReads = 8;

}  // namespace

std::optional<Stms> histograms_apart(const Stm& s, NameSource& names) {
  const auto* op = std::get_if<SegOp>(&s.exp);
  if (!op || op->kind != SegKind::Hist || op->level.kind != LevelKind::Thread || op->hists.size() < 2 ||
      !is_soon_computed(op->body->stms, kMostStatements, kMostReads))
    return std::nullopt;
  std::vector<HistogramPart> large, others;
  for (const HistogramPart& p : histogram_parts(*op))
    (p.hist->dests.size() > 1 && !is_exchanged(*p.hist) ? large : others).push_back(p);
  if (large.empty()) return std::nullopt;
  Stms all;
  for (const HistogramPart& p : large) all.push_back(histogram_of_parts(s, {p}, names));
  if (!others.empty()) all.push_back(histogram_of_parts(s, others, names));
  return all;
}

Result<Program> histograms_apart(const Program& program) {
  NameSource names(program.next_tag());
  return expand_host_stms(program, [&](const Stm& s) { return histograms_apart(s, names).value_or(just(s)); });
}

}  // namespace heddle::seg
