#include "ir/host/eval.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/host/eval_memory.h"
#include "ir/host/traverse.h"
#include "ir/nest/eval.h"
#include "ir/nest/printer.h"

namespace heddle::host {

namespace {

using seg::Outcome;

constexpr int64_t kMostAlignment = 1 << 8;

template <class... Args>
[[noreturn]] void broken(fmt::format_string<Args...> format, Args&&... args) {
  throw Stop{Outcome::Broken, fmt::format(format, std::forward<Args>(args)...), {}};
}

// As Futhark's C programs print it within a message.
std::string message_text(const prim::Value& v) {
  if (prim::is_int(v.type)) return std::to_string(v.i);
  return prim::is_float(v.type) ? fmt::format("{:f}", v.f) : prim::to_text(v);
}

class Machine {
 public:
  Machine(const Program& program, const seg::EvalOptions& options)
      : program_(program), options_(options), pool_(options.max_cells) {}

  std::vector<seg::TypedValue> run(std::string_view entry, const std::vector<seg::TypedValue>& inputs) {
    auto f = std::ranges::find_if(program_.functions, [&](const Function& x) { return x.entry.name == entry; });
    if (f == program_.functions.end()) throw Stop{Outcome::Input, fmt::format("no entry point {}", entry), {}};
    statements(program_.init);
    std::vector<Cell> constants = yields(program_.init);
    expect_nothing_left("the constants");
    auto borrow = [&](const Binder& b, const Cell& c) {
      bind(b.name, c);
      if (const auto* w = std::get_if<Window>(&c)) borrowed_.push_back(*w);
    };
    for (size_t i = 0; i < constants.size(); ++i) {
      borrow(program_.constants[i], constants[i]);
      if (const auto* w = std::get_if<Window>(&constants[i])) constant_blocks_.push_back(w->block);
    }
    if (inputs.size() != f->inputs.size()) throw Stop{Outcome::Input, "another number of inputs", {}};
    for (size_t i = 0; i < inputs.size(); ++i) borrow(f->inputs[i], take_in(inputs[i].value, f->inputs[i].type));
    statements(f->body);
    std::vector<Cell> results = yields(f->body);
    for (const Binder& b : program_.constants) arrays_.erase(b.name);
    for (const Binder& b : f->inputs) arrays_.erase(b.name);
    expect_nothing_left(f->entry.name);
    std::vector<seg::TypedValue> values;
    int64_t handed_over = 0;
    for (const Cell& c : results) {
      values.push_back({hand_out(c), false});
      handed_over += std::holds_alternative<Window>(c) ? 1 : 0;
    }
    if (pool_.references() != handed_over + static_cast<int64_t>(borrowed_.size()))
      broken("{} leaves memory behind", f->entry.name);
    return values;
  }

  std::vector<std::string> trace;

 private:
  using Cell = std::variant<prim::Value, Window>;

  // ---- Values from and to outside. ----

  Cell take_in(const seg::Value& value, const Type& type) {
    if (const auto* scalar = std::get_if<prim::Value>(&value)) {
      if (type != Type{scalar->type}) throw Stop{Outcome::Input, "a scalar of another type", {}};
      return *scalar;
    }
    const auto& array = std::get<seg::Array>(value);
    if (type != Type{array.elem, static_cast<int>(array.shape.size())})
      throw Stop{Outcome::Input, "an array of another type", {}};
    Window w = pool_.alloc(array.elem, array.shape, row_major(array.shape.size()));
    nest::Memory& memory = pool_.memory(w);
    for (int64_t i = 0; i < array.size(); ++i) {
      memory.data[static_cast<size_t>(i)] = array.at(i);
      memory.written[static_cast<size_t>(i)] = true;
    }
    return w;
  }

  seg::Value hand_out(const Cell& c) {
    if (const auto* scalar = std::get_if<prim::Value>(&c)) return *scalar;
    const auto& w = std::get<Window>(c);
    seg::Array array{w.elem, w.shape, std::make_shared<std::vector<int64_t>>()};
    for_each_index(w.shape, [&](const auto& index) {
      array.cells->push_back(w.elem == prim::Type::Unit ? 0 : seg::to_cell(pool_.get(w, index)));
    });
    return array;
  }

  // ---- Names. ----

  void bind(const Name& n, const Cell& c) {
    if (const auto* w = std::get_if<Window>(&c)) {
      if (!arrays_.emplace(n, *w).second) broken("{} is bound again before its end", nest::to_text(n));
    } else {
      scalars_[n] = std::get<prim::Value>(c);
    }
  }

  const Window& array(const Name& n) const {
    auto it = arrays_.find(n);
    if (it == arrays_.end()) broken("{} is used behind its end", nest::to_text(n));
    return it->second;
  }

  Window end(const Name& n) {
    Window w = array(n);
    arrays_.erase(n);
    return w;
  }

  prim::Value value(const Expr& e) const {
    auto all = [&](const std::vector<Expr>& args) {
      std::vector<prim::Value> values;
      for (const Expr& a : args) values.push_back(value(a));
      return values;
    };
    std::optional<prim::Value> v;
    if (const auto* c = std::get_if<nest::Const>(&e->node)) {
      v = c->value;
    } else if (const auto* name = std::get_if<nest::Var>(&e->node)) {
      if (auto it = scalars_.find(name->name); it != scalars_.end()) v = it->second;
    } else if (const auto* o = std::get_if<nest::Operation>(&e->node)) {
      v = prim::eval(o->op, all(o->args));
    } else if (const auto* call = std::get_if<nest::Call>(&e->node)) {
      v = prim::eval_function(*call->function, all(call->args));
    } else if (const auto* s = std::get_if<nest::Select>(&e->node)) {
      v = value(value(s->condition).as_bool() ? s->if_true : s->if_false);
    }
    if (!v) broken("{} has no value", nest::to_text(e));
    return *v;
  }
  int64_t number(const Expr& e) const { return value(e).i; }
  std::vector<int64_t> numbers(const std::vector<Expr>& list) const {
    std::vector<int64_t> all;
    for (const Expr& e : list) all.push_back(number(e));
    return all;
  }

  Cell give(const Value& v) {
    if (const auto* array = std::get_if<Name>(&v)) return end(*array);
    return value(std::get<Expr>(v));
  }
  std::vector<Cell> yields(const Block& b) {
    std::vector<Cell> all;
    for (const Value& v : b.yields) all.push_back(give(v));
    return all;
  }

  void expect_nothing_left(const std::string& where) const {
    if (!arrays_.empty()) broken("{} leaves {} behind", where, nest::to_text(arrays_.begin()->first));
  }

  // ---- Statements. ----

  void statements(const Block& b) {
    for (const Stmt& s : b.stmts) {
      step(1);
      std::visit([&](const auto& node) { run(node); }, s->node);
    }
  }

  void step(int64_t n) {
    steps_ += n;
    if (steps_ > options_.max_steps) throw Stop{Outcome::Limit, "The program takes too long.", {}};
  }

  void run(const Let& s) { bind(s.name, value(s.value)); }
  void run(const Measure& s) {
    const Window& w = array(s.array);
    auto d = static_cast<size_t>(s.dim);
    int64_t result = s.aspect == Aspect::Size ? w.shape.at(d) : s.aspect == Aspect::Stride ? w.strides.at(d) : w.offset;
    bind(s.name, prim::Value::i64(result));
  }
  void run(const Ask& s) {
    if (s.question != Question::RowAlignment)
      return bind(s.name, prim::Value::i64(s.question == Question::Parts ? 1 : 0));
    int64_t bits = number(s.args[0]) | kMostAlignment;
    bind(s.name, prim::Value::i64(bits & -bits));
  }

  int64_t tuning(const std::string& name) const {
    auto it = options_.tuning.find(name);
    if (it != options_.tuning.end()) return it->second;
    return seg::default_size(program_.params.at(static_cast<size_t>(param_number(program_, name))).size_class);
  }
  void run(const GetParam& s) { bind(s.name, prim::Value::i64(tuning(s.param))); }
  void run(const GetMax& s) { bind(s.name, prim::Value::i64(seg::max_size({s.kind, {}, {}, {}}))); }
  void run(const Compare& s) { bind(s.name, prim::Value::of_bool(tuning(s.param) <= number(s.value))); }
  void run(const ReadElement& s) { bind(s.name, pool_.get(array(s.array), numbers(s.index))); }

  void run(const Alloc& s) {
    std::vector<int64_t> shape = numbers(s.shape);
    bind(s.name, s.from ? pool_.alloc_from(end(*s.from), s.elem, shape, s.order) : pool_.alloc(s.elem, shape, s.order));
  }
  void run(const Free& s) { pool_.release(end(s.array)); }

  void view(const Name& n, const Window& w) {
    pool_.share(w);
    bind(n, w);
  }
  void run(const Share& s) { view(s.name, array(s.array)); }
  void run(const Slice& s) {
    Window from = array(s.array), w = from;
    w.shape.clear();
    w.strides.clear();
    for (size_t d = 0; d < s.subscripts.size(); ++d) {
      if (const auto* index = std::get_if<Expr>(&s.subscripts[d])) {
        w.offset += number(*index) * from.strides.at(d);
      } else {
        const auto& r = std::get<Range>(s.subscripts[d]);
        w.offset += number(r.start) * from.strides.at(d);
        w.shape.push_back(number(r.count));
        w.strides.push_back(number(r.stride) * from.strides[d]);
      }
    }
    view(s.name, w);
  }
  void run(const FlatSlice& s) {
    Window w = array(s.array);
    int64_t stride = w.strides.at(0);
    w.offset += number(s.offset) * stride;
    w.shape = numbers(s.counts);
    w.strides = numbers(s.strides);
    for (int64_t& x : w.strides) x *= stride;
    view(s.name, w);
  }
  void run(const Rearrange& s) {
    Window from = array(s.array), w = from;
    for (size_t d = 0; d < s.perm.size(); ++d) {
      w.shape[d] = from.shape.at(static_cast<size_t>(s.perm[d]));
      w.strides[d] = from.strides.at(static_cast<size_t>(s.perm[d]));
    }
    view(s.name, w);
  }
  void run(const Broadcast& s) {
    Window w = array(s.array);
    std::vector<int64_t> sizes = numbers(s.sizes);
    w.shape.insert(w.shape.begin(), sizes.begin(), sizes.end());
    w.strides.insert(w.strides.begin(), sizes.size(), 0);
    view(s.name, w);
  }
  void run(const Reshape& s) {
    Window from = array(s.array);
    std::vector<int64_t> shape = numbers(s.shape);
    int64_t size = 1;
    for (int64_t n : shape) size *= n;
    if (size != from.size()) return bind(s.name, pool_.alloc(from.elem, shape, row_major(shape.size())));
    Window w = from.is_dense() ? from : pool_.dense_copy(from, row_major(from.shape.size()));
    if (from.is_dense()) pool_.share(w);
    w.shape = std::move(shape);
    w.strides.assign(w.shape.size(), 1);
    for (size_t d = w.shape.size(); d-- > 1;) w.strides[d - 1] = w.strides[d] * w.shape[d];
    bind(s.name, w);
  }

  void run(const Manifest& s) { bind(s.name, pool_.dense_copy(array(s.array), s.order)); }
  void run(const Deliver& s) {
    const Window& w = array(s.array);
    bool is_constant = std::ranges::find(constant_blocks_, w.block) != constant_blocks_.end();
    if (w.is_dense() && !is_constant) return view(s.name, w);
    bind(s.name, pool_.dense_copy(w, row_major(w.shape.size())));
  }
  void run(const Copy& s) { pool_.copy(array(s.to), array(s.from)); }
  void run(const Pack& s) {
    Window to = array(s.to), from = array(s.from);
    to.shape = from.shape = numbers(s.shape);
    to.strides = numbers(s.to_strides);
    from.strides = numbers(s.from_strides);
    pool_.copy(to, from);
  }
  template <class F>
  void write_all(const Name& n, F element) {
    const Window& w = array(n);
    int64_t i = 0;
    for_each_index(w.shape, [&](const auto& index) { pool_.set(w, index, element(i++)); });
    step(i);
  }
  void run(const Fill& s) {
    prim::Value v = value(s.value);
    write_all(s.array, [&](int64_t) { return v; });
  }
  void run(const Iota& s) {
    int64_t start = number(s.start), step = number(s.step);
    prim::Type elem = array(s.array).elem;
    write_all(s.array, [&](int64_t i) { return prim::Value::of_int(elem, start + i * step); });
  }
  void run(const Upload& s) {
    write_all(s.array, [&](int64_t i) { return value(s.values.at(static_cast<size_t>(i))); });
  }
  void run(const WriteElement& s) { pool_.set(array(s.array), numbers(s.index), value(s.value)); }

  // Each buffer is shown a copy of its memory; afterwards, what has changed is there.
  void run(const Launch& s) {
    const nest::Kernel& kernel = program_.kernels.at(static_cast<size_t>(s.kernel));
    std::vector<prim::Value> scalars;
    for (const Expr& e : s.scalars) scalars.push_back(value(e));
    std::vector<nest::Memory> memories;
    for (const Name& n : s.buffers) {
      memories.push_back(pool_.memory(array(n)));
      memories.back().offset = array(n).offset;
    }
    const std::vector<nest::Memory> before = memories;
    nest::EvalOptions options;
    options.max_steps = options_.max_steps - steps_;
    nest::Outcome outcome = nest::evaluate(kernel, scalars, memories, options);
    step(outcome.steps);
    if (outcome.problem) {
      // Which of several threads' writes is the last one is not for us to say.
      nest::Trouble kind = outcome.problem->kind;
      Outcome result = kind == nest::Trouble::TooLong ? Outcome::Limit
                       : kind == nest::Trouble::Race  ? Outcome::Unsupported
                                                      : Outcome::Broken;
      throw Stop{result, kernel.name + ": " + outcome.problem->text, {}};
    }
    if (outcome.failed) fail(program_.failures.at(static_cast<size_t>(outcome.failed->id)), outcome.failed->args);
    for (size_t b = 0; b < memories.size(); ++b) {
      nest::Memory& memory = pool_.memory(array(s.buffers[b]));
      for (size_t i = 0; i < memory.data.size(); ++i) {
        bool changed = memories[b].written[i] != before[b].written[i] || !(memories[b].data[i] == before[b].data[i]);
        if (!changed) continue;
        memory.data[i] = memories[b].data[i];
        memory.written[i] = memories[b].written[i];
      }
    }
  }
  void run(const LaunchChosen&) { broken("a kernel is launched that nobody has compiled"); }
  void run(const Choose& s) { statements(s.otherwise); }

  // ---- Control. ----

  void run(const If& s) {
    auto taken = std::ranges::find_if(s.cases, [&](const Case& c) { return value(c.condition).as_bool(); });
    const Block& b = taken == s.cases.end() ? s.otherwise : taken->body;
    statements(b);
    std::vector<Cell> results = yields(b);
    for (size_t i = 0; i < results.size(); ++i) bind(s.results.at(i).name, results[i]);
  }

  void run(const Loop& s) {
    std::vector<Cell> state;
    for (const LoopParam& p : s.params) state.push_back(give(p.init));
    auto iterate = [&] {
      statements(s.body);
      state = yields(s.body);
      step(1);
    };
    auto bind_params = [&] {
      for (size_t i = 0; i < state.size(); ++i) bind(s.params[i].binder.name, state[i]);
    };
    if (const auto* each = std::get_if<ForEach>(&s.form)) {
      prim::Value bound = value(each->bound);
      for (int64_t i = 0; i < bound.i; ++i) {
        bind(each->index, prim::Value::of_int(bound.type, i));
        bind_params();
        iterate();
      }
    } else {
      const Name& condition = std::get<WhileTrue>(s.form).condition;
      // Parameters are bound in a step only, since they hold arrays.
      auto param = std::ranges::find_if(s.params, [&](const LoopParam& p) { return p.binder.name == condition; });
      auto number = static_cast<size_t>(param - s.params.begin());
      auto goes_on = [&] {
        if (param == s.params.end()) return value(nest::var(condition, prim::Type::Bool)).as_bool();
        return std::get<prim::Value>(state.at(number)).as_bool();
      };
      while (goes_on()) {
        bind_params();
        iterate();
      }
    }
    for (size_t i = 0; i < state.size(); ++i) bind(s.results.at(i), state[i]);
  }

  [[noreturn]] static void fail(const Failure& failure, const std::vector<prim::Value>& args) {
    std::string message;
    size_t next = 0;
    for (const auto& part : failure.message) {
      const auto* text = std::get_if<std::string>(&part);
      message += text ? *text : message_text(args.at(next++));
    }
    throw Stop{Outcome::ProgramError, message, failure.location};
  }
  void run(const Assert& s) {
    if (value(s.condition).as_bool()) return;
    std::vector<prim::Value> args;
    for (const Expr& e : s.args) args.push_back(value(e));
    fail(program_.failures.at(static_cast<size_t>(s.failure)), args);
  }
  void run(const Check& s) {
    if (!value(s.condition).as_bool()) throw Stop{Outcome::Input, s.message, {}};
  }
  void run(const Trace& s) {
    if (const auto* array_name = std::get_if<Name>(&s.value)) {
      trace.push_back(s.tag + ": " + seg::to_text(hand_out(array(*array_name))));
    } else {
      trace.push_back(s.tag + ": " + seg::to_text(value(std::get<Expr>(s.value))));
    }
  }

  const Program& program_;
  const seg::EvalOptions& options_;
  MemoryPool pool_;
  std::unordered_map<Name, prim::Value> scalars_;
  std::unordered_map<Name, Window> arrays_;  // whose names have not ended
  std::vector<Window> borrowed_;
  std::vector<size_t> constant_blocks_;
  int64_t steps_ = 0;
};

}  // namespace

seg::EvalResult evaluate(const Program& program, std::string_view entry, const std::vector<seg::TypedValue>& inputs,
                         const seg::EvalOptions& options) {
  Machine machine(program, options);
  seg::EvalResult result;
  try {
    result.values = machine.run(entry, inputs);
  } catch (const Stop& stop) {
    result.outcome = stop.outcome;
    result.message = stop.message;
    result.location = stop.location;
  } catch (const std::bad_alloc&) {
    result.outcome = Outcome::Limit;
    result.message = "The program needs too much memory.";
  }
  result.trace = std::move(machine.trace);
  return result;
}

}  // namespace heddle::host
