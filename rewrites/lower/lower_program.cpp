#include "rewrites/lower/lower_program.h"

#include "ir/seg/traverse.h"
#include "rewrites/lower/direct.h"

namespace heddle::lower {

namespace {

class ProgramLowerer {
 public:
  ProgramLowerer(const seg::Program& program, seg::NameSource& names) : layouts_(find_layouts(program)), names_(names) {
    host_.layouts = &layouts_;
    lowered_.program.types = program.types;
  }

  LoweredProgram run(const seg::Program& program) {
    function_ = "constants";
    lowered_.program.constants = stms(program.constants);
    for (const seg::FunDef& f : program.functions) {
      function_ = f.name;
      for (const seg::Param& p : f.params) host_.types.insert_or_assign(p.name, p.type);
      seg::FunDef out = f;
      out.body = body(f.body);
      lowered_.program.functions.push_back(std::move(out));
    }
    return std::move(lowered_);
  }

  // What rebuild() asks of us: host names stay, host bodies are lowered, kernel bodies are left alone.
  seg::BodyPtr body(const seg::BodyPtr& b) {
    return std::make_shared<const seg::Body>(seg::Body{stms(b->stms), b->result});
  }
  seg::KernelBodyPtr body(const seg::KernelBodyPtr& b) { return b; }
  seg::SubExp use(const seg::SubExp& x) { return x; }
  seg::Name use_name(const seg::Name& n) { return n; }
  seg::Name bind(const seg::Name& n) { return n; }

 private:
  seg::Stms stms(const seg::Stms& in) {
    seg::Stms out;
    for (const seg::StmPtr& s : in) {
      stm(*s, out);
      for (const seg::PatElem& p : s->pat) host_.types.insert_or_assign(p.name, p.type);
    }
    return out;
  }

  void keep(seg::Stm s, seg::Stms& out) { out.push_back(std::make_shared<const seg::Stm>(std::move(s))); }

  void stm(const seg::Stm& s, seg::Stms& out) {
    if (std::holds_alternative<seg::SegOp>(s.exp) || std::holds_alternative<seg::GpuBody>(s.exp)) {
      seg_op(s, out);
    } else if (const auto* match = std::get_if<seg::Match>(&s.exp); match && match->sort == seg::MatchSort::Equiv) {
      versions(s, *match, out);
    } else {
      if (const auto* loop = std::get_if<seg::Loop>(&s.exp)) enter(*loop);
      if (const auto* with = std::get_if<seg::WithAcc>(&s.exp)) enter(*with);
      if (const auto* acc = std::get_if<seg::UpdateAcc>(&s.exp)) alias(s.pat[0].name, acc->acc);
      keep(seg::rebuild(*this, s), out);
    }
    alias_results(s);
  }

  void enter(const seg::Loop& loop) {
    for (size_t k = 0; k < loop.params.size(); ++k) {
      const seg::Param& p = loop.params[k];
      host_.types.insert_or_assign(p.name, p.type);
      if (p.type.is_acc()) alias(p.name, loop.inits[k].name());
    }
    if (const auto* f = std::get_if<seg::ForLoop>(&loop.form)) {
      host_.types.insert_or_assign(f->index, seg::Type::scalar(f->index_type));
    }
  }

  void enter(const seg::WithAcc& with) {
    size_t num_inputs = with.inputs.size();
    for (size_t k = 0; k < num_inputs; ++k) {
      HostAcc acc{with.inputs[k].arrays, {}, with.inputs[k].shape, with.inputs[k].op};
      for (const seg::Name& a : acc.arrays) acc.types.push_back(host_.types.at(a));
      host_.types.insert_or_assign(with.lambda.params[k].name, with.lambda.params[k].type);
      host_.accs.insert_or_assign(with.lambda.params[num_inputs + k].name, std::move(acc));
    }
  }

  // Accumulators have many names for the same thing.
  void alias(const seg::Name& name, const seg::Name& acc) {
    auto it = host_.accs.find(acc);
    if (it == host_.accs.end()) return;
    HostAcc copy = it->second;
    host_.accs.insert_or_assign(name, std::move(copy));
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
  seg::Name acc_of(const seg::SegOp& op, const seg::Name& result) {
    if (host_.accs.contains(result)) return result;
    struct Find {
      const HostScope& host;
      std::vector<seg::Name> found;
      void use(const seg::Name& n) {
        if (host.accs.contains(n)) found.push_back(n);
      }
      void bind(const seg::Name&) {}
    };
    // Follow the result back through the updates that made it.
    seg::Name at = result;
    for (bool moved = true; moved && !host_.accs.contains(at);) {
      moved = false;
      for (const seg::StmPtr& s : op.body->stms) {
        for (const seg::PatElem& p : s->pat) {
          if (p.name != at) continue;
          Find find{host_, {}};
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
    std::string kind = std::holds_alternative<seg::GpuBody>(s.exp) ? "gpu" : "segmap";
    std::string name =
        c_identifier(function_) + "_" + kind + "_" + std::to_string(s.pat.empty() ? 0 : s.pat[0].name.tag);
    Lowered lowered = lower_direct(s, name, host_, names_, lowered_.failures);
    keep(s, out);
    lowered_.kernels.insert_or_assign(out.back().get(), std::move(lowered));
  }

  static std::string c_identifier(const std::string& text) {
    std::string out;
    for (char c : text) {
      bool ok = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      out += ok ? c : '_';
    }
    return out;
  }

  // Tries each branch; what is refused is dropped as long as one branch remains.
  void versions(const seg::Stm& s, const seg::Match& match, seg::Stms& out) {
    auto attempt = [&](const seg::BodyPtr& b) -> Result<seg::BodyPtr> {
      size_t failures = lowered_.failures.all().size();
      try {
        return body(b);
      } catch (const Refused& r) {
        lowered_.failures.truncate(failures);
        lowered_.dropped.push_back({function_, s.position.line, r.error.message});
        return r.error;
      }
    };
    Result<seg::BodyPtr> otherwise = attempt(match.otherwise);
    std::vector<seg::Case> cases;
    for (const seg::Case& c : match.cases) {
      Result<seg::BodyPtr> b = attempt(c.body);
      if (b) cases.push_back({c.pattern, *b});
    }
    if (!otherwise && cases.empty()) throw Refused{otherwise.error()};
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
  seg::NameSource& names_;
  HostScope host_;
  LoweredProgram lowered_;
  std::string function_;
};

}  // namespace

Result<LoweredProgram> lower_program(const seg::Program& program) try {
  seg::NameSource names(program.next_tag());
  return ProgramLowerer(program, names).run(program);
} catch (const Refused& r) {
  return r.error;
}

}  // namespace heddle::lower
