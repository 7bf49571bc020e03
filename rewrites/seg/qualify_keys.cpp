#include "rewrites/seg/qualify_keys.h"

#include "rewrites/seg/expand_stms.h"

namespace heddle::seg {

Result<Program> qualify_keys(const Program& program) {
  Program out = program;
  for (FunDef& f : out.functions) {
    std::string prefix = (f.entry ? f.entry->name : f.name) + ".";
    auto qualify = [&](const Stm& s) {
      Stm q = s;
      if (auto* e = std::get_if<GetSize>(&q.exp)) e->key = prefix + e->key;
      if (auto* e = std::get_if<CalcNumBlocks>(&q.exp)) e->max_blocks_key = prefix + e->max_blocks_key;
      if (auto* e = std::get_if<CmpSize>(&q.exp)) {
        e->key = prefix + e->key;
        for (PathStep& step : e->size_class.path) step.threshold = prefix + step.threshold;
      }
      return just(std::move(q));
    };
    StmExpander<decltype(qualify)> expander(qualify, true);
    f.body = expander.body(f.body);
  }
  return out;
}

}  // namespace heddle::seg
