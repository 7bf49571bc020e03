// What is known about the scalars of a nest at one place of it, and proofs from that.
//
// Expressions become polynomials whose value is that of the expression taken as a signed integer (poly/inequalities.h
// does the proofs). So an operation that may wrap around must not become one, and this is the assumption by which most
// do: names declared as sizes or indices lie below 2^40 in magnitude, because memory and time are finite, and nothing
// computed from them alone leaves 64 bits. All other scalars are arbitrary: what is computed from them is a polynomial
// only where conditions in force bound them; otherwise it is an unknown of its own. `i + s < n` is never concluded from
// `s < n - i` for an s that the user is free to choose.
//
// Expressions given to one Facts must mean the same wherever they are given: a variable has one value throughout a
// scope. Loads are unknowns each time they are met, except from buffers declared constant.
//
// A question may take a fixed number of steps. What has not been found out by then counts as unknown: a proof may be
// missed then, but none is wrong. What was found out about a name is remembered until the scope ends: for good where it
// is all there is to know, and else until something more is assumed.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/nest/index_map.h"
#include "ir/poly/inequalities.h"

namespace heddle::nest {

class Facts {
 public:
  // `outer`: what names mean that are defined nowhere here, such as the host's scalars.
  Facts(NameSource& names, Definitions outer) : names_(names), outer_(std::move(outer)) {}

  // ---- What is known. ----

  // The size of something that exists: not negative, and small as said above.
  void size(const Name& name);
  // 0 <= name < extent, and small.
  void index(const Name& name, const Expr& extent);
  void define(const Name& name, const Expr& value);
  void assume(const Expr& condition, bool holds = true);
  // To be called when conditions have become known that may decide what names meant that were met before.
  void reconsider();
  // Nothing stores to the buffer.
  void constant_buffer(const Name& name) { constant_buffers_.insert(name); }

  // Runs `f` and then forgets what it made known.
  template <class F>
  auto scope(F f) {
    struct Restore {
      Facts& facts;
      size_t mark;
      ~Restore() { facts.undo_to(mark); }
    } restore{*this, undo_.size()};
    return f();
  }

  // ---- What follows. ----

  bool prove(const Expr& condition, bool holds = true) { return prove(condition, holds, kMaxDepth); }
  // The value of a condition, if it follows.
  std::optional<bool> decide(const Expr& condition);
  bool prove_at_most(const Expr& a, const Expr& b);  // a <= b, as signed integers
  bool prove_equal(const Expr& a, const Expr& b);    // integers
  // The signed value of an integer expression, if it depends on indices only.
  std::optional<Polynomial> over_indices(const Expr& e);
  // Whether an i64 lies below 2^40 in magnitude, as sizes and indices do.
  bool prove_small(const Expr& e);
  // The signed value of an integer expression, if it is a polynomial over what has a name in the program.
  std::optional<Polynomial> polynomial(const Expr& e);
  // n / b over what has a name in the program, if it is exact.
  std::optional<Expr> exact_quotient(const Expr& n, const Polynomial& b);
  // k where 0 <= p + k * unit < size.
  std::optional<int64_t> shift_into(const Polynomial& p, const Polynomial& unit, const Polynomial& size);
  // a / b and its remainder where b is positive, rounded as `op` does, if they are polynomials over what has a name in
  // the program.
  std::optional<Expr> quotient(const prim::Op& op, const Expr& a, const Expr& b);
  // One of the indices, which have these extents: if two others took its place, index = by * i + j for i < rows and
  // j < by, then a / b and its remainder would be polynomials.
  struct Digits {
    Name index;
    Expr rows, by;  // over what is defined where the indices are
  };
  std::optional<Digits> digits(const prim::Op& op, const Expr& a, const Expr& b,
                               const std::unordered_map<Name, Expr>& extents);

  // Gives the questions from here on as many steps as if they were the first: for another look at the same kernel.
  void look_again() { done_before_ = effort(); }

  // Steps done so far: expressions converted, conditions looked at, goals of searches for proofs.
  int64_t effort() const { return steps_ + inequalities_.effort(); }

 private:
  static constexpr int kMaxDepth = 6;
  static constexpr int kMaxCases = 3;

  // An unknown that is one of two values.
  struct Choice {
    Expr condition;          // the first if it holds; null:
    Polynomial if_positive;  // the first if this is not negative
    Polynomial first, second;
  };
  struct Assumed {
    Expr condition;
    bool holds;
  };
  struct Pending {
    Assumed assumed;
    int epoch;             // in which it was tried last
    bool settled = false;  // all that it says is known
  };
  struct Known {  // the polynomial of a variable
    Polynomial value;
    bool exact;  // else new conditions may yield a better one
    int epoch;
  };
  struct Decision {  // about a boolean variable
    std::optional<bool> value;
    int epoch;  // if there is none: new conditions may decide it
  };
  struct UnknownKey {
    prim::Op op;
    std::vector<Polynomial> args;
  };
  struct UnknownView {  // of a key that is nowhere yet
    const prim::Op& op;
    const std::vector<Polynomial>& args;
  };
  struct UnknownHash {
    using is_transparent = void;
    template <class Key>
    size_t operator()(const Key& key) const;
    size_t operator()(const Expr& e) const;
  };
  struct EqualUnknowns {
    using is_transparent = void;
    template <class A, class B>
    bool operator()(const A& a, const B& b) const {
      return a.op == b.op && a.args == b.args;
    }
    bool operator()(const Expr& a, const Expr& b) const { return equal(a, b); }
  };
  // One of the calls within each other that answer a question.
  struct Work {
    Facts& facts;
    explicit Work(Facts& facts);
    ~Work() { --facts.nesting_; }
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;
  };
  bool exhausted() const { return effort() >= last_step_; }
  // What is to be proved is converted first, and must leave something for the proof.
  bool is_converted_enough() const { return effort() >= last_step_ - reserve_; }

  void undo_to(size_t mark);
  void remember(std::function<void()> undo) { undo_.push_back(std::move(undo)); }
  // These are in force until the scope ends. What undoes them refers to the elements, which stay where they are: a
  // function that holds no more than two pointers needs no memory of its own, and there are very many.
  template <class Set>
  bool remember_in(Set& set, const Name& name) {
    auto [it, added] = set.insert(name);
    if (added) remember([&set, name = &*it] { set.erase(*name); });
    return added;
  }
  template <class Map, class Value>
  bool remember_new(Map& map, const typename Map::key_type& key, Value&& value) {
    auto [it, added] = map.try_emplace(key, std::forward<Value>(value));
    if (added) remember([&map, key = &it->first] { map.erase(*key); });
    return added;
  }
  template <class Map>
  void remember_in(Map& map, const Name& name, typename Map::mapped_type value) {
    auto it = map.find(name);
    if (it == map.end()) {
      remember_new(map, name, std::move(value));
    } else {
      auto old = std::exchange(it->second, std::move(value));
      remember([place = &it->second, old = std::move(old)]() mutable { *place = std::move(old); });
    }
  }
  void learn(Polynomial not_negative);
  bool says_small(const Polynomial& not_negative);
  void use_instead(const Polynomial& zero);
  void mark_small(const Name& name);
  void mark_new_small(const Name& name);  // that nothing was concluded from yet
  void new_epoch();

  // Whether all that the condition says is known now.
  bool assume(const Expr& condition, bool holds, bool is_retry);
  std::optional<bool> assume_either(const Expr& a, const Expr& b, bool holds);
  bool assume_compared(const Operation& o, bool holds);
  void retry_pending();
  bool settle(size_t pending);

  bool prove(const Expr& condition, bool holds, int depth);
  bool prove_compared(const prim::Op& op, const Polynomial& a, const Polynomial& b, bool holds);
  std::optional<bool> decide_variable(const Name& name, const Expr& variable);
  std::optional<bool> decide_opaque(const Expr& condition) const;
  bool never_negative(const Polynomial& p, int cases = kMaxCases, std::vector<Name> among = {});

  Expr definition(const Name& name) const;

  Polynomial convert(const Expr& e);
  Polynomial convert_variable(const Name& name, prim::Type type);
  std::optional<bool> decide_choice(const Expr& condition);
  std::optional<Polynomial> convert_operation(const Operation& o, std::vector<Polynomial>& args);
  void learn_clamped(const Polynomial& max, const Polynomial& low, const Polynomial& other);
  std::optional<Polynomial> convert_shift(const Operation& o, const Polynomial& a, const Polynomial& b);
  std::optional<Polynomial> division(const prim::Op& op, const Polynomial& a, const Polynomial& b);
  std::optional<Polynomial> unless_wrapped(std::optional<Polynomial> exact, prim::Type type);
  struct Unknown {
    Polynomial name;
    bool is_new;
  };
  Unknown choose(const prim::Op& op, const std::vector<Polynomial>& args, Choice choice);
  // A name for what is no polynomial, with the range of its type; the same one for the same operands.
  Unknown unknown(const prim::Op& op, const std::vector<Polynomial>& args);
  Unknown unknown(const Expr& e);
  Polynomial fresh(prim::Type type);
  void add_choice(const Name& name, Choice choice);
  Polynomial variable(const Name& name, prim::Type type);
  bool reads_memory(const Expr& e) const;
  bool is_small(const Polynomial& p);
  bool is_small(const Name& name);
  bool within(const Polynomial& p, int64_t low, int64_t high) const;
  bool follows(const Polynomial& not_negative) const;

  // What is divided, if the operation is a division of i64 by what is positive, with the remainder that floors.
  struct Fraction {
    Polynomial numerator, divisor;
  };
  std::optional<Fraction> fraction(const prim::Op& op, const Expr& a, const Expr& b);
  bool has_names(const Polynomial& p) const;
  std::optional<Expr> expression(const Polynomial& p) const;
  std::optional<Expr> exact(const Expr& n, const Polynomial& b);
  std::optional<Digits> digits(const Fraction& f, const Expr& divisor, const Name& index,
                               const std::unordered_map<Name, Expr>& extents);
  // Over what is defined outside, if it can be: not the indices.
  std::optional<Expr> outside(const Expr& e, const std::unordered_map<Name, Expr>& indices) const;

  NameSource& names_;
  Definitions outer_;
  poly::Inequalities inequalities_;
  std::unordered_map<Name, Expr> definitions_;
  std::unordered_map<Name, bool> truths_;  // of boolean variables
  std::unordered_set<Name> small_, sizes_, indices_, ranged_, constant_buffers_;
  std::vector<Name> unknowns_;    // names that no program has, in ascending order
  std::vector<Assumed> opaque_;   // conditions that no inequality expresses
  std::vector<Pending> pending_;  // conditions of which a side must be known first
  std::unordered_map<Name, Known> known_;
  std::unordered_map<Name, int> not_small_;       // in which epoch that was found
  std::unordered_map<Name, Decision> decisions_;  // of boolean variables
  std::unordered_map<UnknownKey, Name, UnknownHash, EqualUnknowns> unknown_operations_;
  std::unordered_map<Expr, Name, UnknownHash, EqualUnknowns> unknown_exprs_;
  std::unordered_map<Name, Choice> choices_;
  std::vector<std::function<void()>> undo_;
  bool exact_ = true;  // no operation of the conversion under way was given up because it might wrap around
  int epoch_ = 0;      // of what is assumed: the same number, the same assumptions
  int last_epoch_ = 0;
  int nesting_ = 0;   // of calls for one question
  int renewals_ = 0;  // within each other
  int deciding_ = 0;
  int64_t steps_ = 0, last_step_ = 0, reserve_ = 0, done_before_ = 0;
  bool retrying_ = false;
};

}  // namespace heddle::nest
