#include "rewrites/seg/rows_by_threads.h"

#include <algorithm>
#include <optional>

#include "ir/seg/host_stms.h"
#include "rewrites/seg/builder.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/fold_of_scan.h"

namespace heddle::seg {

using prim::Family;

namespace {

// Some for each of as many cores as processors have.
constexpr int64_t kManyRows = 512;

// The space of all operations of a body that is a version for blocks; what they do to others is maps of blocks.
std::optional<SegSpace> space_of_blocks(const Body& body) {
  std::optional<SegSpace> space;
  bool blocks = true;
  for_each_host_stm(body.stms, [&](const StmPtr& s) {
    blocks &= !std::holds_alternative<Loop>(s->exp) && !std::holds_alternative<Match>(s->exp);
    const auto* op = std::get_if<SegOp>(&s->exp);
    if (!op) return;
    blocks &= op->kind == SegKind::Map && op->level.kind == LevelKind::Block;
    if (!space) space = op->space;
  });
  return blocks ? space : std::nullopt;
}

class RowsByThreads : public HostCodeAlone {
 public:
  explicit RowsByThreads(NameSource& names) : names_(names) {}

  BodyPtr body(const BodyPtr& b) {
    Stms out;
    for (const StmPtr& s : b->stms) {
      const auto* match = std::get_if<Match>(&s->exp);
      const bool versions = match && match->sort == MatchSort::Equiv;
      if (versions && match->is_if()) {
        add(*s, *match, out);
      } else {
        out.push_back(versions || runs_on_device(s->exp) ? s : std::make_shared<const Stm>(rebuild(*this, *s)));
      }
    }
    return std::make_shared<const Body>(Body{std::move(out), b->result});
  }
  using HostCodeAlone::body;

 private:
  void add(const Stm& s, const Match& match, Stms& out) {
    const Body& for_blocks = *match.cases[0].body;
    const std::optional<SegSpace> space = space_of_blocks(for_blocks);
    const NameSet known = free_names(for_blocks);
    const bool is_known = space && std::ranges::all_of(space->dims, [&](const SegDim& d) {
                            return !d.size.is_var() || known.contains(d.size.name());
                          });
    const BodyPtr threads = is_known ? by_threads(for_blocks) : nullptr;
    if (!threads) return out.push_back(std::make_shared<const Stm>(s));
    Builder b(names_);
    SubExp rows = i64(1);
    for (const SegDim& d : space->dims) rows = rows == i64(1) ? d.size : b.mul(rows, d.size);
    const Name many = b.let("many", Type::scalar(prim::Type::Bool),
                            PrimOp{prim::Op(Family::Sle, prim::Type::I64), {i64(kManyRows), rows}});
    Match versions{MatchSort::Equiv, {many}, {{{prim::Value::of_bool(true)}, threads}}, as_it_is(s), match.ret};
    b.add(Stm{s.pat, s.attrs, s.certs, std::move(versions), s.position});
    const Stms all = b.take();
    out.insert(out.end(), all.begin(), all.end());
  }

  // None where a thread would have nothing from doing all of a row: it stores no less than others.
  BodyPtr by_threads(const Body& for_blocks) {
    Substitution fresh;
    Body renamed = rename(names_, fresh, for_blocks);
    bool gains = true;
    for (StmPtr& s : renamed.stms) {
      if (!std::holds_alternative<SegOp>(s->exp)) continue;
      Stm one = *s;
      auto& op = std::get<SegOp>(one.exp);
      op.level.grid = KernelGrid{op.level.grid ? op.level.grid->num_blocks : i64(1), i64(1)};
      auto folded = std::make_shared<const KernelBody>(fold_scans(*op.body, names_));
      gains &= folded->stms.size() < op.body->stms.size();
      op.body = std::move(folded);
      s = std::make_shared<const Stm>(std::move(one));
    }
    return gains ? std::make_shared<const Body>(std::move(renamed)) : nullptr;
  }

  BodyPtr as_it_is(const Stm& s) {
    Substitution fresh;
    auto same = std::make_shared<Stm>(rename(names_, fresh, s));
    same->certs.clear();
    Body body;
    for (const PatElem& p : same->pat) body.result.push_back({{}, SubExp(p.name)});
    body.stms.push_back(std::move(same));
    return std::make_shared<const Body>(std::move(body));
  }

  NameSource& names_;
};

}  // namespace

Program rows_by_threads(const Program& program, NameSource& names) {
  Program out = program;
  RowsByThreads rows(names);
  for (FunDef& f : out.functions) f.body = rows.body(f.body);
  return out;
}

Result<Program> rows_by_threads(const Program& program) {
  NameSource names(program.next_tag());
  return rows_by_threads(program, names);
}

}  // namespace heddle::seg
