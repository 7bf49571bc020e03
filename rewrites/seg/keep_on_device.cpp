#include "rewrites/seg/keep_on_device.h"

#include <unordered_map>

#include "rewrites/seg/host_reads.h"

namespace heddle::seg {

namespace {

struct CountUses {
  std::unordered_map<Name, size_t> uses;
  void use(const Name& n) { ++uses[n]; }
  void bind(const Name&) {}
};

// A map each point of which is computed by statements without loops, so that what it reads beside is no loss.
bool is_straight_map(const SegOp& op) {
  return op.kind == SegKind::Map && op.level.kind == LevelKind::Thread &&
         std::ranges::all_of(op.body->stms, [](const StmPtr& s) {
           return std::holds_alternative<PrimOp>(s->exp) || std::holds_alternative<Atom>(s->exp) ||
                  std::holds_alternative<Index>(s->exp);
         });
}

// Goes through host code, knowing which results have been read that their arrays still hold.
class Results {
 public:
  explicit Results(NameSource& names) : names_(names) {}

  CountUses in_maps;  // of what has been read, in plain maps
  NameSet kept;       // results that these are to read themselves

  Stms stms(const Stms& stms) {
    Stms out;
    std::unordered_map<Name, StmPtr> known;
    for (const StmPtr& original : stms) {
      StmPtr s = runs_on_device(original->exp) ? original : std::make_shared<const Stm>(rebuild(*this, *original));
      const auto* op = std::get_if<SegOp>(&s->exp);
      bool calm = leaves_arrays_alone(s->exp);
      if (op && calm && is_straight_map(*op)) s = reading(known, *s, *op);
      if (!calm) known.clear();
      add_arrays_of_one_element(*s, arrays_);
      bool is_read = reads_one_of(*s, arrays_) && s->certs.empty() && s->pat[0].type.elem != prim::Type::I64;
      if (is_read) known.insert_or_assign(s->pat[0].name, s);
      if (!is_read || !kept.contains(s->pat[0].name)) out.push_back(s);
    }
    return out;
  }

  BodyPtr body(const BodyPtr& b) { return std::make_shared<const Body>(Body{stms(b->stms), b->result}); }
  static KernelBodyPtr body(const KernelBodyPtr& b) { return b; }
  static WithAccOp with_acc_op(const WithAccOp& op) { return op; }
  static SubExp use(const SubExp& x) { return x; }
  static Name use_name(const Name& n) { return n; }
  static Name bind(const Name& n) { return n; }

 private:
  StmPtr reading(const std::unordered_map<Name, StmPtr>& known, const Stm& s, const SegOp& op) {
    CountUses counted;
    walk(counted, op.body);
    Stms reads;
    Substitution to;
    NameSet used = free_names(op.body);
    std::vector<Name> in_order(used.begin(), used.end());
    std::ranges::sort(in_order);
    for (const Name& n : in_order) {
      auto it = known.find(n);
      if (it == known.end()) continue;
      in_maps.uses[n] += counted.uses[n];
      if (!kept.contains(n)) continue;
      Stm read = *it->second;
      read.pat[0].name = names_.fresh(n);
      to.insert_or_assign(n, SubExp(read.pat[0].name));
      reads.push_back(std::make_shared<const Stm>(std::move(read)));
    }
    if (reads.empty()) return std::make_shared<const Stm>(s);
    KernelBody body = substitute(to, *op.body);
    body.stms.insert(body.stms.begin(), reads.begin(), reads.end());
    SegOp changed = op;
    changed.body = std::make_shared<const KernelBody>(std::move(body));
    Stm result = s;
    result.exp = std::move(changed);
    return std::make_shared<const Stm>(std::move(result));
  }

  NameSource& names_;
  NameSet arrays_;
};

}  // namespace

Result<Program> keep_on_device(const Program& program) {
  NameSource names(program.next_tag());
  Program out = program;
  for (FunDef& f : out.functions) {
    Results results(names);
    results.body(f.body);
    if (results.in_maps.uses.empty()) continue;
    CountUses all;
    walk(all, f.body);
    for (const auto& [name, uses] : results.in_maps.uses) {
      if (all.uses[name] == uses) results.kept.insert(name);
    }
    f.body = results.body(f.body);
  }
  return out;
}

}  // namespace heddle::seg
