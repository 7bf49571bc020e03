// Which host arrays are known to be dense, and in which order of dimensions. Kernels index such arrays without being
// told strides; of all others the host passes the strides.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "ir/seg/syntax.h"
#include "rewrites/points/device.h"

namespace heddle::lower {

class Layouts {
 public:
  explicit Layouts(Device device) : device_(device) {}

  // For which they are chosen.
  Device device() const { return device_; }
  // The order of dimensions, innermost last (identity: row-major), if the array is known to be dense.
  std::optional<std::vector<int>> dense_perm(const Name& array) const {
    auto it = dense_.find(array);
    return it == dense_.end() ? std::nullopt : std::optional(it->second.perm);
  }
  // The order of what is left of the array, a value of this type, if that is known to be dense.
  std::optional<std::vector<int>> dense_perm(const seg::Index& window, const seg::Type& type) const;
  void set(const Name& array, const seg::Type& type, std::optional<std::vector<int>> perm);

 private:
  struct Dense {
    std::vector<int> perm;
    std::vector<seg::Dim> dims;
  };
  Device device_;
  std::unordered_map<Name, Dense> dense_;
};

// The order in which a segmap stores a result: row-major for scalars per point; where the point of a thread yields an
// array, the points come innermost, so that neighbouring threads write neighbouring elements, unless the array is small.
// The threads of a block that has a point to itself are neighbours within the array, and threads that work by themselves
// have no neighbours.
std::vector<int> result_perm(Device device, const seg::SegLevel& level, const seg::SegSpace& space,
                             const seg::Type& point_type);

// Layouts of the program's constants and of everything bound in the host part of one function. Parameters of entry
// points and results of array constructors are row-major.
Layouts find_layouts(Device device, const seg::Stms& constants, const seg::FunDef* function = nullptr);
// Adds those of what these statements of the host bind.
void add_layouts(Layouts& layouts, const seg::Stms& stms);

}  // namespace heddle::lower
