#include "rewrites/graph/graph.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "ir/seg/traverse.h"

namespace heddle::graph {

namespace {

NodeKind kind_of(const seg::Exp& e) {
  if (std::holds_alternative<seg::SegOp>(e) || std::holds_alternative<seg::GpuBody>(e)) return NodeKind::Operation;
  if (std::holds_alternative<seg::Loop>(e)) return NodeKind::Loop;
  const auto* match = std::get_if<seg::Match>(&e);
  if (!match) return NodeKind::Move;
  return match->sort == seg::MatchSort::Equiv ? NodeKind::Versions : NodeKind::Branch;
}

bool has_memory(const seg::Type& t) { return t.is_array() || t.is_acc(); }

}  // namespace

std::vector<Name> overwritten_by(const seg::Exp& e) {
  std::vector<Name> found;
  auto all = [&](const std::vector<Name>& names) { found.insert(found.end(), names.begin(), names.end()); };
  if (const auto* update = std::get_if<seg::Update>(&e)) found.push_back(update->array);
  if (const auto* update = std::get_if<seg::FlatUpdate>(&e)) found.push_back(update->array);
  if (const auto* update = std::get_if<seg::UpdateAcc>(&e)) found.push_back(update->acc);
  if (const auto* with = std::get_if<seg::WithAcc>(&e)) {
    for (const seg::WithAccInput& input : with->inputs) all(input.arrays);
  }
  if (const auto* loop = std::get_if<seg::Loop>(&e)) {
    for (size_t k = 0; k < loop->params.size(); ++k) {
      const seg::Type& type = loop->params[k].type;
      if (type.is_array() && type.unique && loop->inits[k].is_var()) found.push_back(loop->inits[k].name());
    }
  }
  if (const auto* call = std::get_if<seg::Apply>(&e)) {
    for (const seg::Arg& a : call->args) {
      if (a.consumed && a.value.is_var()) found.push_back(a.value.name());
    }
  }
  if (const auto* op = std::get_if<seg::SegOp>(&e)) {
    for (const seg::HistOp& h : op->hists) all(h.dests);
    for (const seg::KernelResult& r : op->body->results) {
      if (const auto* writes = std::get_if<seg::WriteReturns>(&r)) found.push_back(writes->array);
    }
  }
  return found;
}

class Graph::Builder {
 public:
  explicit Builder(Graph& graph) : g_(graph) {}

  void run(const seg::Stms& constants, const seg::FunDef& function) {
    size_t input = add({NodeKind::Input});
    for (const seg::StmPtr& s : constants) {
      for (const seg::PatElem& p : s->pat) makes(input, p.name, p.type);
    }
    for (const seg::Param& p : function.params) makes(input, p.name, p.type);
    stms(function.body->stms);
    size_t output = add({NodeKind::Output});
    for (const seg::SubExpRes& r : function.body->result) reads(output, r.value);
    for (const Name& n : changed_) g_.overwritten_.insert(g_.memory(n));
  }

 private:
  size_t add(Node node) {
    node.within = within_;
    node.part = part_;
    return boost::add_vertex(node, g_.arrays_);
  }

  void makes(size_t node, const Name& name, const seg::Type& type) {
    if (!has_memory(type)) return;
    g_.known_.insert(name);
    maker_.insert_or_assign(name, node);
  }

  void reads(size_t node, const Name& name, bool overwrites = false) {
    auto it = maker_.find(name);
    if (it == maker_.end()) return;
    auto [edge, exists] = boost::edge(it->second, node, g_.arrays_);
    if (exists && g_.arrays_[edge].array == name) {
      g_.arrays_[edge].overwrites |= overwrites;
    } else {
      boost::add_edge(it->second, node, Edge{name, overwrites}, g_.arrays_);
    }
  }
  void reads(size_t node, const seg::SubExp& x) {
    if (x.is_var()) reads(node, x.name());
  }

  void same(const Name& a, const Name& b) {
    Name x = g_.memory(a), y = g_.memory(b);
    if (x != y) g_.same_.insert_or_assign(x, y);
  }
  void same(const Name& a, const seg::SubExp& b) {
    if (b.is_var()) same(a, b.name());
  }

  void inside(size_t node, size_t part, const std::function<void()>& f) {
    auto outer = std::exchange(within_, node);
    size_t outer_part = std::exchange(part_, part);
    f();
    within_ = outer;
    part_ = outer_part;
  }

  void stms(const seg::Stms& all) {
    for (const seg::StmPtr& s : all) stm(*s);
  }

  void stm(const seg::Stm& s) {
    bool moves = kind_of(s.exp) != NodeKind::Move ||
                 std::any_of(s.pat.begin(), s.pat.end(), [](const auto& p) { return has_memory(p.type); });
    if (!moves) return;
    size_t node = add({kind_of(s.exp), &s});
    bool on_device = kind_of(s.exp) == NodeKind::Operation;
    struct Uses {
      Builder& builder;
      size_t node;
      bool on_device;
      void use(const Name& n) { builder.reads(node, n); }
      void bind(const Name&) {}
      bool enter(const seg::BodyPtr&) const { return on_device; }
      bool enter(const seg::KernelBodyPtr&) const { return on_device; }
    } uses{*this, node, on_device};
    seg::walk(uses, s.exp);
    for (const Name& n : overwritten_by(s.exp)) {
      changed_.push_back(n);
      reads(node, n, true);
    }
    if (!on_device) bodies(s, node);
    aliases(s);
    for (const seg::PatElem& p : s.pat) makes(node, p.name, p.type);
  }

  void bodies(const seg::Stm& s, size_t node) {
    if (const auto* loop = std::get_if<seg::Loop>(&s.exp)) {
      inside(node, 0, [&] {
        for (const seg::Param& p : loop->params) makes(node, p.name, p.type);
        stms(loop->body->stms);
      });
    }
    if (const auto* match = std::get_if<seg::Match>(&s.exp)) {
      for (size_t k = 0; k < match->cases.size(); ++k) inside(node, k, [&] { stms(match->cases[k].body->stms); });
      inside(node, match->cases.size(), [&] { stms(match->otherwise->stms); });
    }
    if (const auto* with = std::get_if<seg::WithAcc>(&s.exp)) {
      inside(node, 0, [&] {
        for (const seg::Param& p : with->lambda.params) makes(node, p.name, p.type);
        stms(with->lambda.body->stms);
      });
    }
  }

  void aliases(const seg::Stm& s) {
    auto one = [&](const auto& source) { same(s.pat[0].name, source); };
    auto results = [&](const seg::Body& b, size_t first = 0) {
      for (size_t k = 0; k + first < s.pat.size() && k < b.result.size(); ++k) {
        if (has_memory(s.pat[first + k].type)) same(s.pat[first + k].name, b.result[k].value);
      }
    };
    const seg::Exp& e = s.exp;
    if (const auto* x = std::get_if<seg::Atom>(&e)) one(x->value);
    if (const auto* x = std::get_if<seg::Opaque>(&e)) one(x->value);
    if (const auto* x = std::get_if<seg::Index>(&e)) one(x->array);
    if (const auto* x = std::get_if<seg::FlatIndex>(&e)) one(x->array);
    if (const auto* x = std::get_if<seg::Reshape>(&e)) one(x->array);
    if (const auto* x = std::get_if<seg::Rearrange>(&e)) one(x->array);
    if (const auto* x = std::get_if<seg::Manifest>(&e)) one(x->array);
    if (const auto* x = std::get_if<seg::Update>(&e)) one(x->array);
    if (const auto* x = std::get_if<seg::FlatUpdate>(&e)) one(x->array);
    if (const auto* x = std::get_if<seg::UpdateAcc>(&e)) one(x->acc);
    if (const auto* match = std::get_if<seg::Match>(&e)) {
      for (const seg::Case& c : match->cases) results(*c.body);
      results(*match->otherwise);
    }
    if (const auto* loop = std::get_if<seg::Loop>(&e)) {
      results(*loop->body);
      for (size_t k = 0; k < loop->params.size(); ++k) {
        if (!has_memory(loop->params[k].type)) continue;
        same(loop->params[k].name, loop->inits[k]);
        same(loop->params[k].name, s.pat[k].name);
      }
    }
    if (const auto* with = std::get_if<seg::WithAcc>(&e)) {
      size_t next = 0;
      for (const seg::WithAccInput& input : with->inputs) {
        for (const Name& a : input.arrays) same(s.pat[next++].name, a);
      }
      seg::Body rest{{}, {}};
      const auto& all = with->lambda.body->result;
      rest.result.assign(all.begin() + static_cast<std::ptrdiff_t>(with->inputs.size()), all.end());
      results(rest, next);
    }
    if (const auto* op = std::get_if<seg::SegOp>(&e)) {
      size_t next = 0;
      for (const seg::HistOp& h : op->hists) {
        for (const Name& d : h.dests) same(s.pat[next++].name, d);
      }
      for (size_t k = 0; op->hists.empty() && k < op->body->results.size(); ++k) {
        if (const auto* writes = std::get_if<seg::WriteReturns>(&op->body->results[k]))
          same(s.pat[k].name, writes->array);
      }
    }
    if (const auto* call = std::get_if<seg::Apply>(&e)) {
      for (const seg::Arg& a : call->args) {
        for (const seg::PatElem& p : s.pat) {
          if (has_memory(p.type)) same(p.name, a.value);
        }
      }
    }
  }

  Graph& g_;
  std::unordered_map<Name, size_t> maker_;
  std::vector<Name> changed_;
  std::optional<size_t> within_;
  size_t part_ = 0;
};

Graph::Graph(const seg::Stms& constants, const seg::FunDef& function) { Builder(*this).run(constants, function); }

Name Graph::memory(const Name& array) const {
  Name at = array;
  for (auto it = same_.find(at); it != same_.end(); it = same_.find(at)) at = it->second;
  for (Name n = array; n != at;) n = std::exchange(same_.at(n), at);
  return at;
}

}  // namespace heddle::graph
