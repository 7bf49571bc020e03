// Random polynomials over the names x_0 to x_3, and values for these.
#pragma once

#include <rapidcheck.h>

#include <array>

#include "ir/poly/polynomial.h"

namespace heddle::poly {

using Point = std::array<int64_t, 4>;

inline Name random_name(int i) { return Name{"x", i}; }

inline std::function<int64_t(const Name&)> at(const Point& p) {
  return [p](const Name& n) { return p.at(static_cast<size_t>(n.tag)); };
}

}  // namespace heddle::poly

template <>
struct rc::Arbitrary<heddle::poly::Polynomial> {
  static Gen<heddle::poly::Polynomial> arbitrary() {
    using heddle::poly::Polynomial;
    auto name = gen::map(gen::inRange(0, 4), [](int i) { return heddle::poly::random_name(i); });
    auto term = gen::apply(
        [](std::vector<heddle::Name> names, int c) {
          if (names.size() > 3) names.resize(3);
          return Polynomial::of(heddle::poly::Term{names, c});
        },
        gen::container<std::vector<heddle::Name>>(name), gen::inRange(-20, 21));
    return gen::map(gen::container<std::vector<Polynomial>>(term), [](std::vector<Polynomial> terms) {
      if (terms.size() > 5) terms.resize(5);
      Polynomial sum;
      for (const Polynomial& t : terms) sum = sum + t;
      return sum;
    });
  }
};

template <>
struct rc::Arbitrary<heddle::poly::Point> {
  static Gen<heddle::poly::Point> arbitrary() {
    return gen::container<heddle::poly::Point>(gen::inRange<int64_t>(-9, 10));
  }
};
