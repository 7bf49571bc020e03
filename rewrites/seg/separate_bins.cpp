#include "rewrites/seg/separate_bins.h"

#include <optional>

#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/needed_stms.h"

namespace heddle::seg {

namespace {

// The operator's part that computes result `k`, if it needs nothing but the old and new value of that one.
std::optional<Lambda> part(const Lambda& op, size_t k, NameSource& names) {
  size_t count = op.ret.size();
  Body body;
  body.result = {op.body->result[k]};
  NameSet needed = free_names(body.result[0]);
  body.stms = needed_stms(op.body->stms, needed);
  for (const StmPtr& s : op.body->stms) {
    if (std::holds_alternative<Assert>(s->exp)) return std::nullopt;
  }
  for (size_t j = 0; j < op.params.size(); ++j) {
    if (j % count != k && needed.contains(op.params[j].name)) return std::nullopt;
  }
  Lambda l{{op.params[k], op.params[count + k]}, {op.ret[k]}, std::make_shared<const Body>(std::move(body))};
  Substitution fresh;
  return rename(names, fresh, l);
}

std::vector<HistOp> parts(const HistOp& h, NameSource& names) {
  std::vector<HistOp> result;
  for (size_t k = 0; k < h.dests.size(); ++k) {
    std::optional<Lambda> op = part(h.op, k, names);
    if (!op) return {h};
    result.push_back({h.shape, h.race_factor, {h.dests[k]}, {h.neutral[k]}, h.op_shape, std::move(*op)});
  }
  return result;
}

Stm separated(const Stm& s, const SegOp& op, NameSource& names) {
  SegOp out = op;
  out.hists.clear();
  out.types.clear();
  auto body = std::make_shared<KernelBody>(*op.body);
  body->results.clear();
  auto take = [&](size_t k) {
    out.types.push_back(op.types[k]);
    body->results.push_back(op.body->results[k]);
  };
  size_t bin = 0;
  for (const HistOp& h : op.hists) {
    for (HistOp& p : parts(h, names)) {
      for (size_t d = 0; d < h.shape.size(); ++d) take(bin + d);
      out.hists.push_back(std::move(p));
    }
    bin += h.shape.size();
  }
  for (size_t k = bin; k < op.types.size(); ++k) take(k);
  out.body = std::move(body);
  Stm result = s;
  result.exp = std::move(out);
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
