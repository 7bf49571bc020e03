// Who needs scalars of the host, perhaps by others that follow from them.
//
//   read x_1: f32 = a_2[0];
//   let y_3: f32 = x_1 / 2f32;
//   launch 0 (y_3) (b_4);              x_1 and y_3 are needed once, in a kernel
//   read z_5: f32 = a_2[1];
//   assert z_5 < 1f32;                 z_5 is needed by the host
#pragma once

#include <unordered_map>

#include "ir/host/host.h"
#include "ir/nest/traverse.h"

namespace heddle::host {

class Needed {
 public:
  explicit Needed(const Block& body);

  // Those that one launch needs and nothing else does, or one write, which a kernel may do.
  const nest::NameSet& once() const { return once_; }
  // Whether it is needed by others than launches and writes.
  bool by_host(const Name& name) const { return by_host_.contains(name); }

 private:
  bool is_for_one_kernel(const Name& name) const;
  void need_by_host(const Name& name);

  std::unordered_map<Name, std::vector<Stmt>> users_;  // a null one is the function that yields it
  std::unordered_map<Name, Expr> computed_;
  nest::NameSet once_, by_host_;
};

}  // namespace heddle::host
