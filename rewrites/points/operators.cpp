#include "rewrites/points/operators.h"

namespace heddle::lower {

Values neutral_elements(BodyLowerer& body, const std::vector<seg::SegBinOp>& ops) {
  Values values;
  for (const seg::SegBinOp& o : ops) {
    for (const seg::SubExp& ne : o.neutral) values.push_back(body.value(ne));
  }
  return values;
}

Values combined(BodyLowerer& body, const std::vector<seg::SegBinOp>& ops, const Values& a, const Values& b) {
  Values results;
  size_t next = 0;
  for (const seg::SegBinOp& o : ops) {
    auto first = static_cast<long>(next), last = static_cast<long>(next + o.neutral.size());
    Values args(a.begin() + first, a.begin() + last);
    args.insert(args.end(), b.begin() + first, b.begin() + last);
    for (KernelValue& v : body.call(o.lambda, args)) results.push_back(std::move(v));
    next += o.neutral.size();
  }
  return results;
}

Values current(BodyLowerer& body, const std::vector<ArrayValue>& variables) {
  Values values;
  for (const ArrayValue& v : variables) values.push_back(body.current(v));
  return values;
}

Values read(BodyLowerer& body, const std::vector<ArrayValue>& arrays, const Indices& index) {
  Values values;
  for (const ArrayValue& a : arrays) values.emplace_back(body.bind(body.read(a, index)));
  return values;
}

void store(BodyLowerer& body, const std::vector<ArrayValue>& arrays, const Indices& index, const Values& values) {
  for (size_t k = 0; k < arrays.size(); ++k) body.store_value(arrays[k], index, values[k]);
}

}  // namespace heddle::lower
