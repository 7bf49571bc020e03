#include "rewrites/seg/read_replicated.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "rewrites/seg/builder.h"
#include "rewrites/seg/expand_stms.h"
#include "rewrites/seg/only_read.h"

namespace heddle::seg {

namespace {

// An array that repeats another.
struct Copies {
  Type type;
  Name source;
  Name first;             // what `replicate` made, which this is, or a transposition of
  std::vector<int> dims;  // the source's dimension that each of the array's is; -1: one that counts copies
};

bool is_fixed(const DimIndex& d) { return std::holds_alternative<DimFix>(d); }

bool reads_several(const Copies& copies, const Slice& slice) {
  for (size_t d = 0; d < slice.size(); ++d) {
    if (copies.dims[d] < 0 && !is_fixed(slice[d])) return true;
  }
  return false;
}

class UseCounter {
 public:
  void use(const Name& n) { ++counts_[n]; }
  void bind(const Name&) {}
  size_t of(const Name& n) const {
    const auto found = counts_.find(n);
    return found == counts_.end() ? 0 : found->second;
  }

 private:
  std::unordered_map<Name, size_t> counts_;
};

// The arrays of the host's that repeat others and may be left out.
class FindCopies {
 public:
  explicit FindCopies(const Program& program) : changed_(changed_or_handed_on(program)) {
    stms(program.constants);
    for (const FunDef& f : program.functions) function(f);
    for (const FunDef& f : program.functions) count(f);
    for (const auto& [name, c] : copies_) {
      if (changed_.contains(name) || all_.of(name) != reads_.of(name)) needed_.insert(c.first);
    }
    std::erase_if(copies_, [&](const auto& entry) { return needed_.contains(entry.second.first); });
  }

  std::unordered_map<Name, Copies> found() && { return std::move(copies_); }

 private:
  void function(const FunDef& f) {
    for (const Param& p : f.params) define(p.name, p.type, p.name);
    stms(f.body->stms);
  }

  void define(const Name& name, const Type& type, const std::optional<Name>& root) {
    ranks_.insert_or_assign(name, type.rank());
    if (root) roots_.insert_or_assign(name, *root);
  }

  void stms(const Stms& all) {
    for (const StmPtr& s : all) stm(*s);
  }

  void stm(const Stm& s) {
    for (const PatElem& p : s.pat) define(p.name, p.type, root_of(s, p.name));
    if (const auto* replicate = std::get_if<Replicate>(&s.exp)) return repeated(s, *replicate);
    if (const auto* rearrange = std::get_if<Rearrange>(&s.exp)) return rearranged(s, *rearrange);
    if (const auto* index = std::get_if<Index>(&s.exp)) {
      const auto found = copies_.find(index->array);
      if (found != copies_.end() && reads_several(found->second, index->slice)) needed_.insert(found->second.first);
    } else if (const auto* match = std::get_if<Match>(&s.exp)) {
      for (const Case& c : match->cases) stms(c.body->stms);
      stms(match->otherwise->stms);
    } else if (const auto* loop = std::get_if<Loop>(&s.exp)) {
      stms(loop->body->stms);
    }
  }

  // The array whose memory a result is in, where no other name that is not known may stand for the same.
  std::optional<Name> root_of(const Stm& s, const Name& result) const {
    if (const auto* rearrange = std::get_if<Rearrange>(&s.exp)) return root_of(rearrange->array);
    if (const auto* reshape = std::get_if<Reshape>(&s.exp)) return root_of(reshape->array);
    if (const auto* index = std::get_if<Index>(&s.exp)) return root_of(index->array);
    const bool is_new = std::holds_alternative<SegOp>(s.exp) || std::holds_alternative<Manifest>(s.exp) ||
                        std::holds_alternative<Concat>(s.exp);
    return is_new ? std::optional(result) : std::nullopt;
  }
  std::optional<Name> root_of(const Name& array) const {
    const auto found = roots_.find(array);
    return found == roots_.end() || changed_.contains(array) ? std::nullopt : std::optional(found->second);
  }

  void repeated(const Stm& s, const Replicate& replicate) {
    if (replicate.shape.empty() || !replicate.value.is_var() || !s.certs.empty()) return;
    const Name& source = replicate.value.name();
    const auto rank = ranks_.find(source);
    const std::optional<Name> root = root_of(source);
    if (rank == ranks_.end() || rank->second == 0 || !root || changed_.contains(*root)) return;
    Copies made{s.pat[0].type, source, s.pat[0].name, std::vector<int>(replicate.shape.size(), -1)};
    for (int d = 0; d < rank->second; ++d) made.dims.push_back(d);
    copies_.emplace(s.pat[0].name, std::move(made));
  }

  void rearranged(const Stm& s, const Rearrange& rearrange) {
    const auto of = copies_.find(rearrange.array);
    if (of == copies_.end()) return;
    if (!s.certs.empty()) {
      needed_.insert(of->second.first);
      return;
    }
    Copies made{s.pat[0].type, of->second.source, of->second.first, {}};
    for (const int d : rearrange.perm) made.dims.push_back(of->second.dims[static_cast<size_t>(d)]);
    copies_.emplace(s.pat[0].name, std::move(made));
  }

  // All uses, and those that are understood: reads, what points go through, and transpositions of the host's.
  void count(const FunDef& f) {
    walk(all_, f.body);
    StmExpander expander(
        [&](const Stm& s) {
          if (const auto* index = std::get_if<Index>(&s.exp)) reads_.use(index->array);
          if (const auto* through = std::get_if<Screma>(&s.exp))
            std::ranges::for_each(through->arrays, [&](const Name& n) { reads_.use(n); });
          const auto* rearrange = std::get_if<Rearrange>(&s.exp);
          if (rearrange && copies_.contains(s.pat[0].name)) reads_.use(rearrange->array);
          return just(s);
        },
        true);
    expander.body(f.body);
  }

  NameSet changed_;
  std::unordered_map<Name, int> ranks_;
  std::unordered_map<Name, Name> roots_;
  std::unordered_map<Name, Copies> copies_;
  NameSet needed_;  // of what `replicate` made
  UseCounter all_, reads_;
};

// What is read of a copy, from its source.
Stms read_source(const Stm& s, const Index& index, const Copies& copies, NameSource& names) {
  const size_t rank = copies.dims.size();
  Slice of_source(rank - static_cast<size_t>(std::ranges::count(copies.dims, -1)), DimFix{i64(0)});
  for (size_t d = 0; d < rank; ++d) {
    if (copies.dims[d] >= 0) of_source[static_cast<size_t>(copies.dims[d])] = index.slice[d];
  }
  Shape number, row;          // of copies; of what is read of the source
  std::vector<int> in_order;  // the dimensions of both, as the copies have them
  for (size_t d = 0; d < rank; ++d) {
    const auto* several = std::get_if<DimSlice>(&index.slice[d]);
    if (!several || copies.dims[d] >= 0) continue;
    number.push_back(several->count);
    in_order.push_back(static_cast<int>(d));
  }
  for (size_t k = 0; k < of_source.size(); ++k) {
    const auto* several = std::get_if<DimSlice>(&of_source[k]);
    if (!several) continue;
    row.push_back(several->count);
    in_order.push_back(static_cast<int>(std::ranges::find(copies.dims, static_cast<int>(k)) - copies.dims.begin()));
  }
  const bool turned = !std::ranges::is_sorted(in_order);
  std::vector<int> perm;
  for (size_t d = 0; d < rank; ++d) {
    const auto found = std::ranges::find(in_order, static_cast<int>(d));
    if (found != in_order.end()) perm.push_back(static_cast<int>(found - in_order.begin()));
  }

  Stm last = s;
  last.exp = Index{copies.source, of_source};
  Stms out;
  // What comes next has the statement's name, what was last another.
  auto then = [&](const Shape& dims, auto exp_of) {
    const Name name = names.fresh(s.pat[0].name);
    Stm before = last;
    before.pat = {{name, array_of(Type::scalar(s.pat[0].type.elem), dims)}};
    out.push_back(std::make_shared<const Stm>(std::move(before)));
    last = Stm{s.pat, {}, {}, exp_of(name), s.position};
  };
  if (!number.empty()) then(row, [&](const Name& n) { return Replicate{number, n}; });
  if (turned) {
    Shape dims = number;
    dims.insert(dims.end(), row.begin(), row.end());
    then(dims, [&](const Name& n) { return Rearrange{perm, n}; });
  }
  out.push_back(std::make_shared<const Stm>(std::move(last)));
  return out;
}

using AllCopies = std::unordered_map<Name, Copies>;

// A map or reduction through what a point repeats for itself.
Stms go_through_source(const Stm& s, Screma through, const AllCopies& all, NameSource& names) {
  Stms out;
  for (Name& array : through.arrays) {
    const auto found = all.find(array);
    if (found == all.end()) continue;
    const Copies& copies = found->second;
    const Index whole{array, row_slice({}, copies.type)};
    array = names.fresh(array);
    const Stms read = read_source({{{array, copies.type}}, {}, {}, {}, s.position}, whole, copies, names);
    out.insert(out.end(), read.begin(), read.end());
  }
  Stm last = s;
  last.exp = std::move(through);
  out.push_back(std::make_shared<const Stm>(std::move(last)));
  return out;
}

}  // namespace

Result<Program> read_replicated(const Program& program) {
  const AllCopies copies = FindCopies(program).found();
  if (copies.empty()) return program;
  NameSource names(program.next_tag());
  StmExpander expander(
      [&](const Stm& s) {
        if (!s.pat.empty() && copies.contains(s.pat[0].name)) return Stms{};
        if (const auto* through = std::get_if<Screma>(&s.exp)) return go_through_source(s, *through, copies, names);
        const auto* index = std::get_if<Index>(&s.exp);
        const auto found = index ? copies.find(index->array) : copies.end();
        return found == copies.end() ? just(s) : read_source(s, *index, found->second, names);
      },
      true);
  Program out = program;
  for (FunDef& f : out.functions) f.body = expander.body(f.body);
  return out;
}

}  // namespace heddle::seg
