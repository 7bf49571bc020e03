// What a rewrite of a kernel is told, as text: the names in it are those of the kernel's text.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ir/nest/nest.h"
#include "ir/nest/traverse.h"

namespace heddle::nest {

// What a parameter's text stands for.
enum class ArgumentKind {
  Loop,        // i_3: the loop's index
  Buffer,      // tile_7
  Buffers,     // a_5,b_6
  Scalar,      // k_4: a scalar parameter of the kernel
  Size,        // 4, T_2 or T_2*R_3: over the kernel's constants and scalars
  RowSizes,    // a_5:W_2,b_6:4: a size for each of some buffers
  Role,        // grid, block, warp, lane
  Dimensions,  // 1,0: numbers of dimensions
  Word,        // what a new name begins with
};

// What stands for such a text in a usage, as "LOOP".
std::string_view placeholder(ArgumentKind kind);

struct Parameter {
  std::string_view name;
  ArgumentKind kind;
  std::string_view description;
  bool may_be_left_out = false;
};

// The values of a rewrite's parameters. What asks for one that does not suit the kernel throws Refused with an input
// error that says what would.
class Arguments {
 public:
  // `given`: texts by the names of parameters, each of which the rewrite has.
  Arguments(const Kernel& kernel, std::map<std::string, std::string, std::less<>> given);

  bool has(std::string_view parameter) const { return given_.contains(parameter); }
  Name loop(std::string_view parameter) const;
  Name buffer(std::string_view parameter) const;
  std::vector<Name> buffers(std::string_view parameter) const;
  Name scalar(std::string_view parameter) const;
  Expr size(std::string_view parameter) const;
  Substitution row_sizes(std::string_view parameter) const;
  Role role(std::string_view parameter) const;
  std::vector<size_t> dimensions(std::string_view parameter) const;
  std::string word(std::string_view parameter) const;

 private:
  const std::string& text(std::string_view parameter) const;
  Expr size_of(std::string_view parameter, std::string_view text) const;

  std::map<std::string, std::string, std::less<>> given_;
  std::vector<Name> loops_, buffers_, scalars_, sizes_;  // of the kernel
};

}  // namespace heddle::nest
