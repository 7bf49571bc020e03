#include "rewrites/recipes/kernel_constants.h"

#include "ir/nest/printer.h"
#include "ir/support/error.h"
#include "rewrites/contraction/structure.h"

namespace heddle::lower {

using contraction::Structure;
using nest::Expr;
using prim::Type;

std::vector<Name> kernel_constants(const Way& way) {
  const nest::Kernel& kernel = way.direct.kernel;
  Structure s = contraction::structure_of(way.match, kernel.buffers);
  nest::Substitution values = host_values(way.direct);
  nest::NameSet names;
  for (size_t r = 0; r < way.match.reduction.size(); ++r) {
    if (s.window[r]) names.merge(nest::free_names(way.match.reduction[r].extent));
  }
  for (const std::vector<contraction::DimMap>& maps : s.maps) {
    for (const contraction::DimMap& m : maps) {
      for (const nest::Coefficient& k : m.coefficients) names.merge(nest::free_names(k.value));
    }
  }
  std::vector<Name> result;
  for (const nest::ScalarParam& p : kernel.scalars) {
    if (!names.contains(p.name)) continue;
    if (p.type != Type::I64 || !values.contains(p.name)) refuse("a window's extent is known to the kernel only");
    result.push_back(p.name);
  }
  for (const Name& n : result) {
    for (const recognize::Index& p : way.match.parallel) {
      if (nest::equal(p.extent, nest::var(n, Type::I64)))
        refuse("the kernel would have to be compiled anew for every " + n.text());
    }
  }
  return result;
}

Expr steps_forwards(const Way& way) {
  const nest::Kernel& kernel = way.direct.kernel;
  Structure s = contraction::structure_of(way.match, kernel.buffers);
  nest::Substitution values = host_values(way.direct);
  nest::NameSet names;
  for (const std::vector<contraction::DimMap>& maps : s.maps) {
    for (const contraction::DimMap& m : maps) {
      for (const nest::Coefficient& k : m.coefficients) {
        if (!nest::sign(k.value))
          refuse("sizes decide which way an operand is run through, by " + nest::to_text(k.value));
        names.merge(nest::free_names(k.value));
      }
    }
  }
  Expr all;
  for (const nest::ScalarParam& p : kernel.scalars) {
    if (!names.contains(p.name)) continue;
    Expr condition = nest::less(nest::constant(int64_t{-1}), values.at(p.name));
    all = all ? nest::both(all, condition) : condition;
  }
  return all;
}

}  // namespace heddle::lower
