#include "rewrites/seg/updates.h"

#include <algorithm>

#include "ir/seg/traverse.h"

namespace heddle::seg {

namespace {

class Updates {
 public:
  static bool any(const Stm& s) {
    Updates u;
    u.stm(s);
    return u.found_;
  }

  void use(const Name&) {}
  void bind(const Name&) {}
  bool enter(const BodyPtr& b) {
    for (const StmPtr& s : b->stms) stm(*s);
    return false;
  }
  bool enter(const KernelBodyPtr& b) {
    for (const StmPtr& s : b->stms) stm(*s);
    found_ |=
        !std::ranges::all_of(b->results, [](const KernelResult& r) { return std::holds_alternative<Returns>(r); });
    return false;
  }

 private:
  void stm(const Stm& s) {
    const auto* call = std::get_if<Apply>(&s.exp);
    const auto* op = std::get_if<SegOp>(&s.exp);
    found_ |= std::holds_alternative<Update>(s.exp) || std::holds_alternative<FlatUpdate>(s.exp) ||
              std::holds_alternative<UpdateAcc>(s.exp) || std::holds_alternative<WithAcc>(s.exp) ||
              std::holds_alternative<Scatter>(s.exp) || std::holds_alternative<Hist>(s.exp) ||
              std::holds_alternative<Stream>(s.exp) || (op && op->kind == SegKind::Hist) ||
              (call && !prim::find_function(call->function));
    walk(*this, s.exp);
  }

  bool found_ = false;
};

}  // namespace

bool updates_any(const Stm& s) { return Updates::any(s); }

}  // namespace heddle::seg
