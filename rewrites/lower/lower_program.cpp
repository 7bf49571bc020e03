#include "rewrites/lower/lower_program.h"

#include <algorithm>
#include <memory>
#include <unordered_set>
#include <utility>

#include "ir/nest/verify.h"
#include "ir/seg/host_stms.h"
#include "rewrites/contraction/reuse.h"
#include "rewrites/lower/direct.h"
#include "rewrites/lower/gathers.h"
#include "rewrites/lower/histogram.h"
#include "rewrites/lower/reduction.h"
#include "rewrites/lower/scan.h"
#include "rewrites/seg/distribute_sums.h"
#include "rewrites/seg/expand_reductions.h"
#include "rewrites/seg/store_elements.h"

namespace heddle::lower {

namespace {

// From so many uses of each element on, what is saved by tiling pays for results that pass through memory once more:
// H100, sums over windows of 3x3 (where it does not) and complex products (where it is a factor of five).
constexpr int64_t kWorthDistributing = 16;

class ProgramLowerer {
 public:
  ProgramLowerer(NameSource& names, Device device) : names_(names), by_blocks_(device == Device::Blocks) {}

  LoweredProgram run(const seg::Program& program) {
    lowered_.program.types = program.types;
    function_ = "constants";
    layouts_ = find_layouts(program.constants);
    lowered_.program.constants = stms(program.constants);
    for (const seg::FunDef& f : program.functions) {
      enter(program, f);
      for (const seg::Param& p : f.params) host_->types.insert_or_assign(p.name, p.type);
      seg::FunDef out = f;
      host_->facts.scope([&] {
        for (const seg::Param& p : f.params) host_->facts.exists(p.type);
        out.body = body(f.body);
      });
      lowered_.program.functions.push_back(std::move(out));
    }
    forget_dropped();
    return std::move(lowered_);
  }

  // What rebuild() asks of us: host names stay, host bodies are lowered, kernel bodies are left alone.
  seg::BodyPtr body(const seg::BodyPtr& b) {
    return host_->facts.scope([&] {
      seg::Body lowered{stms(b->stms), b->result};
      drop_gathers(lowered);
      return std::make_shared<const seg::Body>(std::move(lowered));
    });
  }
  seg::KernelBodyPtr body(const seg::KernelBodyPtr& b) { return b; }
  seg::WithAccOp with_acc_op(const seg::WithAccOp& op) { return op; }
  seg::SubExp use(const seg::SubExp& x) { return x; }
  Name use_name(const Name& n) { return n; }
  Name bind(const Name& n) { return n; }

 private:
  // Functions may use the same names for different things: only the constants are known to all.
  void enter(const seg::Program& program, const seg::FunDef& f) {
    function_ = f.name;
    overwrites_ = overwrites(f);
    looked_through_.clear();
    layouts_ = find_layouts(program.constants, &f);
    host_ = std::make_unique<HostScope>(layouts_);
    for (const seg::StmPtr& s : lowered_.program.constants) exists(s);
  }

  // Without what only gathered for kernels that do it themselves.
  void drop_gathers(seg::Body& body) {
    if (looked_through_.empty()) return;
    struct Collect {
      const LoweredProgram& lowered;
      seg::NameSet used{};
      void use(const Name& n) { used.insert(n); }
      void bind(const Name&) {}
      bool enter(const seg::BodyPtr& b) {
        stms(b->stms);
        for (const seg::SubExpRes& r : b->result) seg::walk(*this, r.value);
        return false;
      }
      bool enter(const seg::KernelBodyPtr&) { return false; }
      void stms(const seg::Stms& stms) {
        for (const seg::StmPtr& s : stms) {
          seg::walk(*this, s->exp);
          if (auto it = lowered.kernels.find(s.get()); it != lowered.kernels.end())
            for_each_arguments(it->second,
                               [&](const auto& buffers, const auto& scalars) { arguments(buffers, scalars); });
        }
      }
      void arguments(const std::vector<BufferArg>& buffers, const std::vector<ScalarArg>& scalars) {
        for (const BufferArg& a : buffers) {
          if (const auto* host = std::get_if<HostArray>(&a)) used.insert(host->name);
        }
        for (const ScalarArg& a : scalars) {
          if (const auto* stride = std::get_if<StrideOf>(&a)) used.insert(stride->array);
        }
      }
    };
    size_t before;
    do {
      before = body.stms.size();
      Collect live{lowered_};
      live.stms(body.stms);
      for (const seg::SubExpRes& r : body.result) seg::walk(live, r.value);
      std::erase_if(body.stms, [&](const seg::StmPtr& s) {
        bool view = std::holds_alternative<seg::Reshape>(s->exp) || std::holds_alternative<seg::Rearrange>(s->exp);
        return s->pat.size() == 1 && !live.used.contains(s->pat[0].name) &&
               (view || looked_through_.contains(s->pat[0].name));
      });
    } while (body.stms.size() < before);
  }

  // Only what is in the program keeps its kernels.
  void forget_dropped() {
    std::unordered_set<const seg::Stm*> live;
    seg::for_each_host_stm(lowered_.program, [&](const seg::StmPtr& s) { live.insert(s.get()); });
    std::erase_if(lowered_.kernels, [&](const auto& entry) { return !live.contains(entry.first); });
  }

  seg::Stms stms(const seg::Stms& in) {
    seg::Stms out;
    for (const seg::StmPtr& s : in) {
      stm(*s, out);
      exists(s);
    }
    return out;
  }

  void exists(const seg::StmPtr& s) {
    for (const seg::PatElem& p : s->pat) host_->types.insert_or_assign(p.name, p.type);
    host_->facts.stm(s);
  }

  void keep(seg::Stm s, seg::Stms& out) { out.push_back(std::make_shared<const seg::Stm>(std::move(s))); }

  void stm(const seg::Stm& s, seg::Stms& out) {
    if (std::holds_alternative<seg::SegOp>(s.exp) || std::holds_alternative<seg::GpuBody>(s.exp)) {
      seg_op(s, out);
    } else if (const auto* match = std::get_if<seg::Match>(&s.exp); match && match->sort == seg::MatchSort::Equiv) {
      versions(s, *match, out);
    } else if (match) {
      branches(s, *match, out);
    } else if (const auto* loop = std::get_if<seg::Loop>(&s.exp)) {
      host_->facts.scope([&] {
        enter(*loop);
        keep(seg::rebuild(*this, s), out);
      });
    } else {
      if (const auto* with = std::get_if<seg::WithAcc>(&s.exp)) enter(*with);
      if (const auto* acc = std::get_if<seg::UpdateAcc>(&s.exp)) alias(s.pat[0].name, acc->acc);
      keep(seg::rebuild(*this, s), out);
    }
    alias_results(s);
  }

  void branches(const seg::Stm& s, const seg::Match& match, seg::Stms& out) {
    seg::Match lowered = match;
    auto branch = [&](size_t number, const seg::BodyPtr& b) {
      return host_->facts.scope([&] {
        host_->facts.chosen(match, number);
        return body(b);
      });
    };
    for (size_t k = 0; k < match.cases.size(); ++k) lowered.cases[k].body = branch(k, match.cases[k].body);
    lowered.otherwise = branch(match.cases.size(), match.otherwise);
    keep({s.pat, s.attrs, s.certs, std::move(lowered), s.position}, out);
  }

  void enter(const seg::Loop& loop) {
    for (size_t k = 0; k < loop.params.size(); ++k) {
      const seg::Param& p = loop.params[k];
      host_->types.insert_or_assign(p.name, p.type);
      host_->facts.exists(p.type);
      if (p.type.is_acc()) alias(p.name, loop.inits[k].name());
    }
    if (const auto* f = std::get_if<seg::ForLoop>(&loop.form)) {
      host_->types.insert_or_assign(f->index, seg::Type::scalar(f->index_type));
      host_->facts.loop(*f);
    }
  }

  void enter(const seg::WithAcc& with) {
    size_t num_inputs = with.inputs.size();
    for (size_t k = 0; k < num_inputs; ++k) {
      HostAcc acc{with.inputs[k].arrays, {}, with.inputs[k].shape, with.inputs[k].op};
      for (const Name& a : acc.arrays) acc.types.push_back(host_->types.at(a));
      host_->types.insert_or_assign(with.lambda.params[k].name, with.lambda.params[k].type);
      host_->accs.insert_or_assign(with.lambda.params[num_inputs + k].name, std::move(acc));
    }
  }

  // Accumulators have many names for the same thing.
  void alias(const Name& name, const Name& acc) {
    auto it = host_->accs.find(acc);
    if (it == host_->accs.end()) return;
    HostAcc copy = it->second;
    host_->accs.insert_or_assign(name, std::move(copy));
  }

  void alias_results(const seg::Stm& s) {
    for (size_t k = 0; k < s.pat.size(); ++k) {
      if (!s.pat[k].type.is_acc()) continue;
      if (const auto* e = std::get_if<seg::SegOp>(&s.exp)) {
        if (const auto* r = std::get_if<seg::Returns>(&e->body->results[k]))
          alias(s.pat[k].name, acc_of(*e, r->value.name()));
      } else if (const auto* e = std::get_if<seg::Match>(&s.exp)) {
        alias(s.pat[k].name, e->otherwise->result[k].value.name());
      } else if (const auto* e = std::get_if<seg::Loop>(&s.exp)) {
        alias(s.pat[k].name, e->inits[k].name());
      } else if (const auto* e = std::get_if<seg::Atom>(&s.exp)) {
        alias(s.pat[k].name, e->value.name());
      }
    }
  }

  // The host accumulator that a kernel's result is an updated form of: the free accumulator of the same certificate.
  Name acc_of(const seg::SegOp& op, const Name& result) {
    if (host_->accs.contains(result)) return result;
    struct Find {
      const HostScope& host;
      std::vector<Name> found;
      void use(const Name& n) {
        if (host.accs.contains(n)) found.push_back(n);
      }
      void bind(const Name&) {}
    };
    // Follow the result back through the updates that made it.
    Name at = result;
    for (bool moved = true; moved && !host_->accs.contains(at);) {
      moved = false;
      for (const seg::StmPtr& s : op.body->stms) {
        for (const seg::PatElem& p : s->pat) {
          if (p.name != at) continue;
          Find find{*host_, {}};
          seg::walk(find, s->exp);
          if (const auto* u = std::get_if<seg::UpdateAcc>(&s->exp)) {
            at = u->acc;
            moved = true;
          } else if (!find.found.empty()) {
            return find.found[0];
          }
        }
      }
    }
    return at;
  }

  void seg_op(const seg::Stm& s, seg::Stms& out) {
    const auto* op = std::get_if<seg::SegOp>(&s.exp);
    if (op && op->level.kind == seg::LevelKind::Block) {
      if (by_blocks_ && by_team(s, out)) return;
      if (!blocks_allowed_) refuse("a segmented operation at block level");
    }
    if (op && op->level.kind == seg::LevelKind::Thread) {
      if (op->kind == seg::SegKind::Red) return fold(s, "segred", lower_reduction, out);
      if (op->kind == seg::SegKind::Scan) return fold(s, "segscan", lower_scan, out);
      if (op->kind == seg::SegKind::Hist) {
        return keep_kernel(s, lower_histogram(s, kernel_name(s, "seghist"), *host_, names_, lowered_.failures), out);
      }
    }
    size_t failures = lowered_.failures.all().size();
    Lowered lowered = lowered_kernel(s);
    if (lowered.specialized.empty()) {
      if (auto distributed = seg::distribute_sums(s, names_, !overwrites_)) {
        lowered_.failures.truncate(failures);
        if (distributed_sums(*distributed, out)) return;
        lowered_.failures.truncate(failures);
        lowered = lowered_kernel(s);
      }
    }
    keep_kernel(s, std::move(lowered), out);
  }

  // False where threads cannot do such work together yet.
  bool by_team(const seg::Stm& s, seg::Stms& out) {
    size_t failures = lowered_.failures.all().size();
    try {
      keep_kernel(s, lower_by_teams(s, kernel_name(s, "segmap"), *host_, names_, lowered_.failures), out);
      return true;
    } catch (const Refused& r) {
      if (r.error.kind == ErrorKind::Internal) throw;
      lowered_.failures.truncate(failures);
      return false;
    }
  }

  using FoldRecipe = std::optional<Lowered>(const seg::Stm&, const std::string&, const HostScope&, NameSource&,
                                            FailureTable&);

  // A reduction or scan: by blocks, if need be of elements that have been stored before, else by threads.
  void fold(const seg::Stm& s, const std::string& kind, FoldRecipe recipe, seg::Stms& out) {
    auto by_blocks = [&](const seg::Stm& folded) {
      size_t failures = lowered_.failures.all().size();
      auto lowered = recipe(folded, kernel_name(s, kind), *host_, names_, lowered_.failures);
      if (lowered) {
        keep_kernel(folded, std::move(*lowered), out);
      } else {
        lowered_.failures.truncate(failures);
      }
      return lowered.has_value();
    };
    if (by_blocks(s)) return;
    const seg::Stms apart = seg::store_elements(s, names_);
    add_layouts(layouts_, apart);
    stm(*apart[0], out);
    exists(apart[0]);
    if (by_blocks(*apart[1])) return;
    const seg::Stms parts = seg::expand_reduction(*apart[1], names_);
    add_layouts(layouts_, parts);
    for (const seg::StmPtr& part : parts) {
      stm(*part, out);
      exists(part);
    }
  }

  std::string kernel_name(const seg::Stm& s, const std::string& kind) const {
    return c_identifier(function_) + "_" + kind + "_" + std::to_string(s.pat.empty() ? 0 : s.pat[0].name.tag);
  }

  // Of the elements that a tiled contraction reads; 0 if it is none.
  static int64_t least_reuse(const Lowered& lowered) {
    return lowered.specialized.empty() ? 0 : contraction::least_reuse(*lowered.match);
  }

  // False where one of the sums gains little as a contraction: what is computed in one go had better stay together
  // then.
  bool distributed_sums(const seg::DistributedSums& distributed, seg::Stms& out) {
    std::vector<Lowered> lowered;
    try {
      for (const seg::StmPtr& s : distributed.sums) {
        lowered.push_back(lowered_kernel(*s));
        if (least_reuse(lowered.back()) < kWorthDistributing) return false;
        exists(s);
      }
    } catch (const Refused& r) {
      if (r.error.kind == ErrorKind::Internal) throw;
      return false;
    }
    for (size_t k = 0; k < lowered.size(); ++k) keep_kernel(*distributed.sums[k], std::move(lowered[k]), out);
    for (const seg::StmPtr& s : distributed.rest) {
      if (std::holds_alternative<seg::SegOp>(s->exp)) {
        keep_kernel(*s, lowered_kernel(*s), out);
        of_contractions_.insert(out.back().get());
      } else {
        out.push_back(s);
      }
    }
    return true;
  }

  void keep_kernel(const seg::Stm& s, Lowered lowered, seg::Stms& out) {
    const auto* op = std::get_if<seg::SegOp>(&s.exp);
    bool can_fail =
        std::any_of(lowered.launches.begin(), lowered.launches.end(), [](const Launch& l) { return l.can_fail; });
    if (op && !overwrites_ && !can_fail && is_gather(*op)) host_->gathers.insert(s.pat[0].name);
    keep(s, out);
    lowered_.kernels.insert_or_assign(out.back().get(), std::move(lowered));
    launching_.push_back(out.back());
  }

  // If elements that are gathered beforehand make a contraction where they are read, they are not gathered beforehand.
  Lowered lowered_kernel(const seg::Stm& s) {
    std::string name = kernel_name(s, std::holds_alternative<seg::SegOp>(s.exp) ? "segmap" : "gpu");
    if (!overwrites_) {
      size_t failures = lowered_.failures.all().size();
      try {
        Lowered through = lower_direct(s, name, *host_, names_, lowered_.failures, true);
        if (through.looked_through.empty()) return through;
        if (!through.specialized.empty()) {
          looked_through_.insert(through.looked_through.begin(), through.looked_through.end());
          return through;
        }
      } catch (const Refused& r) {
        if (r.error.kind == ErrorKind::Internal) throw;
      }
      lowered_.failures.truncate(failures);
    }
    return lower_direct(s, name, *host_, names_, lowered_.failures);
  }

  static std::string c_identifier(const std::string& text) {
    std::string out;
    for (char c : text) {
      bool ok = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      out += ok ? c : '_';
    }
    return out;
  }

  // Whether all that a body launches is contractions and what is done to their results.
  bool is_contraction(const seg::BodyPtr& b) const {
    int contractions = 0, others = 0;
    seg::for_each_host_stm(b->stms, [&](const seg::StmPtr& s) {
      auto it = lowered_.kernels.find(s.get());
      if (it == lowered_.kernels.end() || of_contractions_.contains(s.get())) return;
      ++(it->second.specialized.empty() ? others : contractions);
    });
    return contractions > 0 && others == 0;
  }

  struct Versions {
    std::vector<seg::Case> cases;
    Result<seg::BodyPtr> otherwise;
  };

  // Those branches that are not refused.
  Versions lowered_versions(const seg::Stm& s, const seg::Match& match, bool blocks_allowed) {
    bool outer = blocks_allowed_;
    auto attempt = [&](const seg::BodyPtr& b) -> Result<seg::BodyPtr> {
      size_t failures = lowered_.failures.all().size();
      blocks_allowed_ = blocks_allowed;
      Result<seg::BodyPtr> lowered = [&]() -> Result<seg::BodyPtr> {
        try {
          return body(b);
        } catch (const Refused& r) {
          if (r.error.kind == ErrorKind::Internal) throw;
          return r.error;
        }
      }();
      blocks_allowed_ = outer;
      if (!lowered) {
        lowered_.failures.truncate(failures);
        lowered_.dropped.push_back({function_, s.position.line, lowered.error().message});
      }
      return lowered;
    };
    Versions v{{}, attempt(match.otherwise)};
    for (const seg::Case& c : match.cases) {
      Result<seg::BodyPtr> b = attempt(c.body);
      if (b) v.cases.push_back({c.pattern, *b});
    }
    return v;
  }

  // What is refused is dropped as long as one branch remains. What is meant for a block is slow in one thread, so that
  // it counts as refused as long as anything else remains.
  void versions(const seg::Stm& s, const seg::Match& match, seg::Stms& out) {
    size_t dropped = lowered_.dropped.size();
    Versions v = lowered_versions(s, match, false);
    auto& [cases, otherwise] = v;
    if (!otherwise && cases.empty() && blocks_allowed_) {
      lowered_.dropped.resize(dropped);
      v = lowered_versions(s, match, true);
    }
    if (!otherwise && cases.empty()) throw Refused{otherwise.error()};
    // A contraction knows better than a threshold what to do with little parallelism, so its other versions are not
    // needed.
    auto contraction =
        std::find_if(cases.begin(), cases.end(), [&](const seg::Case& c) { return is_contraction(c.body); });
    if (contraction != cases.end()) {
      cases = {*contraction};
      otherwise = unsupported("another version is a contraction");
    } else if (otherwise && is_contraction(*otherwise)) {
      cases.clear();
    }
    if (otherwise && !cases.empty()) {
      seg::Match kept = match;
      kept.cases = std::move(cases);
      kept.otherwise = *otherwise;
      return keep({s.pat, s.attrs, s.certs, std::move(kept), s.position}, out);
    }
    // One version is left: its statements take the branch's place.
    const seg::BodyPtr& only = otherwise ? *otherwise : cases[0].body;
    out.insert(out.end(), only->stms.begin(), only->stms.end());
    for (size_t k = 0; k < s.pat.size(); ++k) {
      keep({{s.pat[k]}, {}, s.certs, seg::Atom{only->result[k].value}, s.position}, out);
      if (s.pat[k].type.is_acc()) alias(s.pat[k].name, only->result[k].value.name());
    }
  }

  Layouts layouts_;
  NameSource& names_;
  std::unique_ptr<HostScope> host_ = std::make_unique<HostScope>(layouts_);
  LoweredProgram lowered_;
  // Keeps the keys of lowered_.kernels from becoming the addresses of other statements when versions are dropped.
  std::vector<seg::StmPtr> launching_;
  std::unordered_set<const seg::Stm*> of_contractions_;  // segmaps that finish what sums were taken out of
  std::string function_;
  bool by_blocks_;
  bool blocks_allowed_ = true;
  bool overwrites_ = true;         // the function changes arrays
  seg::NameSet looked_through_{};  // arrays that kernels gather themselves
};

}  // namespace

Result<LoweredProgram> lower_program(const seg::Program& program, Device device) try {
  NameSource names(program.next_tag());
  return ProgramLowerer(names, device).run(program);
} catch (const Refused& r) {
  return r.error;
}

std::vector<std::string> verify_kernels(const LoweredProgram& lowered) {
  std::vector<std::string> problems;
  auto verify = [&](const nest::Kernel& kernel) {
    for (const std::string& p : nest::verify(kernel)) problems.push_back("kernel " + kernel.name + ": " + p);
  };
  for (const auto& [stm, op] : lowered.kernels) {
    for_each_launch(op, [&](const Launch& l) { verify(l.kernel); });
  }
  std::sort(problems.begin(), problems.end());
  return problems;
}

}  // namespace heddle::lower
