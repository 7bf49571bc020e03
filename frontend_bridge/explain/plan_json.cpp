#include "frontend_bridge/explain/plan_json.h"

#include <fmt/format.h>

#include <unordered_map>
#include <vector>

#include "codegen/c_expr.h"
#include "codegen/cuda/kernel_text.h"
#include "codegen/cuda/kernel_traits.h"
#include "frontend_bridge/explain/json_writer.h"
#include "frontend_bridge/kernel_listing.h"
#include "ir/nest/printer.h"
#include "ir/nest/traverse.h"
#include "rewrites/plan/host_ops.h"

namespace heddle {

namespace {

using nest::Expr;

std::string text(const Expr& e) { return nest::to_text(e); }

class Writer {
 public:
  explicit Writer(const lower::PlannedProgram& program) : program_(program) {
    for (const ListedKernel& k : list_kernels(program)) numbers_.emplace(k.kernel, numbers_.size());
  }

  std::string program() {
    out_.object([&] {
      out_.at("functions").list(functions(), [&](const std::vector<lower::HostOp>& ops) {
        out_.object([&] {
          out_.at("name").value(ops.front().entry);
          out_.at("operations").list(ops, [&](const lower::HostOp& op) { operation(op); });
        });
      });
      out_.at("dropped").list(program_.dropped, [&](const lower::DroppedVersion& d) {
        out_.object([&] {
          out_.at("function").value(d.function);
          out_.at("line").value(d.line);
          out_.at("reason").value(d.reason);
        });
      });
    });
    return out_.take();
  }

 private:
  // The operations of each that has some.
  std::vector<std::vector<lower::HostOp>> functions() const {
    std::vector<std::vector<lower::HostOp>> all;
    for (lower::HostOp& op : lower::host_ops(program_)) {
      if (all.empty() || all.back().front().entry != op.entry) all.emplace_back();
      all.back().push_back(std::move(op));
    }
    return all;
  }

  void operation(const lower::HostOp& op) {
    const lower::Plan& plan = *op.lowered;
    out_.object([&] {
      out_.at("op").value(lower::describe(*op.stm));
      out_.at("recipe").value(plan.recipe);
      size_t number = 0;
      out_.at("results").list(plan.results,
                              [&](const lower::ResultPlace& r) { result(op.stm->pat[number++].name, r); });
      temporaries(plan.temporaries);
      out_.at("launches").list(plan.launches, [&](const lower::Launch& l) { launch(l); });
      out_.at("ways").list(plan.specialized, [&](const lower::Specialized& w) { way(w); });
    });
  }

  void result(const Name& name, const lower::ResultPlace& place) {
    out_.object([&] {
      out_.at("name").value(name.text());
      if (const auto* fresh = std::get_if<lower::FreshResult>(&place)) {
        out_.at("elem").value(prim::name(fresh->elem));
        exprs("shape", fresh->shape);
        out_.at("order").list(fresh->perm, [&](int dim) { out_.value(dim); });
      } else {
        out_.at("updates").value(std::get<lower::UpdatedResult>(place).array.text());
      }
    });
  }

  void temporaries(const std::vector<lower::Temporary>& all) {
    out_.at("temporaries").list(all, [&](const lower::Temporary& t) {
      out_.object([&] {
        out_.at("elem").value(prim::name(t.elem));
        out_.at("elems").value(text(t.num_elems));
      });
    });
  }

  void way(const lower::Specialized& w) {
    std::vector<const lower::Launch*> launches;
    for (const lower::Launch& l : w.first) launches.push_back(&l);
    launches.push_back(&w.launch);
    for (const lower::Launch& l : w.after) launches.push_back(&l);
    out_.object([&] {
      out_.at("name").value(w.name);
      out_.at("guard").value(w.guard ? text(w.guard) : "");
      out_.at("constants").list(contraction::constants_of(w.tiling), [&](const Name& n) { out_.value(n.text()); });
      out_.at("fixed").list(w.fixed, [&](const auto& constant) {
        out_.object([&] {
          out_.at("name").value(constant.first.text());
          out_.at("value").value(text(constant.second));
        });
      });
      temporaries(w.temporaries);
      out_.at("copies_before").value(w.before.size());
      out_.at("launches").list(launches, [&](const lower::Launch* l) { launch(*l); });
    });
  }

  void launch(const lower::Launch& l) {
    const nest::Kernel& k = l.kernel;
    nest::Substitution values;
    for (size_t i = 0; i < k.scalars.size(); ++i) {
      if (const Expr* e = std::get_if<Expr>(&l.scalar_args[i])) values.emplace(k.scalars[i].name, *e);
    }
    auto known = [&](const Expr& e) { return nest::substitute(values, e); };
    out_.object([&] {
      out_.at("kernel").object([&] {
        out_.at("number").value(numbers_.at(&k));
        out_.at("name").value(k.name);
      });
      out_.at("blocks").value(text(known(l.num_blocks)));
      out_.at("threads_per_block").value(text(known(l.block_size)));
      out_.at("shared_bytes").value(text(known(codegen::shared_bytes(k))));
      scalars(l);
      buffers(l);
      std::vector<Expr> divisors = codegen::divisors(k), long_divisors = codegen::long_divisors(k);
      for (Expr& d : divisors) d = known(d);
      for (Expr& d : long_divisors) d = known(d);
      exprs("divisors", divisors);
      exprs("long_divisors", long_divisors);
      out_.at("checks").list(l.checks, [&](const lower::HostCheck& c) { out_.value(text(c.holds)); });
    });
  }

  static std::string value_of(const lower::ScalarArg& arg) {
    if (const auto* of = std::get_if<lower::StrideOf>(&arg))
      return fmt::format("stride {} {}", of->array.text(), of->dim);
    if (const auto* of = std::get_if<lower::AddressOf>(&arg)) return fmt::format("address {}", of->array.text());
    return text(std::get<Expr>(arg));
  }

  // What has no text is no parameter of the kernel.
  void scalars(const lower::Launch& l) {
    size_t number = 0;
    out_.at("scalars").list(l.kernel.scalars, [&](const nest::ScalarParam& p) {
      const lower::ScalarArg& arg = l.scalar_args[number++];
      if (!codegen::has_text(p.type)) return;
      out_.object([&] {
        out_.at("name").value(p.name.text());
        out_.at("type").value(nest::is_address_scalar(l.kernel, p.name) ? "i32" : prim::name(p.type));
        out_.at("value").value(value_of(arg));
      });
    });
  }

  void buffers(const lower::Launch& l) {
    size_t number = 0;
    out_.at("buffers").list(l.kernel.buffers, [&](const nest::Buffer& b) {
      const lower::BufferArg& arg = l.buffer_args[number++];
      if (!codegen::has_text(b.elem)) return;
      out_.object([&] {
        out_.at("name").value(b.name.text());
        out_.at("elem").value(prim::name(b.elem));
        std::visit([&](const auto& a) { argument(a); }, arg);
      });
    });
  }

  void argument(const lower::HostArray& a) { out_.at("array").value(a.name.text()); }
  void argument(const lower::ResultArray& a) { out_.at("result").value(a.index); }
  void argument(const lower::ScratchArray& a) { out_.at("scratch").value(text(a.num_elems)); }
  void argument(const lower::TemporaryArray& a) { out_.at("temporary").value(a.index); }
  void argument(const lower::Mailbox& m) { out_.at("mailbox").value(m.words); }

  void exprs(std::string_view key, const std::vector<Expr>& all) {
    out_.at(key).list(all, [&](const Expr& e) { out_.value(text(e)); });
  }

  const lower::PlannedProgram& program_;
  std::unordered_map<const nest::Kernel*, size_t> numbers_;
  JsonWriter out_;
};

}  // namespace

std::string plan_json(const lower::PlannedProgram& program) { return Writer(program).program(); }

}  // namespace heddle
