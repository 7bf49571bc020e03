// Small deterministic damage to seg programs, to see whether the verifier notices.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "ir/seg/traverse.h"

namespace heddle::seg {

enum class Damage { ReplaceUse, ChangeType, DropStatement, SwapResults, DropResult };
inline constexpr Damage kAllDamage[] = {Damage::ReplaceUse, Damage::ChangeType, Damage::DropStatement,
                                        Damage::SwapResults, Damage::DropResult};

inline std::string_view name(Damage damage) {
  switch (damage) {
    case Damage::ReplaceUse:
      return "replace the use of a name";
    case Damage::ChangeType:
      return "change a declared type";
    case Damage::DropStatement:
      return "drop a statement";
    case Damage::SwapResults:
      return "swap two results";
    case Damage::DropResult:
      return "drop a result";
  }
  return "";
}

// Does `damage` at its `place`-th possible place in the functions of a program.
class Mutator {
 public:
  Mutator(Damage damage, int place, std::vector<Name> names)
      : damage_(damage), left_(place), names_(std::move(names)) {}

  bool done() const { return left_ < 0; }

  SubExp use(const SubExp& e) { return e.is_var() ? SubExp(use_name(e.name())) : e; }
  Name use_name(const Name& n) {
    if (damage_ != Damage::ReplaceUse || !here()) return n;
    // Some other name of the program; which one depends on the place.
    for (size_t i = 0; i < names_.size(); i++) {
      const Name& other = names_[(i + static_cast<size_t>(n.tag) * 7 + 3) % names_.size()];
      if (other != n) return other;
    }
    return n;
  }
  Name bind(const Name& n) { return n; }

  BodyPtr body(const BodyPtr& b) {
    if (done()) return b;
    Body copy = rebuild(*this, *b);
    on_stms(copy.stms);
    on_results(copy.result);
    return std::make_shared<const Body>(std::move(copy));
  }
  KernelBodyPtr body(const KernelBodyPtr& b) {
    if (done()) return b;
    KernelBody copy = rebuild(*this, *b);
    on_stms(copy.stms);
    on_results(copy.results);
    return std::make_shared<const KernelBody>(std::move(copy));
  }

 private:
  bool here() { return left_ >= 0 && left_-- == 0; }

  void on_stms(Stms& stms) {
    for (size_t i = 0; i < stms.size(); i++) {
      if (damage_ == Damage::DropStatement && here()) {
        stms.erase(stms.begin() + static_cast<std::ptrdiff_t>(i));
        return;
      }
      if (damage_ != Damage::ChangeType) continue;
      for (size_t j = 0; j < stms[i]->pat.size(); j++) {
        if (stms[i]->pat[j].type.is_acc() || !here()) continue;
        Stm stm = *stms[i];
        Type& t = stm.pat[j].type;
        t.elem = t.elem == prim::Type::I64 ? prim::Type::I32 : prim::Type::I64;
        stms[i] = std::make_shared<const Stm>(std::move(stm));
        return;
      }
    }
  }

  template <class R>
  void on_results(std::vector<R>& results) {
    for (size_t i = 0; i + 1 < results.size(); i++) {
      if (damage_ == Damage::SwapResults && !(results[i] == results[i + 1]) && here())
        std::swap(results[i], results[i + 1]);
    }
    if (damage_ == Damage::DropResult && !results.empty() && here()) results.pop_back();
  }

  Damage damage_;
  int left_;
  std::vector<Name> names_;
};

// nullopt: there are not so many places.
inline std::optional<Program> mutate(const Program& program, Damage damage, int place) {
  struct Collect {
    std::vector<Name> names;
    void use(const Name&) {}
    void bind(const Name& n) { names.push_back(n); }
  } collect;
  for (const FunDef& f : program.functions) walk(collect, f.body);
  Mutator m(damage, place, std::move(collect.names));
  Program copy = program;
  for (FunDef& f : copy.functions) f.body = m.body(f.body);
  if (!m.done()) return std::nullopt;
  return copy;
}

}  // namespace heddle::seg
