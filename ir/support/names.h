// A name is a base text for people and a tag for identity: two names are equal when their tags
// are.
#pragma once

#include <compare>
#include <functional>
#include <string>

namespace heddle {

struct Name {
  std::string base;
  int tag = -1;

  std::string text() const { return base + "_" + std::to_string(tag); }
  friend bool operator==(const Name& a, const Name& b) { return a.tag == b.tag; }
  friend std::strong_ordering operator<=>(const Name& a, const Name& b) { return a.tag <=> b.tag; }
};

// Hands out names that occur nowhere else in a program. Passed along explicitly: a pass that makes names takes one.
class NameSource {
 public:
  explicit NameSource(int next_tag) : next_(next_tag) {}
  Name fresh(std::string base) { return Name{std::move(base), next_++}; }
  Name fresh(const Name& like) { return fresh(like.base); }
  int next_tag() const { return next_; }

 private:
  int next_;
};

}  // namespace heddle

template <>
struct std::hash<heddle::Name> {
  size_t operator()(const heddle::Name& n) const noexcept { return std::hash<int>{}(n.tag); }
};
