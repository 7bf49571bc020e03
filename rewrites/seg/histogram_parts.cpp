#include "rewrites/seg/histogram_parts.h"

#include "rewrites/seg/needed_stms.h"

namespace heddle::seg {

std::vector<HistogramPart> histogram_parts(const SegOp& op) {
  std::vector<HistogramPart> parts;
  size_t bin = 0, value = 0, bound = 0;
  for (const HistOp& h : op.hists) value += h.shape.size();
  for (const HistOp& h : op.hists) {
    parts.push_back({&h, bin, value, bound});
    bin += h.shape.size();
    value += h.dests.size();
    bound += h.dests.size();
  }
  return parts;
}

StmPtr histogram_of_parts(const Stm& s, const std::vector<HistogramPart>& parts, NameSource& names) {
  const auto& op = std::get<SegOp>(s.exp);
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
  for (const HistogramPart& p : parts) {
    one.hists.push_back(*p.hist);
    take(p.bin, p.hist->shape.size());
  }
  for (const HistogramPart& p : parts) {
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

}  // namespace heddle::seg
