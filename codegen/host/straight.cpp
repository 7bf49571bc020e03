#include "codegen/host/straight.h"

#include <algorithm>
#include <variant>
#include <vector>

namespace heddle::codegen::host {

namespace {

// The blocks of a branching of which one is run.
std::vector<const seg::Stms*> branches(const seg::Match& e) {
  std::vector<const seg::Stms*> all;
  for (const seg::Case& c : e.cases) all.push_back(&c.body->stms);
  all.push_back(&e.otherwise->stms);
  return all;
}

// Whether a kernel is launched whichever branches are taken.
bool launches(const seg::Stms& stms) {
  return std::ranges::any_of(stms, [](const auto& stm) {
    const seg::Exp& e = stm->exp;
    if (const auto* match = std::get_if<seg::Match>(&e))
      return std::ranges::all_of(branches(*match), [](const seg::Stms* b) { return launches(*b); });
    if (const auto* with = std::get_if<seg::WithAcc>(&e)) return launches(with->lambda.body->stms);
    return std::holds_alternative<seg::SegOp>(e) || std::holds_alternative<seg::GpuBody>(e);
  });
}

}  // namespace

bool every_loop_launches(const seg::Stms& stms) {
  return std::ranges::all_of(stms, [](const auto& stm) {
    const seg::Exp& e = stm->exp;
    if (const auto* loop = std::get_if<seg::Loop>(&e))
      return launches(loop->body->stms) && every_loop_launches(loop->body->stms);
    if (const auto* match = std::get_if<seg::Match>(&e))
      return std::ranges::all_of(branches(*match), [](const seg::Stms* b) { return every_loop_launches(*b); });
    if (const auto* with = std::get_if<seg::WithAcc>(&e)) return every_loop_launches(with->lambda.body->stms);
    return true;
  });
}

}  // namespace heddle::codegen::host
