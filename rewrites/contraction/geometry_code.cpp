#include "rewrites/contraction/geometry_code.h"

#include <array>
#include <cstring>

#include "ir/nest/traverse.h"
#include "rewrites/contraction/geometry_members.h"

namespace heddle::contraction {

namespace {

constexpr size_t kMostMembers = sizeof(hd_tile_geometry) / sizeof(int64_t);
static_assert(sizeof(hd_kernel_geometry) <= sizeof(hd_tile_geometry) && sizeof(hd_tiling) <= sizeof(hd_tile_geometry));

template <class Struct>
std::vector<size_t> offsets(const std::vector<Member>& members, const Struct& of) {
  std::vector<size_t> result;
  for (const Member& m : members) {
    result.push_back(static_cast<size_t>(reinterpret_cast<const char*>(m.place) - reinterpret_cast<const char*>(&of)));
  }
  return result;
}

bool has_room(const Tiling& t) {
  return t.parallel.size() <= HD_MAX_TILED_INDICES && t.reduction.size() <= HD_MAX_TILED_INDICES &&
         t.operands.size() <= HD_MAX_TILED_OPERANDS;
}

}  // namespace

GeometryCode::GeometryCode(const Geometry& geometry, const Tiling& tiling,
                           const std::function<int64_t(const nest::Expr&)>& number) {
  if (!has_room(tiling)) return;
  nest::Substitution sizes;
  for (const Name& n : sizes_of(geometry, tiling)) {
    sizes.emplace(n, nest::constant(number(nest::var(n, prim::Type::I64))));
  }
  hd_tiling t;
  std::vector<Member> constants = tiling_members(tiling, t);
  inputs_ = offsets(constants, t);
  std::vector<Name> inputs;
  for (const Member& m : constants) inputs.push_back(std::get<nest::Var>(m.value->node).name);
  auto add = [&](const std::vector<Member>& members, std::vector<size_t> offsets) {
    std::vector<nest::Expr> values;
    for (const Member& m : members) values.push_back(nest::substitute(sizes, m.value));
    codes_.push_back({nest::IntegerCode(inputs, values), std::move(offsets)});
  };
  hd_tile_geometry of_tiles;
  std::vector<Member> members = tile_members(geometry, of_tiles);
  add(members, offsets(members, of_tiles));
  hd_kernel_geometry of_kernel;
  members = kernel_members(geometry, of_kernel);
  add(members, offsets(members, of_kernel));
}

void GeometryCode::run(const Code& code, const hd_tiling& tiling, void* geometry) const {
  std::array<int64_t, kMostMembers> inputs, values;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    std::memcpy(&inputs[i], reinterpret_cast<const char*>(&tiling) + inputs_[i], sizeof(int64_t));
  }
  code.code.run(inputs.data(), values.data());
  for (size_t i = 0; i < code.offsets.size(); ++i) {
    std::memcpy(static_cast<char*>(geometry) + code.offsets[i], &values[i], sizeof(int64_t));
  }
}

hd_geometry_functions GeometryCode::functions() const {
  return {this,
          [](const void* self, const hd_tiling* t, hd_tile_geometry* g) {
            const auto* code = static_cast<const GeometryCode*>(self);
            code->run(code->codes_[0], *t, g);
          },
          [](const void* self, const hd_tiling* t, hd_kernel_geometry* g) {
            const auto* code = static_cast<const GeometryCode*>(self);
            code->run(code->codes_[1], *t, g);
          }};
}

}  // namespace heddle::contraction
