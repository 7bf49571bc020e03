#include "codegen/host/lifetimes.h"

#include <algorithm>

#include "ir/nest/traverse.h"

namespace heddle::codegen::host {

namespace {

void add_names(const nest::Expr& expr, seg::NameSet& names) { names.merge(nest::free_names(expr)); }

void add_names(const std::vector<lower::BufferArg>& buffers, const std::vector<lower::ScalarArg>& scalars,
               seg::NameSet& names) {
  for (const lower::ScalarArg& arg : scalars) {
    if (const auto* stride = std::get_if<lower::StrideOf>(&arg)) names.insert(stride->array);
    if (const auto* expr = std::get_if<nest::Expr>(&arg)) add_names(*expr, names);
  }
  for (const lower::BufferArg& arg : buffers) {
    if (const auto* array = std::get_if<lower::HostArray>(&arg)) names.insert(array->name);
    if (const auto* scratch = std::get_if<lower::ScratchArray>(&arg)) add_names(scratch->num_elems, names);
  }
}

void add_names(const lower::Lowered& lowered, seg::NameSet& names) {
  for (const lower::ResultPlace& place : lowered.results) {
    if (const auto* updated = std::get_if<lower::UpdatedResult>(&place)) names.insert(updated->array);
    if (const auto* fresh = std::get_if<lower::FreshResult>(&place)) {
      for (const nest::Expr& e : fresh->shape) add_names(e, names);
    }
  }
  lower::for_each_arguments(lowered,
                            [&](const auto& buffers, const auto& scalars) { add_names(buffers, scalars, names); });
  for (const lower::Temporary& t : lowered.temporaries) add_names(t.num_elems, names);
  for (const lower::Specialized& way : lowered.specialized) {
    if (way.guard) add_names(way.guard, names);
    for (const lower::Temporary& t : way.temporaries) add_names(t.num_elems, names);
    for (const auto& [name, value] : way.fixed) add_names(value, names);
    if (way.parts) {
      for (const nest::Expr& e : {way.parts->points, way.parts->extent, way.parts->depth}) add_names(e, names);
    }
    if (way.packing) {
      for (const nest::Expr& e : {way.packing->steps, way.packing->bytes}) add_names(e, names);
    }
  }
}

// The names in host code: what kernels need, their launches say.
template <class T>
seg::NameSet host_names(const T& node) {
  struct Collect {
    seg::NameSet used, bound;
    void use(const Name& n) { used.insert(n); }
    void bind(const Name& n) { bound.insert(n); }
    static bool enter(const seg::KernelBodyPtr&) { return false; }
    static bool enter(const seg::BodyPtr&) { return true; }
  } c;
  seg::walk(c, node);
  std::erase_if(c.used, [&](const Name& n) { return c.bound.contains(n); });
  return std::move(c.used);
}

void add_launch_names(const lower::LoweredProgram& program, const seg::Stm& stm, seg::NameSet& names);

void add_launch_names(const lower::LoweredProgram& program, const seg::Body& body, seg::NameSet& names) {
  for (const seg::StmPtr& s : body.stms) add_launch_names(program, *s, names);
}

void add_launch_names(const lower::LoweredProgram& program, const seg::Stm& stm, seg::NameSet& names) {
  if (auto it = program.kernels.find(&stm); it != program.kernels.end()) add_names(it->second, names);
  if (const auto* match = std::get_if<seg::Match>(&stm.exp)) {
    for (const seg::Case& c : match->cases) add_launch_names(program, *c.body, names);
    add_launch_names(program, *match->otherwise, names);
  } else if (const auto* loop = std::get_if<seg::Loop>(&stm.exp)) {
    add_launch_names(program, *loop->body, names);
  } else if (const auto* with_acc = std::get_if<seg::WithAcc>(&stm.exp)) {
    add_launch_names(program, *with_acc->lambda.body, names);
  }
}

}  // namespace

seg::NameSet uses(const lower::LoweredProgram& program, const seg::Stm& stm) {
  seg::NameSet names = host_names(stm.exp);
  add_launch_names(program, stm, names);
  return names;
}

seg::NameSet uses(const lower::LoweredProgram& program, const seg::Body& body) {
  seg::NameSet names = host_names(body);
  add_launch_names(program, body, names);
  return names;
}

Lifetimes lifetimes(const lower::LoweredProgram& program, const seg::Stms& stms,
                    const std::vector<seg::SubExpRes>& result, const std::vector<Name>& owned) {
  seg::NameSet mine(owned.begin(), owned.end());
  std::unordered_map<Name, size_t> last;
  for (size_t i = 0; i < stms.size(); ++i) {
    for (const Name& n : uses(program, *stms[i])) {
      if (mine.contains(n)) last[n] = i;
    }
    for (const seg::PatElem& p : stms[i]->pat) {
      if (!p.type.is_array()) continue;
      mine.insert(p.name);
      last[p.name] = i;
    }
  }

  Lifetimes ends;
  ends.ends_after.resize(stms.size());
  for (const seg::SubExpRes& r : result) {
    if (!r.value.is_var() || !mine.contains(r.value.name())) continue;
    last.erase(r.value.name());
    if (std::find(ends.in_result.begin(), ends.in_result.end(), r.value.name()) == ends.in_result.end()) {
      ends.in_result.push_back(r.value.name());
    }
  }
  for (const auto& [name, i] : last) ends.ends_after[i].push_back(name);
  for (auto& names : ends.ends_after) std::sort(names.begin(), names.end());
  return ends;
}

bool is_unneeded(const seg::Stm& stm, const std::vector<Name>& ends) {
  bool only_fills = std::holds_alternative<seg::Iota>(stm.exp) || std::holds_alternative<seg::Replicate>(stm.exp);
  return only_fills && stm.pat.size() == 1 && stm.pat[0].type.is_array() &&
         std::find(ends.begin(), ends.end(), stm.pat[0].name) != ends.end();
}

}  // namespace heddle::codegen::host
