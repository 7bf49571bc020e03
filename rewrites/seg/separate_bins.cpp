#include "rewrites/seg/separate_bins.h"

#include <algorithm>
#include <numeric>

#include "rewrites/seg/choose_elements.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/needed_stms.h"
#include "rewrites/seg/pack_bins.h"

namespace heddle::seg {

namespace {

using Group = std::vector<size_t>;  // values of a tuple, in order

// Which results need old or new values of which others. Each value is in one group.
std::vector<Group> groups(const Lambda& op) {
  const size_t count = op.ret.size();
  std::vector<size_t> group(count);
  std::iota(group.begin(), group.end(), size_t{0});
  for (size_t k = 0; k < count; ++k) {
    NameSet needed = free_names(op.body->result[k]);
    needed_stms(op.body->stms, needed);
    for (size_t j = 0; j < 2 * count; ++j) {
      if (!needed.contains(op.params[j].name)) continue;
      const size_t from = std::max(group[k], group[j % count]), to = std::min(group[k], group[j % count]);
      std::ranges::replace(group, from, to);
    }
  }
  std::vector<Group> found;
  for (size_t first = 0; first < count; ++first) {
    Group of;
    for (size_t k = first; k < count; ++k) {
      if (group[k] == first) of.push_back(k);
    }
    if (!of.empty()) found.push_back(std::move(of));
  }
  return found;
}

Lambda operator_of(const Lambda& op, const Group& group, NameSource& names) {
  auto body = std::make_shared<Body>();
  NameSet needed;
  Lambda l;
  for (size_t half : {size_t{0}, op.ret.size()}) {
    for (size_t k : group) l.params.push_back(op.params[half + k]);
  }
  for (size_t k : group) {
    l.ret.push_back(op.ret[k]);
    body->result.push_back(op.body->result[k]);
    needed.merge(free_names(body->result.back()));
  }
  body->stms = needed_stms(op.body->stms, needed);
  l.body = std::move(body);
  Substitution fresh;
  return rename(names, fresh, l);
}

struct Part {
  Group group;
  HistOp hist;
};

Part part(const HistOp& h, Group group, NameSource& names) {
  HistOp one{h.shape, h.race_factor, {}, {}, h.op_shape, operator_of(h.op, group, names)};
  for (size_t k : group) {
    one.dests.push_back(h.dests[k]);
    one.neutral.push_back(h.neutral[k]);
  }
  return {std::move(group), std::move(one)};
}

bool needs_lock(const HistOp& h) { return h.dests.size() > 1 && !is_exchanged(h) && !chooses(h.op); }

// One, as it is, where the operator may fail, or several parts of it would need locks.
std::vector<Part> parts(const HistOp& h, NameSource& names) {
  std::vector<Part> found;
  for (Group& g : groups(h.op)) found.push_back(part(h, std::move(g), names));
  const bool fails =
      std::ranges::any_of(h.op.body->stms, [](const StmPtr& s) { return std::holds_alternative<Assert>(s->exp); });
  const auto locks = std::ranges::count_if(found, [](const Part& p) { return needs_lock(p.hist); });
  if (!fails && locks <= 1) return found;
  Group all(h.dests.size());
  std::iota(all.begin(), all.end(), size_t{0});
  return {{std::move(all), h}};
}

Stm separated(const Stm& s, const SegOp& op, NameSource& names) {
  Stm result{{}, s.attrs, s.certs, op, s.position};
  auto& out = std::get<SegOp>(result.exp);
  auto body = std::make_shared<KernelBody>(*op.body);
  out.hists.clear();
  out.types.clear();
  body->results.clear();
  auto take = [&](size_t k) {
    out.types.push_back(op.types[k]);
    body->results.push_back(op.body->results[k]);
  };
  // The points return all bins, and then all values.
  std::vector<size_t> values;
  size_t bin = 0, value = 0, bound = 0;
  for (const HistOp& h : op.hists) value += h.shape.size();
  for (const HistOp& h : op.hists) {
    for (Part& p : parts(h, names)) {
      for (size_t d = 0; d < h.shape.size(); ++d) take(bin + d);
      for (size_t k : p.group) {
        values.push_back(value + k);
        result.pat.push_back(s.pat[bound + k]);
      }
      out.hists.push_back(std::move(p.hist));
    }
    bin += h.shape.size();
    value += h.dests.size();
    bound += h.dests.size();
  }
  for (size_t k : values) take(k);
  out.body = std::move(body);
  return result;
}

}  // namespace

Result<Program> separate_bins(const Program& program) try {
  NameSource names(program.next_tag());
  auto separate = [&](const Stm& s) {
    const auto* op = std::get_if<SegOp>(&s.exp);
    return just(op && op->kind == SegKind::Hist ? separated(s, *op, names) : s);
  };
  StmExpander<decltype(separate)> expander(separate, true);
  Program out = program;
  out.constants = expander.stms(program.constants);
  for (FunDef& f : out.functions) f.body = expander.body(f.body);
  return out;
} catch (const Refused& r) {
  return r.error;
}

}  // namespace heddle::seg
