// A contraction drawn at random: what is computed, before anybody has written it down.
//
//   result[p] = epilogue(reduce over r of term(operands at index maps of (p, r)))
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/campaign/random.h"

namespace heddle::campaign {

// What the sizes and the scalar arguments of a run are, by name.
using Values = std::map<std::string, int64_t>;

// A number as the program writes it.
struct Number {
  std::string text;
  std::function<int64_t(const Values&)> value;
  bool literal = false;
};
Number literal(int64_t n);
Number named(const std::string& name);

// A size of an array or an i64 argument. `draw` may look at what was drawn before and stays below `most` where it is
// free to.
struct Size {
  std::string name;
  std::function<int64_t(Random&, const Values&, int64_t most)> draw;
};

struct Index {
  std::string name;
  bool parallel;
  Number extent;
};

// How one dimension of an operand is indexed. i and j are numbers of indices.
struct Access {
  enum Kind {
    Plain,     // i
    Reversed,  // size - 1 - i
    Window,    // i * stride + j * dilation - padding; outside of the array there is `Contraction::outside`. If
               // `turned`, extent of j - 1 - j stands for j.
    Fixed,     // constant
    Flat,      // i * inner + j
  } kind;
  size_t i = 0, j = 0;
  Number stride{}, dilation{}, padding{};
  bool turned = false;
  int64_t constant = 0;
  Number size{};   // of the dimension
  Number inner{};  // Flat: the extent of j
  bool padded() const { return kind == Window && padding.text != "0"; }
  bool uses(size_t index) const {
    return kind != Fixed && (i == index || ((kind == Window || kind == Flat) && j == index));
  }
};

struct Operand {
  std::string name, type;
  std::vector<Access> dims;
  bool is_literal = false;  // written in the program
};

enum class Term { Product, Sum, Difference, SquaredDifference, Select, And, Or, Xor, Equal };

struct Contraction {
  std::vector<Index> indices;  // the parallel ones first
  size_t num_parallel;
  std::vector<Operand> operands;
  std::string type;    // of the sum
  std::string reduce;  // + * max min ^ & | || &&
  Term term;
  std::string outside;                                   // the padding, as written
  std::vector<Size> sizes;                               // in the order in which they are drawn
  std::vector<std::pair<std::string, Number>> computed;  // sizes that the program computes
};

Contraction draw_contraction(Random& random);

bool is_float(const std::string& type);
std::string neutral(const std::string& reduce, const std::string& type);
std::string zero(const std::string& type);

}  // namespace heddle::campaign
