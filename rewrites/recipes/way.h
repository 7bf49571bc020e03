// A way to compute a contraction, before there is a tiled kernel for it: what alternatives are made of.
#pragma once

#include "ir/nest/traverse.h"
#include "rewrites/contraction/view.h"
#include "rewrites/recipes/plan.h"

namespace heddle::lower {

struct Way {
  std::string name;  // as Specialized::name
  recognize::Contraction match;
  // The match's buffers, and all scalars; what the kernel does is the seg op's, whichever the way.
  Launch direct;
  std::vector<Temporary> temporaries = {};
  std::vector<Pack> before = {};
  std::vector<Launch> first = {};
  std::vector<Launch> after = {};
  nest::Expr guard = {};  // as Specialized::guard
  std::optional<Parts> parts = {};
  std::optional<Detour> detour = {};
  std::optional<int> doubt = {};  // as Specialized::doubt
};

inline nest::Buffer& buffer_of(Way& way, const Name& name) {
  return *std::ranges::find(way.direct.kernel.buffers, name, &nest::Buffer::name);
}
inline const BufferArg& argument_of(const Way& way, const Name& name) {
  const auto& buffers = way.direct.kernel.buffers;
  return way.direct
      .buffer_args[static_cast<size_t>(std::ranges::find(buffers, name, &nest::Buffer::name) - buffers.begin())];
}
inline void add_buffer(Way& way, nest::Buffer buffer, BufferArg arg) {
  way.direct.kernel.buffers.push_back(std::move(buffer));
  way.direct.buffer_args.push_back(std::move(arg));
}
// Memory that holds such a buffer, which becomes one of the way's.
void add_temporary(Way& way, const nest::Buffer& buffer);

// Makes it a way to compute a contraction of other views of the buffers.
void see(Way& way, contraction::Viewed viewed);

// Demands this, too.
void demand(Way& way, const nest::Expr& condition);

// The kernel's scalars in terms of the host's, but for strides.
nest::Substitution host_values(const Launch& launch);

// Takes away the parameters that the kernel does not use.
void keep_used(Launch& launch);

// A launch with one thread for each point of a box; `point` is what it does, with these names for where the point is.
// Extents are over the way's scalars.
Launch launch_per_point(const Way& way, const std::string& suffix, const std::vector<recognize::Index>& box,
                        nest::Block point, NameSource& names);

}  // namespace heddle::lower
