// What the host program knows about its scalars and arrays where a kernel is launched: how they were computed, which
// sizes and asserts have been met, which branch has been taken.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/nest/facts.h"
#include "ir/seg/syntax.h"

namespace heddle::lower {

class HostFacts {
 public:
  explicit HostFacts(const std::unordered_map<Name, seg::Type>& types) : types_(types) {}

  // ---- Told in the order in which the host program runs. ----

  void stm(const seg::StmPtr& s);
  // A value of this type exists.
  void exists(const seg::Type& type);
  void loop(const seg::ForLoop& loop);
  // The case, of this number, of those of `match` has been chosen, or after the last of them none.
  void chosen(const seg::Match& match, size_t number);

  // What is told within `f` is known within `f`; how names are defined stays known.
  template <class F>
  auto scope(F f) {
    struct Restore {
      HostFacts& facts;
      size_t sizes, conditions, indices;
      ~Restore() {
        facts.sizes_.resize(sizes);
        facts.conditions_.resize(conditions);
        facts.indices_.resize(indices);
      }
    } restore{*this, sizes_.size(), conditions_.size(), indices_.size()};
    return f();
  }

  // ---- Asked about a kernel. ----

  // Over host scalars; null if it is not known.
  nest::Expr definition(const Name& scalar) const;
  // The expression that makes an array, if it is the only result; null if it is not known.
  const seg::Exp* array_definition(const Name& array) const;
  // All that is known; `definition` is for the facts' constructor.
  void tell(nest::Facts& facts) const;

 private:
  struct Condition {
    nest::Expr condition;
    bool holds;
  };
  nest::Expr scalar(const seg::SubExp& e) const;  // null if it is none
  nest::Expr case_condition(const seg::Match& match, size_t number) const;

  const std::unordered_map<Name, seg::Type>& types_;
  std::unordered_map<Name, seg::StmPtr> definitions_;  // of what is the first in its pattern
  std::vector<Name> sizes_;
  std::vector<Condition> conditions_;
  std::vector<std::pair<Name, nest::Expr>> indices_;
};

}  // namespace heddle::lower
