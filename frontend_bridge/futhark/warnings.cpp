#include "frontend_bridge/futhark/warnings.h"

#include <algorithm>

#include "ir/seg/traverse.h"

namespace heddle::futhark {

namespace {

struct Asked {
  bool safety_checks = false, unroll = false;
};

// Attributes hold for all that a statement contains.
Asked with(Asked asked, const seg::Attrs& attrs) {
  const seg::Attr safety_checks{"safety_checks", {}};
  for (const seg::Attr& a : attrs) {
    if (a == seg::Attr{"warn", {safety_checks}}) asked.safety_checks = true;
    if (a == seg::Attr{"unroll", {}}) asked.unroll = true;
  }
  return asked;
}

struct Collect {
  std::vector<std::string> warnings;
  Asked asked;

  void use(const Name&) {}
  void bind(const Name&) {}
  bool enter(const seg::BodyPtr& body) { return stms(body->stms); }
  bool enter(const seg::KernelBodyPtr& body) { return stms(body->stms); }

  bool stms(const seg::Stms& stms) {
    for (const seg::StmPtr& s : stms) {
      const Asked outside = asked;
      asked = with(asked, s->attrs);
      if (const auto* check = std::get_if<seg::Assert>(&s->exp); check && asked.safety_checks)
        add(check->location, "Safety check required at run-time.");
      if (std::holds_alternative<seg::Loop>(s->exp) && asked.unroll)
        add("unknown location", "#[unroll] on loop with unknown number of iterations.");
      seg::walk(*this, s->exp);
      asked = outside;
    }
    return false;
  }

  void add(const std::string& place, const char* what) {
    std::string warning = "Warning at " + place + ":\n  " + what;
    if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) warnings.push_back(std::move(warning));
  }
};

}  // namespace

std::vector<std::string> generator_warnings(const seg::Program& program) {
  Collect collect;
  collect.stms(program.constants);
  for (const seg::FunDef& f : program.functions) collect.stms(f.body->stms);
  return std::move(collect.warnings);
}

}  // namespace heddle::futhark
