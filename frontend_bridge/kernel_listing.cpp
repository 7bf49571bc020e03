#include "frontend_bridge/kernel_listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ir/nest/printer.h"
#include "rewrites/plan/host_ops.h"

namespace heddle {

namespace {

class Lister {
 public:
  void op(const lower::HostOp& op) {
    heading_ = fmt::format("{}: {}", op.entry, lower::describe(*op.stm));
    const lower::Plan& lowered = *op.lowered;
    std::string otherwise = lowered.specialized.empty() ? "" : ", where no other way is open";
    if (lowered.rooms) add(lowered.rooms->sizes, {"before it: how large arrays are of which only threads know it"});
    for (size_t k = 0; k < lowered.launches.size(); ++k) {
      add(lowered.launches[k],
          {fmt::format("way: {}{}{}", lowered.recipe, otherwise, step(k, lowered.launches.size()))});
    }
    for (const lower::Specialized& s : lowered.specialized) way(s);
  }

  std::vector<ListedKernel> take() { return std::move(kernels_); }

 private:
  void way(const lower::Specialized& s) {
    std::string name = fmt::format("way: tiled{}{}", s.name.empty() ? "" : " (" + s.name + ")",
                                   s.guard ? " if " + nest::to_text(s.guard) : "");
    size_t steps = s.first.size() + 1 + s.after.size(), done = 0;
    for (const lower::Launch& l : s.first) add(l, {name + step(done++, steps)});
    std::vector<std::string> about = {name + step(done++, steps), "computes: " + recognize::to_text(s.match)};
    if (!s.before.empty()) {
      about.push_back(fmt::format("before it: {} copied into another order", count(s.before.size(), "operand")));
    }
    std::vector<std::string> constants;
    for (const Name& n : contraction::constants_of(s.tiling)) constants.push_back(n.text());
    about.push_back(fmt::format("constants, found when sizes are known: {}", fmt::join(constants, ", ")));
    std::vector<std::string> fixed;
    for (const auto& [constant, value] : s.fixed) {
      fixed.push_back(fmt::format("{} = {}", constant.text(), nest::to_text(value)));
    }
    if (!fixed.empty()) about.push_back(fmt::format("constants, of the program: {}", fmt::join(fixed, ", ")));
    add(s.launch, std::move(about));
    for (const lower::Launch& l : s.after) add(l, {name + step(done++, steps)});
  }

  static std::string count(size_t number, const std::string& what) {
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
  }

  static std::string step(size_t k, size_t of) { return of == 1 ? "" : fmt::format("; launch {} of {}", k + 1, of); }

  void add(const lower::Launch& l, std::vector<std::string> about) {
    about.insert(about.begin(), heading_);
    about.push_back(
        fmt::format("launched: {} blocks of {} threads", nest::to_text(l.num_blocks), nest::to_text(l.block_size)));
    kernels_.push_back({&l.kernel, std::move(about)});
  }

  std::string heading_;
  std::vector<ListedKernel> kernels_;
};

}  // namespace

std::vector<ListedKernel> list_kernels(const lower::PlannedProgram& program) {
  Lister lister;
  for (const lower::HostOp& op : lower::host_ops(program)) lister.op(op);
  return lister.take();
}

std::string kernel_listing(const lower::PlannedProgram& program, const std::string& comment,
                           const std::function<std::string(const nest::Kernel&)>& text) {
  std::string out;
  for (const ListedKernel& k : list_kernels(program)) {
    for (const std::string& line : k.about) out += comment + line + "\n";
    out += text(*k.kernel) + "\n";
  }
  return out;
}

}  // namespace heddle
