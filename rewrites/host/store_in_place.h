// A kernel that stores its results over the elements that they are computed from.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "ir/nest/index_map.h"

namespace heddle::host {

// Of an array that a kernel reads, the elements that are to become what it stores into another: along each dimension as many as the
// other has along its next one, from `start` on, or the one at `start`. Starts are in the kernel's scalars.
struct Place {
  struct Dim {
    nest::Polynomial start;
    bool is_one;
  };
  std::vector<Dim> dims;
};

// An index whose names' definitions have been looked through.
using Index = std::vector<nest::Polynomial>;

// Where a kernel stores to `to`, each element once, if each thread reads that element of `from` before, and nothing is done with either
// besides, but for reads of what `is_apart` from there. `is_one`: of the dimensions of `from`.
std::optional<Place> place_of_stores(const nest::Kernel& kernel, const Name& to, const Name& from,
                                     const std::vector<bool>& is_one,
                                     const std::function<bool(const Index& read, const Place& place)>& is_apart);

// The kernel that stores there what it stored to `to`, which it has no more; and the one that stores it to both.
nest::Kernel storing_there(nest::Kernel kernel, const Name& to, const Name& from, const Place& place);
nest::Kernel storing_to_both(nest::Kernel kernel, const Name& to, const Name& from, const Place& place,
                             NameSource& names);

}  // namespace heddle::host
