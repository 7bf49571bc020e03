#include "rewrites/contraction/tiled.h"

#include <algorithm>
#include <optional>

#include "ir/nest/traverse.h"
#include "rewrites/contraction/k_loop.h"
#include "rewrites/contraction/store_results.h"

namespace heddle::contraction {

namespace {

using nest::Expr;

struct Written {
  nest::Block body;
  std::vector<Name> address_scalars;  // registers of the kernel that hold addresses
};

Written write_body(const TileContext& x) {
  Written written;
  written.body = x.w.block([&] {
    x.threads.write_blocks(x.w, [&](const std::vector<Expr>& origin) {
      Chunks chunks(x);
      std::optional<Staging> tiles;
      if (x.schedule.reads >= Reads::Shared) tiles.emplace(x, chunks, origin);
      const Staging* staging = tiles ? &*tiles : nullptr;
      x.threads.write_threads(x.w, origin, [&](const ThreadPlace& thread) {
        nest::Buffer acc = x.w.alloc("acc", x.c.neutral.type, nest::Space::Register, x.geometry.points);
        Leaf leaf(x, staging, thread, acc);
        KLoop loop(x, chunks, staging, thread, leaf);
        loop.write();
        store_results(x, thread, acc);
        written.address_scalars = loop.address_scalars();
      });
    });
  });
  return written;
}

// The scalars that no value is computed from.
std::vector<Name> address_scalars(const TileContext& x, const std::vector<nest::ScalarParam>& scalars) {
  nest::NameSet in_values = nest::free_names(x.term());
  in_values.merge(nest::free_names(x.c.result.value));
  std::vector<Name> result;
  for (const nest::ScalarParam& p : scalars) {
    if (p.type == prim::Type::I64 && !in_values.contains(p.name)) result.push_back(p.name);
  }
  return result;
}

}  // namespace

nest::Kernel tiled(const recognize::Contraction& c, const Schedule& schedule, const std::vector<Name>& constants,
                   const nest::Kernel& direct, NameSource& names) {
  nest::Kernel kernel = direct;
  kernel.name += "_tiled";
  kernel.constants = constants;
  std::erase_if(kernel.scalars, [&](const nest::ScalarParam& p) { return std::ranges::count(constants, p.name) != 0; });
  Structure structure = structure_of(c, direct.buffers);
  Geometry geometry = geometry_of(c, structure, schedule);
  ThreadMap threads(structure, schedule, geometry);
  StatementWriter writer(names);
  const TileContext x{writer, c, structure, schedule, geometry, threads, direct.buffers};
  Written written = write_body(x);
  kernel.body = std::move(written.body);
  kernel.address_scalars = address_scalars(x, kernel.scalars);
  kernel.address_scalars.insert(kernel.address_scalars.end(), written.address_scalars.begin(),
                                written.address_scalars.end());
  kernel.bounds = nest::LaunchBounds{geometry.threads, schedule.registers};
  return kernel;
}

nest::Kernel tiled(const recognize::Contraction& c, const Tiling& tiling, const std::vector<Name>& constants,
                   const nest::Kernel& direct, NameSource& names) {
  std::vector<Name> all = constants_of(tiling);
  all.insert(all.end(), constants.begin(), constants.end());
  return tiled(c, full_schedule(c, structure_of(c, direct.buffers), tiling), all, direct, names);
}

}  // namespace heddle::contraction
