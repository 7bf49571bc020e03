#include "rewrites/stencil/align.h"

#include <fmt/format.h>

#include <numeric>

namespace heddle::stencil {

namespace {

class Aligner {
 public:
  Aligner(const Pipeline& p, const Group& g) : p_(p), g_(g), of_(p.size()) {
    for (size_t s : g.stages) of_[s].resize(p.stage(s).domain.size());
  }

  Alignment run() {
    std::vector<size_t> results = outputs(p_, g_);
    if (results.empty()) refuse("a group without stages");
    size_t reference = results.back();
    for (size_t d = 0; d < of_[reference].size(); ++d) of_[reference][d] = Aligned{d, {}};
    while (spread()) {
    }
    for (size_t s : results) {
      for (const std::optional<Aligned>& a : of_[s]) {
        if (!a) refuse(fmt::format("every tile would compute all of {}", p_.stage(s).name));
      }
    }
    Alignment result{of_[reference].size(), {}};
    for (size_t s : g_.stages) result.stages.push_back(of_[s]);
    return result;
  }

 private:
  // Hands what is known along all reads within the group, in both directions; whether anything was new.
  bool spread() {
    bool news = false;
    for (size_t consumer : g_.stages) {
      for (const Read& r : p_.stage(consumer).reads) {
        if (r.source.kind != Source::Kind::Stage || !g_.contains(r.source.number)) continue;
        for (size_t d = 0; d < r.windows.size(); ++d) {
          const Window& w = r.windows[d];
          if (!w.follows) continue;
          std::optional<Aligned>& of_consumer = of_[consumer][*w.follows];
          std::optional<Aligned>& of_producer = of_[r.source.number][d];
          if (of_consumer)
            news |= set(of_producer, {of_consumer->tile_dim, times(of_consumer->scale, w.num, w.den)}, r);
          if (of_producer)
            news |= set(of_consumer, {of_producer->tile_dim, times(of_producer->scale, w.den, w.num)}, r);
        }
      }
    }
    return news;
  }

  bool set(std::optional<Aligned>& known, const Aligned& found, const Read& r) {
    if (!known) {
      known = found;
      return true;
    }
    if (*known != found) refuse(fmt::format("{} is read at offsets that are not constant", p_.name(r.source)));
    return false;
  }

  const Pipeline& p_;
  const Group& g_;
  std::vector<std::vector<std::optional<Aligned>>> of_;  // by stage of the pipeline
};

}  // namespace

Ratio times(const Ratio& a, int64_t num, int64_t den) {
  Ratio r{a.num * num, a.den * den};
  int64_t common = std::gcd(r.num, r.den);
  return {r.num / common, r.den / common};
}

Result<Alignment> align(const Pipeline& p, const Group& g) {
  try {
    return Aligner(p, g).run();
  } catch (const Refused& r) {
    return r.error;
  }
}

}  // namespace heddle::stencil
