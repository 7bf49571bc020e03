// What recipes are asked and what they answer. A recipe looks at one operation of the host program, and at what its operands
// are made of, and proposes how the device could carry it out, or says why it does not.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "ir/seg/traverse.h"
#include "ir/support/error.h"
#include "rewrites/recipes/direct.h"

namespace heddle::lower {

struct Refusal {
  std::string reason;  // as `heddle explain` says it; empty: the operation is of another kind
};

// Why blocks do not do together what their threads compute.
inline Refusal not_together() {
  return {"threads would need memory of their own, or might fail, which must not happen between barriers"};
}

// A statement of several that take an operation's place. What has no plan yet, and needs one, is planned like all others.
struct Part {
  seg::StmPtr stm;
  std::optional<Plan> plan{};
  bool finishes_contractions = false;  // see Plan
};

using Proposal = std::variant<Plan, std::vector<Part>, Refusal>;

// What a recipe cannot tell from the operation itself.
struct Circumstances {
  bool last_resort = true;               // there is no other version of what a block of threads is meant to do
  bool may_alias = false;                // no result's memory is changed later, so that it may be that of another, too
  Products products = Products::Fewer;   // of contractions
  const seg::NameSet* unread = nullptr;  // results of the program's operations that nobody uses; null: nothing is known
};

// An operation, and what recipes have found out about it, each thing once.
class Request {
 public:
  Request(const seg::Stm& stm, std::string function, HostScope& host, NameSource& names,
          const Circumstances& circumstances)
      : stm_(stm), function_(std::move(function)), host_(host), names_(names), circumstances_(circumstances) {}

  const seg::Stm& stm() const { return stm_; }
  const seg::SegOp* op() const { return std::get_if<seg::SegOp>(&stm_.exp); }  // null: a GPU body
  // Whether it is one of threads, of this kind.
  bool is(seg::SegKind kind) const;
  const HostScope& host() const { return host_; }
  NameSource& names() const { return names_; }
  const Circumstances& circumstances() const { return circumstances_; }
  bool by_blocks() const { return host_.layouts.device() == Device::Blocks; }

  std::string kernel_name(const std::string& kind) const;
  // A part of it, as an operation of its own. The parts after it may use its results. They have new names, so that nothing
  // changes where the proposal is not taken.
  Request part(const seg::StmPtr& stm) const {
    host_.exists(stm);
    return {*stm, function_, host_, names_, circumstances_};
  }

  // The contraction that its points are, though nothing comes of it, and why: noted for the recipe that takes its place.
  struct NoContraction {
    std::optional<recognize::Contraction> match;
    std::string why_not;
  } no_contraction;

  // What its points compute. Throws Refused.
  Points& points();
  // If somebody has asked for them.
  Points* known_points() { return points_.get(); }
  // The same, elements of gathered arrays being found where they are read; null where that is no difference, or refused.
  Points* points_of_sources();

 private:
  const seg::Stm& stm_;
  std::string function_;
  HostScope& host_;
  NameSource& names_;
  Circumstances circumstances_;
  std::unique_ptr<Points> points_, of_sources_;
  bool looked_ = false;
};

// What `f` returns, or that it was refused.
template <class F>
Proposal or_refusal(F f) {
  try {
    return f();
  } catch (const Refused& r) {
    if (r.error.kind == ErrorKind::Internal) throw;
    return Refusal{r.error.message};
  }
}

struct Recipe {
  std::string_view name;
  std::string_view description;
  std::string_view why_here;  // why it stands where it stands, a clause
  Proposal (*propose)(Request&);
};

// In order of preference: the planner takes the first proposal. What the last recipe refuses (it throws Refused) is refused.
std::span<const Recipe> recipes();

}  // namespace heddle::lower
