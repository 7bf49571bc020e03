#include "rewrites/stencil/partition.h"

#include "rewrites/stencil/strategies.h"

namespace heddle::stencil {

Decision no_fusion(const Pipeline& p) {
  Decision d;
  for (size_t s = 0; s < p.size(); ++s) d.partition.groups.push_back({{s}});
  return d;
}

Decision partition(const Pipeline& p, const Device& device, Strategy strategy, const Models& models) {
  switch (strategy) {
    case Strategy::None:
      return no_fusion(p);
    case Strategy::Pairwise:
      return pairwise(p, device, models.hipacc);
    case Strategy::MinCut:
      return min_cut(p, device, models.hipacc);
    case Strategy::Greedy:
      return greedy(p, device, models.sioutas);
    case Strategy::Largest:
      return largest(p, models.fit);
    case Strategy::Dp:
      return dp_fusion(p, device, models.polymage);
  }
  return no_fusion(p);
}

}  // namespace heddle::stencil
