#include "rewrites/seg/update_in_place.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rewrites/seg/builder.h"
#include "rewrites/seg/expand_stms.h"

namespace heddle::seg {

namespace {

bool is_all_of(const DimIndex& d, const Dim& size) {
  const auto* part = std::get_if<DimSlice>(&d);
  return part && part->start == i64(0) && part->stride == i64(1) && part->count == size.size();
}

// The statements of a kernel's body: where each name is bound, and how often it is used.
class BodyNames {
 public:
  explicit BodyNames(const KernelBody& body) {
    for (const StmPtr& s : body.stms) {
      for (const PatElem& p : s->pat) bound_.emplace(p.name, s.get());
    }
    walk(*this, body);
  }
  void use(const Name& n) { ++uses_[n]; }
  void bind(const Name&) {}

  // The operation of a name that is used once.
  template <class Op>
  const Op* used_once(const SubExp& x) const {
    const Stm* s = stm(x);
    return s && s->pat.size() == 1 && uses(x.name()) == 1 ? std::get_if<Op>(&s->exp) : nullptr;
  }
  const Stm* stm(const SubExp& x) const {
    auto it = x.is_var() ? bound_.find(x.name()) : bound_.end();
    return it == bound_.end() ? nullptr : it->second;
  }
  int uses(const Name& n) const {
    auto it = uses_.find(n);
    return it == uses_.end() ? 0 : it->second;
  }

 private:
  std::unordered_map<Name, const Stm*> bound_;
  std::unordered_map<Name, int> uses_;
};

// What a point returns: its row of an array, or a copy of that, in which something was updated.
struct UpdatedRow {
  Name array;
  std::vector<const Update*> updates;  // first to last
  std::vector<const Stm*> stms;        // all that make it
};

// Whether the slice takes the whole row of the point out of an array of as many rows as there are points.
bool is_row_of_point(const Slice& slice, const Type& array, const SegSpace& space) {
  const size_t rank = space.dims.size();
  if (array.dims.size() <= rank || slice.size() != array.dims.size()) return false;
  for (size_t d = 0; d < slice.size(); ++d) {
    if (d >= rank) {
      if (!is_all_of(slice[d], array.dims[d])) return false;
      continue;
    }
    const auto* at = std::get_if<DimFix>(&slice[d]);
    if (!at || at->index != SubExp(space.dims[d].index) || array.dims[d].size() != space.dims[d].size) return false;
  }
  return true;
}

std::optional<UpdatedRow> updated_row(const SegOp& op, const KernelResult& result, const Name& array, const Type& type,
                                      const BodyNames& names) {
  const auto* returns = std::get_if<Returns>(&result);
  if (!returns) return std::nullopt;
  UpdatedRow row{array, {}, {}};
  SubExp value = returns->value;
  while (const auto* update = names.used_once<Update>(value)) {
    row.updates.push_back(update);
    row.stms.push_back(names.stm(value));
    value = update->array;
  }
  std::ranges::reverse(row.updates);
  if (row.updates.empty()) return std::nullopt;
  if (const auto* copy = names.used_once<Replicate>(value); copy && copy->shape.empty()) {
    row.stms.push_back(names.stm(value));
    value = copy->value;
  }
  const auto* read = names.used_once<Index>(value);
  if (!read || read->array != array || names.uses(array) != 1 || !is_row_of_point(read->slice, type, op.space))
    return std::nullopt;
  row.stms.push_back(names.stm(value));
  return row;
}

// The operation with that row's updates in place of its k-th result.
SegOp in_place(const SegOp& op, size_t k, const UpdatedRow& row, const Type& type) {
  WriteReturns writes{std::get<Returns>(op.body->results[k]).certs, row.array, {}};
  for (const Stm* s : row.stms) writes.certs.insert(writes.certs.end(), s->certs.begin(), s->certs.end());
  for (const Update* u : row.updates) {
    Slice slice;
    for (const SegDim& d : op.space.dims) slice.emplace_back(DimFix{d.index});
    slice.insert(slice.end(), u->slice.begin(), u->slice.end());
    writes.writes.push_back({std::move(slice), u->value});
  }
  KernelBody body = *op.body;
  std::erase_if(body.stms, [&](const StmPtr& s) { return std::ranges::find(row.stms, s.get()) != row.stms.end(); });
  body.results[k] = std::move(writes);
  SegOp result = op;
  result.types[k] = type;
  result.types[k].unique = false;
  result.body = std::make_shared<const KernelBody>(std::move(body));
  return result;
}

// The arrays that a loop hands on and of which its body's host code has no other names: those it may overwrite where nothing follows that
// reads them.
class Host : public HostCodeAlone {
 public:
  using HostCodeAlone::body;

  BodyPtr body(const BodyPtr& b) {
    Body out{{}, b->result};
    NameSet after;
    for (const SubExpRes& r : b->result) {
      if (r.value.is_var()) after.insert(r.value.name());
    }
    for (size_t k = b->stms.size(); k-- > 0;) {
      out.stms.push_back(std::make_shared<const Stm>(stm(*b->stms[k], after)));
      after.merge(free_names(*b->stms[k]));
    }
    std::ranges::reverse(out.stms);
    return std::make_shared<const Body>(std::move(out));
  }

 private:
  Stm stm(const Stm& s, const NameSet& after) {
    const std::unordered_map<Name, Type> before = own_;
    std::erase_if(own_, [&](const auto& array) { return after.contains(array.first); });
    Stm result = s;
    if (const auto* op = std::get_if<SegOp>(&s.exp)) {
      result.exp = updated(*op);
    } else if (const auto* loop = std::get_if<Loop>(&s.exp)) {
      // What an inner loop's step overwrites the next one reads.
      own_.clear();
      for (const Param& p : loop->params) {
        if (p.type.unique && p.type.is_array() && has_no_other_names(*loop->body, p.name)) own_.emplace(p.name, p.type);
      }
      result = rebuild(*this, s);
    } else if (std::holds_alternative<Match>(s.exp)) {
      result = rebuild(*this, s);
    }
    own_ = before;
    return result;
  }

  SegOp updated(const SegOp& op) const {
    SegOp result = op;
    if (op.kind != SegKind::Map || op.level.kind == LevelKind::InBlock) return result;
    for (const auto& [array, type] : own_) {
      const BodyNames names(*result.body);
      for (size_t k = 0; k < result.types.size(); ++k) {
        const auto row = updated_row(result, result.body->results[k], array, type, names);
        if (!row) continue;
        result = in_place(result, k, *row, type);
        break;
      }
    }
    return result;
  }

  // Whether only parallel operations use it, whose results are arrays of their own: what else does may be another name of it.
  static bool has_no_other_names(const Body& body, const Name& array) {
    struct Uses {
      const Name& array;
      bool found = false;
      void use(const Name& n) { found |= n == array; }
      void bind(const Name&) {}
      static bool enter(const KernelBodyPtr&) { return false; }
    } uses{array};
    walk(uses, body);
    return !uses.found;
  }

  std::unordered_map<Name, Type> own_;
};

}  // namespace

Result<Program> update_in_place(const Program& program) {
  Program out = program;
  for (FunDef& f : out.functions) f.body = Host().body(f.body);
  return out;
}

}  // namespace heddle::seg
