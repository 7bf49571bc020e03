#include "rewrites/seg/compute_element.h"

#include "ir/seg/traverse.h"

namespace heddle::seg {

Stms compute_element(const Stm& read, const Stm& map, size_t result, NameSource& names) {
  const auto& at = std::get<Index>(read.exp);
  const auto& op = std::get<SegOp>(map.exp);
  Substitution to;
  for (size_t k = 0; k < op.space.dims.size(); ++k)
    to.insert_or_assign(op.space.dims[k].index, std::get<DimFix>(at.slice[k]).index);
  Stms out = rename(names, to, op.body->stms);
  Certs certs = read.certs;
  certs.insert(certs.end(), map.certs.begin(), map.certs.end());
  Atom value{substitute(to, std::get<Returns>(op.body->results[result]).value)};
  out.push_back(std::make_shared<const Stm>(Stm{read.pat, read.attrs, certs, std::move(value), read.position}));
  return out;
}

}  // namespace heddle::seg
