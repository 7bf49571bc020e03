// What every part of a spelling needs: names, and how elements of arrays are read.
#pragma once

#include <fmt/format.h>

#include <set>

#include "tests/campaign/spelling.h"

namespace heddle::campaign {

// An array with the indices that it has not been given yet.
struct View {
  std::string text, type;
  std::vector<Access> rest;
};

struct Scope {
  std::vector<View> operands, epilogue;
  std::map<size_t, std::string> scalars;  // indices that have a name; others are bound by rows only
};

class Writer {
 protected:
  Writer(Random& random, Contraction c) : random_(random), c_(std::move(c)) {}

  void tag(const std::string& t) { tags_.insert(t); }
  std::string fresh(const char* base) { return fmt::format("{}_{}", base, count_++); }
  const Number& extent(size_t i) const { return c_.indices[i].extent; }

  struct Guarded {
    std::string lets;
    std::vector<std::pair<std::string, std::string>> inside;  // index and size
    std::string element;
  };

  std::string let(const char* base, const std::string& value);
  // f applied to the rows at a depth.
  std::string at_depth(size_t depth, const std::string& f, const std::string& array);
  std::string array_type(const std::vector<Access>& dims, const std::string& type);
  // Nested tabulates over these extents; `body` gets the names of the indices.
  std::string tabulates(const std::vector<std::string>& extents, const std::vector<std::string>& names,
                        const std::string& body);
  std::string scaled(const std::string& index, const Number& by);
  std::string index_text(const Access& a, const Scope& scope);
  Guarded element(const View& v, const Scope& scope);
  static std::string conditions(const Guarded& g, const char* low, const char* high, const char* join);
  std::string read(const View& v, const Scope& scope);
  std::string guarded(const Guarded& g, const std::string& value, const std::string& otherwise);

  Random& random_;
  Contraction c_;
  std::vector<std::string> lets_;  // before the contraction
  std::vector<Param> params_;
  std::set<std::string> tags_;

 private:
  int count_ = 0;
};

}  // namespace heddle::campaign
