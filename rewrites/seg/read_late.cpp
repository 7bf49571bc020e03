#include "rewrites/seg/read_late.h"

#include <algorithm>

#include "rewrites/seg/host_reads.h"

namespace heddle::seg {

namespace {

class Reads {
 public:
  Stms stms(const Stms& stms) {
    Stms out, late;
    NameSet late_names;
    auto read_now = [&] {
      out.insert(out.end(), late.begin(), late.end());
      late.clear();
      late_names.clear();
    };
    for (const StmPtr& original : stms) {
      StmPtr s = runs_on_device(original->exp) ? original : std::make_shared<const Stm>(rebuild(*this, *original));
      add_arrays_of_one_element(*s, arrays_);
      NameSet used = free_names(*s);
      bool needs_one = std::ranges::any_of(used, [&](const Name& n) { return late_names.contains(n); });
      if (needs_one || (!leaves_arrays_alone(s->exp) && !late.empty())) read_now();
      if (reads_one_of(*s, arrays_)) {
        late.push_back(s);
        late_names.insert(s->pat[0].name);
      } else {
        out.push_back(s);
      }
    }
    read_now();
    return out;
  }

  BodyPtr body(const BodyPtr& b) { return std::make_shared<const Body>(Body{stms(b->stms), b->result}); }
  static KernelBodyPtr body(const KernelBodyPtr& b) { return b; }
  static WithAccOp with_acc_op(const WithAccOp& op) { return op; }
  static SubExp use(const SubExp& x) { return x; }
  static Name use_name(const Name& n) { return n; }
  static Name bind(const Name& n) { return n; }

 private:
  NameSet arrays_;
};

}  // namespace

Result<Program> read_late(const Program& program) {
  Reads reads;
  Program out = program;
  out.constants = reads.stms(program.constants);
  for (FunDef& f : out.functions) f.body = reads.body(f.body);
  return out;
}

}  // namespace heddle::seg
