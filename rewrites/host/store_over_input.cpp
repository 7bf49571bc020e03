#include "rewrites/host/store_over_input.h"

#include <algorithm>
#include <unordered_map>

#include "ir/nest/uses.h"
#include "rewrites/host/each_block.h"
#include "rewrites/host/same_memory.h"
#include "rewrites/host/store_in_place.h"

namespace heddle::host {

namespace {

bool all_equal(const std::vector<Expr>& a, const std::vector<Expr>& b) { return std::ranges::equal(a, b, nest::equal); }

// Which dimensions of `from` are of one element and none of `to`, if arrays that a kernel knows like this are of the same size otherwise and lie in
// memory alike.
std::optional<std::vector<bool>> dropped(const nest::Buffer& from, const nest::Buffer& to) {
  const auto is_dense = [](const nest::Buffer& b) { return all_equal(b.strides, nest::dense_strides(b.dims)); };
  if (from.elem != to.elem || from.exchanged || to.exchanged || !is_dense(from) || !is_dense(to)) return std::nullopt;
  std::vector<bool> is_one;
  size_t dim = 0;
  for (const Expr& size : from.dims) {
    const bool is_same = dim < to.dims.size() && nest::equal(size, to.dims[dim]);
    if (!is_same && nest::int_constant(size) != 1) return std::nullopt;
    is_one.push_back(!is_same);
    if (is_same) ++dim;
  }
  return dim == to.dims.size() ? std::optional(std::move(is_one)) : std::nullopt;
}

// Whether it makes memory or a name for it, and does nothing with what is there.
bool only_names(const Stmt& s) {
  const auto& n = s->node;
  return std::holds_alternative<Alloc>(n) || std::holds_alternative<Share>(n) || std::holds_alternative<Reshape>(n) ||
         std::holds_alternative<Rearrange>(n);
}

bool binds(const Stmt& s, const Name& array) {
  struct Binds : Walker<Binds> {
    const Name& array;
    bool found = false;
    explicit Binds(const Name& array) : array(array) {}
    void expr(const Expr&) {}
    void bind(const Name& n) { found |= n == array; }
  } walker(array);
  walker.stmt(s);
  return walker.found;
}

// What is known of a function's arrays wherever they are.
class Arrays {
 public:
  explicit Arrays(const Function& f) : memory_(f.body) {
    const bool are_whole = f.inputs.size() == f.entry.params.size();  // of some only parts would be given away
    for (size_t i = 0; i < f.inputs.size(); ++i) {
      if (are_whole && f.entry.params[i].unique && f.inputs[i].type.rank > 0) given_.insert(f.inputs[i].name);
    }
    for_each_stmt(f.body, [&](const Stmt& s) { std::visit([&](const auto& n) { note(n); }, s->node); });
  }

  Name memory(const Name& n) const { return memory_.of(n); }
  bool is_given(const Name& n) const { return given_.contains(n); }
  // Whether it is what some step of a loop hands on to the next.
  bool is_carried(const Name& n) const { return carried_.contains(memory_.of(n)); }

  // Whether it has all of its memory, of which else more than it needs would stay.
  bool is_whole(const Name& n) const {
    nest::NameSet seen;
    return is_whole(n, seen);
  }

 private:
  // `seen`: asked of already, since branches may yield the same.
  bool is_whole(const Name& n, nest::NameSet& seen) const {
    if (is_given(n) || !seen.insert(n).second) return true;
    const auto all_of = all_of_.find(n);
    return all_of != all_of_.end() &&
           std::ranges::all_of(all_of->second, [&](const Name& a) { return is_whole(a, seen); });
  }

  template <class N>
  void note(const N& n) {
    if constexpr (std::is_same_v<N, Alloc> || std::is_same_v<N, Manifest>) {
      all_of_.emplace(n.name, std::vector<Name>{});
    } else if constexpr (std::is_same_v<N, Share> || std::is_same_v<N, Reshape> || std::is_same_v<N, Rearrange>) {
      all_of_.emplace(n.name, std::vector{n.array});
    } else if constexpr (std::is_same_v<N, Loop>) {
      for (const LoopParam& param : n.params) carried_.insert(memory_.of(param.binder.name));
    } else if constexpr (std::is_same_v<N, If>) {
      for (size_t i = 0; i < n.results.size(); ++i) {
        if (n.results[i].type.rank == 0) continue;
        std::vector<Name>& yielded = all_of_[n.results[i].name];
        for (const Case& c : n.cases) yielded.push_back(std::get<Name>(c.body.yields[i]));
        yielded.push_back(std::get<Name>(n.otherwise.yields[i]));
      }
    }
  }

  const SameMemory memory_;
  nest::NameSet given_, carried_;
  std::unordered_map<Name, std::vector<Name>> all_of_;
};

class StoreOverInput {
 public:
  StoreOverInput(std::vector<nest::Kernel>& kernels, const std::vector<int>& launches, const Arrays& arrays,
                 Block& block, bool is_whole_function)
      : kernels_(kernels), launches_(launches), arrays_(arrays), block_(block), mentioned_(block.stmts.size()) {
    for (size_t i = 0; i < block.stmts.size(); ++i) note_mentions(i);
    for (const Value& v : block.yields) {
      if (const auto* name = std::get_if<Name>(&v)) last_[arrays.memory(*name)] = block.stmts.size();
    }
    for (const Name& n : free_names(block)) {
      if (!is_whole_function || !arrays.is_given(n)) others_.insert(arrays.memory(n));
    }
  }

  void run() {
    for (size_t i = 0; i < block_.stmts.size(); ++i) {
      const auto* launch = std::get_if<Launch>(&block_.stmts[i]->node);
      if (!launch || launches_[static_cast<size_t>(launch->kernel)] != 1) continue;
      for (const Name& array : std::vector<Name>(launch->buffers)) {
        if (ends_at(i, array)) store_over(i, array);
      }
    }
  }

 private:
  void note_mentions(size_t at) {
    struct Mentions : Walker<Mentions> {
      StoreOverInput& of;
      size_t at;
      Mentions(StoreOverInput& of, size_t at) : of(of), at(at) {}
      void expr(const Expr&) {}
      void use(const Name& n) { of.mentioned_[at].insert(of.arrays_.memory(n)); }
    } mentions(*this, at);
    mentions.stmt(block_.stmts[at]);
    if (std::holds_alternative<Free>(block_.stmts[at]->node)) return;
    for (const Name& memory : mentioned_[at]) {
      last_[memory] = at;
      if (!only_names(block_.stmts[at])) uses_[memory].push_back(at);
    }
  }

  // Whether nobody needs the array behind this launch, nor before it, since it was made, but what the launch waits for anyway.
  bool ends_at(size_t at, const Name& array) const {
    const Name memory = arrays_.memory(array);
    if (last_.at(memory) != at || others_.contains(memory)) return false;
    const std::vector<size_t>& uses = uses_.at(memory);
    const auto is_waited_for = [&](size_t i) { return i >= at || i == uses.front() || needs_of(at, i, memory); };
    return arrays_.is_whole(array) && (arrays_.is_given(array) || std::ranges::all_of(uses, is_waited_for));
  }

  // Whether a launch needs something that a statement before it made, itself or by way of others, but for what lies in `apart`.
  bool needs_of(size_t launch, size_t maker, const Name& apart) const {
    nest::NameSet needed = mentioned_[launch];
    for (size_t i = launch; i-- > maker;) {
      needed.erase(apart);
      if (only_names(block_.stmts[i]) || !makes_one_of(needed, i)) continue;
      if (i == maker) return true;
      needed.insert(mentioned_[i].begin(), mentioned_[i].end());
    }
    return false;
  }

  // Whether a statement may write to some memory: a launch to what its kernel writes to, others to all that they mention.
  bool makes_one_of(const nest::NameSet& memories, size_t at) const {
    const auto is_one = [&](const Name& memory) { return memories.contains(memory); };
    if (std::ranges::none_of(mentioned_[at], is_one)) return false;
    const auto* launch = std::get_if<Launch>(&block_.stmts[at]->node);
    if (!launch) return true;
    const nest::Kernel& kernel = kernels_[static_cast<size_t>(launch->kernel)];
    const nest::NameSet written = nest::written_buffers(kernel.body);
    for (size_t i = 0; i < launch->buffers.size(); ++i) {
      if (written.contains(kernel.buffers[i].name) && is_one(arrays_.memory(launch->buffers[i]))) return true;
    }
    return false;
  }

  void store_over(size_t at, const Name& array) {
    const auto buffers = [&]() -> const std::vector<Name>& { return std::get<Launch>(block_.stmts[at]->node).buffers; };
    const auto from = static_cast<size_t>(std::ranges::find(buffers(), array) - buffers().begin());
    for (size_t to = 0; to < buffers().size(); ++to) {
      if (from != to && store_there(at, from, to)) return;
    }
  }

  // Where the array is made of which the launch is the first to know, if it is for kernels, row-major and no single element.
  std::optional<size_t> made_for(const Name& array, size_t launch) const {
    const Name memory = arrays_.memory(array);
    for (size_t i = launch; i-- > 0;) {
      const auto* alloc = std::get_if<Alloc>(&block_.stmts[i]->node);
      if (alloc && alloc->name == array) {
        const bool usual = !alloc->from && !alloc->for_host && is_row_major(alloc->order);
        const bool is_single =
            std::ranges::all_of(alloc->shape, [](const Expr& n) { return nest::int_constant(n) == 1; });
        return usual && !is_single ? std::optional(i) : std::nullopt;
      }
      if (mentioned_[i].contains(memory)) return std::nullopt;
    }
    return std::nullopt;
  }

  bool store_there(size_t at, size_t from, size_t to) {
    Launch launch = std::get<Launch>(block_.stmts[at]->node);
    nest::Kernel& kernel = kernels_[static_cast<size_t>(launch.kernel)];
    const Name input = launch.buffers[from], result = launch.buffers[to];
    const auto is_one = dropped(kernel.buffers[from], kernel.buffers[to]);
    if (!is_one || !is_mentioned_once(launch, input) || !is_mentioned_once(launch, result)) return false;
    // What made the input would count as overwriting what all steps of the loop read.
    if (arrays_.is_carried(result)) return false;
    const std::optional<size_t> made = made_for(result, at);
    if (!made) return false;
    const Name read = kernel.buffers[from].name, stored = kernel.buffers[to].name;
    const auto place = place_of_stores(kernel, stored, read, *is_one, [](const Index&, const Place&) { return false; });
    const auto is_start = [](const Place::Dim& d) { return d.start.is_zero(); };
    if (!place || !std::ranges::all_of(place->dims, is_start)) return false;
    kernel = storing_there(std::move(kernel), stored, read, *place);
    launch.buffers[from] = result;
    launch.buffers.erase(launch.buffers.begin() + static_cast<std::ptrdiff_t>(to));
    block_.stmts[at] = stmt(std::move(launch));
    take_memory(*made, at, input, std::ranges::count(*is_one, true) > 0);
    return true;
  }

  bool is_mentioned_once(const Launch& launch, const Name& array) const {
    const auto is_there = [&](const Name& b) { return arrays_.memory(b) == arrays_.memory(array); };
    return std::ranges::count_if(launch.buffers, is_there) == 1;
  }

  // The result is the input from where both are known on, so that other passes may still move the launch. Statements before it change places, of
  // which nobody asks any more by their numbers in `last_` and `uses_`, but whether they are before a launch that follows.
  void take_memory(size_t made, size_t launch, const Name& input, bool has_other_shape) {
    const auto alloc = std::get<Alloc>(block_.stmts[made]->node);
    size_t at = launch - 1;
    while (at > made && !binds(block_.stmts[at], input)) --at;
    const auto move_there = [&](auto& of_stmts) {
      const auto begin = of_stmts.begin();
      std::rotate(begin + static_cast<std::ptrdiff_t>(made), begin + static_cast<std::ptrdiff_t>(made + 1),
                  begin + static_cast<std::ptrdiff_t>(at + 1));
    };
    move_there(block_.stmts);
    move_there(mentioned_);
    mentioned_[at].insert(arrays_.memory(input));
    block_.stmts[at] = has_other_shape ? stmt(Reshape{alloc.name, input, alloc.shape}) : stmt(Share{alloc.name, input});
  }

  std::vector<nest::Kernel>& kernels_;
  const std::vector<int>& launches_;
  const Arrays& arrays_;
  Block& block_;
  std::vector<nest::NameSet> mentioned_;   // the memory that each statement mentions
  std::unordered_map<Name, size_t> last_;  // by memory, the statement that mentions it last, but for its end
  std::unordered_map<Name, std::vector<size_t>> uses_;  // by memory, the statements that do more than name it
  nest::NameSet others_;                                // memory that others know, who may read it behind the block
};

}  // namespace

Program store_over_input(Program program) {
  const std::vector<int> launches = launches_of_kernels(program);
  for (Function& f : program.functions) {
    const Arrays arrays(f);
    each_block(f.body, [&](Block& b) {
      // Most blocks of deep nests launch nothing, and need no look at all that is nested in them.
      const auto launches_one = [](const Stmt& stm) { return std::holds_alternative<Launch>(stm->node); };
      if (std::ranges::any_of(b.stmts, launches_one))
        StoreOverInput(program.kernels, launches, arrays, b, &b == &f.body).run();
    });
  }
  return program;
}

}  // namespace heddle::host
