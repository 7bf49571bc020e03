#include "ir/nest/eval.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <stdexcept>

#include "ir/nest/eval_code.h"
#include "ir/nest/eval_races.h"
#include "ir/nest/threads.h"
#include "ir/nest/traverse.h"

namespace heddle::nest {

namespace {

using prim::Value;

constexpr int32_t kWarpSize = 32;

struct Stop {
  Problem problem;
};

[[noreturn]] void stop(Trouble kind, std::string text) { throw Stop{{kind, std::move(text)}}; }

enum class State { Ready, AtBlockBarrier, AtWarpBarrier, Ended, Failed };

// An element on its way to shared memory.
struct Arrival {
  Instr instr;                  // with its arguments at the time of the copy,
  std::vector<Value> to_index;  // which are these
  Value value;
};

struct Thread {
  int32_t number = 0;
  State state = State::Ready;
  size_t next = 0;  // instruction
  Moment now;
  std::vector<Value> slots;
  std::vector<Memory> registers;  // by number of the buffer; empty for others
  std::vector<int32_t> lives;     // how often the thread has allocated a buffer
  // Copies that have not been waited for, by group, the oldest first; the last group is not committed yet.
  std::deque<std::vector<Arrival>> copies;
};

// A shared buffer comes to life anew whenever its Alloc is executed, but in the same memory.
struct SharedMemory {
  std::vector<Value> data;
  std::vector<int32_t> written_in_life;  // 0: never
};

class Machine {
 public:
  Machine(const EvalCode& code, std::vector<Memory>& globals, int64_t max_steps)
      : code_(code),
        globals_(globals),
        max_steps_(max_steps),
        shared_(code.buffers.size()),
        histories_(code.buffers.size()) {}

  void run(int64_t num_blocks, int64_t block_size) {
    if (num_blocks <= 0 || block_size <= 0) return;
    threads_.resize(static_cast<size_t>(block_size));
    for (int64_t b = 0; b < num_blocks && !failed_; ++b) run_block(b);
  }

  const std::optional<Failed>& failed() const { return failed_; }
  int64_t steps() const { return steps_; }

 private:
  // ---- Blocks and barriers. ----

  void run_block(int64_t block) {
    size_t n = code_.buffers.size();
    for (size_t i = 0; i < n; ++i) {
      const EvalBuffer& b = code_.buffers[i];
      if (b.space != Space::Shared) continue;
      shared_[i].data.assign(static_cast<size_t>(b.num_elems), prim::zero(b.elem));
      shared_[i].written_in_life.assign(static_cast<size_t>(b.num_elems), 0);
      histories_[i].clear();
    }
    for (size_t i = 0; i < threads_.size(); ++i) start(threads_[i], block, static_cast<int32_t>(i));
    do {
      for (Thread& t : threads_) {
        if (t.state == State::Ready) run_thread(t);
      }
    } while (pass_barriers());
  }

  void start(Thread& t, int64_t block, int32_t number) {
    t.number = number;
    t.state = State::Ready;
    t.next = 0;
    t.now = Moment{block, number, number / kWarpSize, 0, 0};
    t.slots.resize(static_cast<size_t>(code_.num_slots));
    t.slots[static_cast<size_t>(code_.block_slot)] = Value::i64(block);
    t.slots[static_cast<size_t>(code_.thread_slot)] = Value::i64(number);
    t.registers.resize(code_.buffers.size());
    t.lives.assign(code_.buffers.size(), 0);
    t.copies.assign(1, {});
  }

  // Whether all these threads that have not failed wait at the same barrier. Some wait there.
  template <class Threads>
  void check_same_barrier(const Threads& threads, State waiting) const {
    std::optional<size_t> where;
    for (const Thread& t : threads) {
      if (t.state == State::Failed) continue;
      if (t.state != waiting) {
        stop(Trouble::Divergence,
             fmt::format("block {}: thread {} does not reach a barrier at which others wait", t.now.block, t.number));
      }
      if (where && *where != t.next) {
        stop(Trouble::Divergence,
             fmt::format("block {}: thread {} waits at another barrier than others", t.now.block, t.number));
      }
      where = t.next;
    }
  }

  // Lets threads go on that nobody keeps waiting. False if the block is done.
  bool pass_barriers() {
    // What the threads left do after a failure has no meaning.
    if (failed_) return false;
    bool passed = false;
    for (size_t first = 0; first < threads_.size(); first += kWarpSize) {
      std::span warp(threads_.data() + first, std::min<size_t>(kWarpSize, threads_.size() - first));
      if (std::ranges::none_of(warp, [](const Thread& t) { return t.state == State::AtWarpBarrier; })) continue;
      check_same_barrier(warp, State::AtWarpBarrier);
      const bool shuffles = shuffle(warp);
      for (Thread& t : warp) {
        if (!shuffles) ++t.now.warp_barriers;
        t.state = State::Ready;
      }
      passed = true;
    }
    if (passed) return true;
    if (std::ranges::all_of(threads_, [](const Thread& t) { return t.state == State::Ended; })) return false;
    check_same_barrier(threads_, State::AtBlockBarrier);
    for (Thread& t : threads_) {
      ++t.now.block_barriers;
      t.state = State::Ready;
    }
    return true;
  }

  // Whether the lanes of a warp, which have stopped at the same place, shuffle there.
  bool shuffle(std::span<Thread> warp) {
    const Instr& i = code_.code[warp[0].next - 1];
    if (i.code != Code::Shuffle) return false;
    std::vector<Value> received;
    for (const Thread& t : warp) {
      const int64_t lane = value(t, i, 1).i;
      if (lane < 0 || lane >= static_cast<int64_t>(warp.size()))
        stop(Trouble::OutOfBounds, fmt::format("{} shuffles with lane {}, which its warp has not", who(t), lane));
      received.push_back(value(warp[static_cast<size_t>(lane)], i, 0));
    }
    for (size_t t = 0; t < warp.size(); ++t) dst(warp[t], i) = received[t];
    return true;
  }

  // ---- Memory. ----

  std::string element_text(const EvalBuffer& b, const Thread& t, const Instr& i) const {
    std::string text = b.name;
    for (size_t d = 0; d < b.dims.size(); ++d) text += fmt::format("[{}]", value(t, i, static_cast<int32_t>(d)).i);
    return text;
  }

  std::string who(const Thread& t) const { return fmt::format("thread {} of block {}", t.number, t.now.block); }

  int64_t place(const EvalBuffer& b, const Thread& t, const Instr& i) const {
    int64_t place = 0;
    for (size_t d = 0; d < b.dims.size(); ++d) {
      int64_t index = value(t, i, static_cast<int32_t>(d)).i;
      if (index < 0 || index >= b.dims[d]) {
        stop(Trouble::OutOfBounds, fmt::format("{} accesses {}, but its size is [{}]", who(t), element_text(b, t, i),
                                               fmt::join(b.dims, "][")));
      }
      place += index * b.strides[d];
    }
    return place;
  }

  struct Element {
    Value* value;
    const EvalBuffer* buffer;
    size_t number, place;
    Memory* memory;  // of global and register buffers
  };

  Element element(Thread& t, const Instr& i) {
    auto number = static_cast<size_t>(i.buffer);
    const EvalBuffer& b = code_.buffers[number];
    Memory* m = b.space == Space::Global     ? &globals_[number]
                : b.space == Space::Register ? &t.registers[number]
                                             : nullptr;
    std::vector<Value>& data = m ? m->data : shared_[number].data;
    int64_t at = place(b, t, i) + (m ? m->offset : 0);
    if (at < 0 || at >= static_cast<int64_t>(data.size())) {
      stop(Trouble::BadArguments, fmt::format("{} is not within the memory given for it", element_text(b, t, i)));
    }
    return {&data[static_cast<size_t>(at)], &b, number, static_cast<size_t>(at), m};
  }

  void check_races(const Element& e, const Thread& t, const Instr& i, Access how) {
    if (!e.buffer->tracked) return;
    std::vector<AccessHistory>& histories = histories_[e.number];
    if (histories.empty()) histories.resize(e.memory ? e.memory->data.size() : shared_[e.number].data.size());
    auto conflict = histories[e.place].access(how, t.now);
    if (!conflict) return;
    static constexpr const char* kDone[] = {"reads", "writes", "updates"};
    stop(Trouble::Race,
         fmt::format("{} {} {}, which {} {} {} at the same time", who(t), kDone[static_cast<size_t>(how)],
                     element_text(*e.buffer, t, i), conflict->same_block ? "thread" : "block", conflict->who,
                     kDone[static_cast<size_t>(conflict->how)]));
  }

  Value load(Thread& t, const Instr& i, Access how) {
    Element e = element(t, i);
    bool written =
        e.memory ? e.memory->written[e.place] : shared_[e.number].written_in_life[e.place] == t.lives[e.number];
    check_races(e, t, i, how);
    if (!written) {
      stop(Trouble::Unwritten,
           fmt::format("{} reads {}, which nothing has written", who(t), element_text(*e.buffer, t, i)));
    }
    return *e.value;
  }

  void store(Thread& t, const Instr& i, Access how) {
    Element e = element(t, i);
    check_races(e, t, i, how);
    *e.value = value(t, i, i.num_args - 1);
    if (e.memory) {
      e.memory->written[e.place] = true;
    } else {
      shared_[e.number].written_in_life[e.place] = t.lives[e.number];
    }
  }

  void start_copy(Thread& t, const Instr& i) {
    auto rank = static_cast<int32_t>(code_.buffers[static_cast<size_t>(i.buffer)].dims.size());
    Element to = element(t, i);
    check_races(to, t, i, Access::Write);
    shared_[to.number].written_in_life[to.place] = 0;
    Instr from = i;
    from.buffer = i.target;
    from.first_arg += rank;
    bool valid = value(t, i, i.num_args - 1).as_bool();
    Arrival arrival{i, {}, valid ? load(t, from, Access::Read) : prim::zero(to.buffer->elem)};
    for (int32_t d = 0; d < rank; ++d) arrival.to_index.push_back(value(t, i, d));
    t.copies.back().push_back(std::move(arrival));
  }

  void finish_copies(Thread& t, size_t pending) {
    while (t.copies.size() > pending + 1) {
      for (const Arrival& a : t.copies.front()) {
        const EvalBuffer& b = code_.buffers[static_cast<size_t>(a.instr.buffer)];
        auto number = static_cast<size_t>(a.instr.buffer);
        int64_t at = 0;
        for (size_t d = 0; d < b.dims.size(); ++d) at += a.to_index[d].i * b.strides[d];
        Element to{&shared_[number].data[static_cast<size_t>(at)], &b, number, static_cast<size_t>(at), nullptr};
        check_races(to, t, a.instr, Access::Write);
        *to.value = a.value;
        shared_[number].written_in_life[to.place] = t.lives[number];
      }
      t.copies.pop_front();
    }
  }

  void alloc(Thread& t, const Instr& i) {
    auto number = static_cast<size_t>(i.buffer);
    const EvalBuffer& b = code_.buffers[number];
    ++t.lives[number];
    if (b.space != Space::Register) return;
    t.registers[number].data.resize(static_cast<size_t>(b.num_elems));
    t.registers[number].written.assign(static_cast<size_t>(b.num_elems), false);
  }

  // ---- Threads. ----

  const Value& value(const Thread& t, const Instr& i, int32_t arg) const {
    Operand o = code_.args[static_cast<size_t>(i.first_arg + arg)];
    return o >= 0 ? t.slots[static_cast<size_t>(o)] : code_.constants[static_cast<size_t>(~o)];
  }

  Value& dst(Thread& t, const Instr& i) { return t.slots[static_cast<size_t>(i.dst)]; }

  Value compute(const Thread& t, const Instr& i) {
    Value args[3];
    for (int32_t a = 0; a < i.num_args; ++a) args[a] = value(t, i, a);
    std::span<const Value> all(args, static_cast<size_t>(i.num_args));
    auto result = i.code == Code::Call ? prim::eval_function(*i.function, all) : prim::eval(i.op, all);
    if (result) return *result;
    std::vector<std::string> texts;
    for (const Value& a : all) texts.push_back(prim::to_text(a));
    stop(Trouble::Undefined,
         fmt::format("{} computes {}({}), which is undefined", who(t),
                     i.code == Code::Call ? i.function->name : prim::name(i.op), fmt::join(texts, ", ")));
  }

  void run_thread(Thread& t) {
    while (t.state == State::Ready) {
      if (++steps_ > max_steps_) stop(Trouble::TooLong, fmt::format("more than {} steps", max_steps_));
      const Instr& i = code_.code[t.next++];
      switch (i.code) {
        case Code::Apply:
        case Code::Call:
          dst(t, i) = compute(t, i);
          break;
        case Code::Copy:
          dst(t, i) = value(t, i, 0);
          break;
        case Code::Load:
          dst(t, i) = load(t, i, Access::Read);
          break;
        case Code::Store:
          store(t, i, Access::Write);
          break;
        case Code::AtomicLoad:
          dst(t, i) = load(t, i, Access::Atomic);
          break;
        case Code::AtomicStore:
          store(t, i, Access::Atomic);
          break;
        case Code::Alloc:
          alloc(t, i);
          break;
        case Code::Jump:
          t.next = static_cast<size_t>(i.target);
          break;
        case Code::JumpUnless:
          if (!value(t, i, 0).as_bool()) t.next = static_cast<size_t>(i.target);
          break;
        case Code::AsyncCopy:
          start_copy(t, i);
          break;
        case Code::AsyncCommit:
          t.copies.emplace_back();
          break;
        case Code::AsyncWait:
          finish_copies(t, static_cast<size_t>(i.target));
          break;
        case Code::BlockBarrier:
          t.state = State::AtBlockBarrier;
          break;
        case Code::WarpBarrier:
        case Code::Shuffle:
          t.state = State::AtWarpBarrier;
          break;
        case Code::Fail:
          fail(t, i);
          break;
        case Code::End:
          t.state = State::Ended;
          break;
      }
    }
  }

  void fail(Thread& t, const Instr& i) {
    t.state = State::Failed;
    if (failed_) return;
    failed_ = Failed{i.target, {}, t.now.block, t.number};
    for (int32_t a = 0; a < i.num_args; ++a) failed_->args.push_back(value(t, i, a));
  }

  const EvalCode& code_;
  std::vector<Memory>& globals_;
  int64_t max_steps_;
  int64_t steps_ = 0;
  std::vector<Thread> threads_;
  std::vector<SharedMemory> shared_;                   // by number of the buffer
  std::vector<std::vector<AccessHistory>> histories_;  // by number of the buffer, then by element
  std::optional<Failed> failed_;
};

void check_arguments(const Kernel& kernel, const std::vector<Value>& scalars, const std::vector<Memory>& buffers) {
  if (!kernel.constants.empty()) stop(Trouble::BadArguments, kernel.name + " has constants without values");
  if (scalars.size() != kernel.scalars.size() || buffers.size() != kernel.buffers.size()) {
    stop(Trouble::BadArguments,
         fmt::format("{} takes {} scalars and {} buffers", kernel.name, kernel.scalars.size(), kernel.buffers.size()));
  }
  for (size_t i = 0; i < scalars.size(); ++i) {
    if (scalars[i].type != kernel.scalars[i].type) {
      stop(Trouble::BadArguments,
           fmt::format("{} is not of type {}", prim::to_text(scalars[i]), prim::name(kernel.scalars[i].type)));
    }
  }
  for (size_t i = 0; i < buffers.size(); ++i) {
    for (const Value& v : buffers[i].data) {
      if (v.type != kernel.buffers[i].elem) {
        stop(Trouble::BadArguments, fmt::format("{} is given values of another type", kernel.buffers[i].name.text()));
      }
    }
  }
}

// The kernel for these scalars only: all its sizes become constants.
Kernel with_constants(const Kernel& kernel, const std::vector<Value>& scalars) {
  Substitution s;
  for (size_t i = 0; i < scalars.size(); ++i) s.emplace(kernel.scalars[i].name, constant(scalars[i]));
  Kernel result = substitute(s, kernel);
  result.scalars.clear();
  return result;
}

}  // namespace

Memory memory_of(std::vector<Value> data) {
  std::vector<bool> written(data.size(), true);
  return {std::move(data), std::move(written)};
}

Memory unwritten_memory(prim::Type elem, int64_t num_elems) {
  auto n = static_cast<size_t>(num_elems);
  return {std::vector<Value>(n, prim::zero(elem)), std::vector<bool>(n, false)};
}

Outcome evaluate(const Kernel& kernel, const std::vector<Value>& scalars, std::vector<Memory>& buffers,
                 const EvalOptions& options) {
  Outcome outcome;
  try {
    check_arguments(kernel, scalars, buffers);
    Kernel k = with_constants(kernel, scalars);
    auto blocks = int_constant(num_blocks(k)), threads = int_constant(block_size(k));
    if (!blocks || !threads) stop(Trouble::BadArguments, "the launch cannot be computed");
    EvalCode code = compile(k);
    Machine machine(code, buffers, options.max_steps);
    try {
      machine.run(*blocks, *threads);
    } catch (const Stop& s) {
      outcome.problem = s.problem;
    }
    outcome.failed = machine.failed();
    outcome.steps = machine.steps();
  } catch (const Stop& s) {
    outcome.problem = s.problem;
  } catch (const std::invalid_argument& e) {
    outcome.problem = Problem{Trouble::BadArguments, e.what()};
  }
  return outcome;
}

std::optional<Value> evaluate(const Expr& e, const std::unordered_map<Name, Value>& values) {
  Substitution s;
  for (const auto& [name, value] : values) s.emplace(name, constant(value));
  Expr result = substitute(s, e);
  const auto* c = std::get_if<Const>(&result->node);
  return c ? std::optional(c->value) : std::nullopt;
}

}  // namespace heddle::nest
