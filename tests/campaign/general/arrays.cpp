#include <fmt/format.h>

#include <algorithm>

#include "tests/campaign/general/drawer.h"

namespace heddle::campaign {

std::string Drawer::dim() {
  static const std::vector<std::string> literals = {"1", "2", "3", "5", "8", "33"};
  const int64_t kind = random_.below(100);
  if (kind < (nest_.size() < 2 ? 10 : 40)) return random_.pick(literals);
  if (kind < 18 && nest_.empty())
    return fmt::format("({} {} {})", random_.pick(dims_), random_.percent(50) ? "+" : "*", random_.pick(dims_));
  return random_.pick(dims_);
}

Expression Drawer::array_leaf(const Type& type) {
  std::vector<std::string> same;
  std::vector<const Variable*> alike;
  for (const Variable& v : scope_) {
    if (v.type == type) same.push_back(v.name);
    if (v.type.dims == type.dims && v.type.elem != type.elem) alike.push_back(&v);
  }
  if (!same.empty() && random_.percent(90)) return node(type, random_.pick(same), {});
  if (!alike.empty() && random_.percent(90)) {
    const Variable& v = *random_.pick(alike);
    std::string f = conversion(v.type.elem, type.elem);
    for (size_t d = 1; d < type.dims.size(); ++d) f = fmt::format("(map {})", f);
    return node(type, fmt::format("(map {} {})", f, v.name), {});
  }
  const std::string i = fresh("i");
  Expression of = inside(type.dims[0], {{i, {"i64", {}}}}, row(type), 0);
  return node(type, fmt::format("(tabulate {} (\\{} -> $0))", type.dims[0], i), {std::move(of)}, {i});
}

Expression Drawer::map(const Type& type, int fuel) {
  const int64_t num = random_.between(1, 3);
  std::vector<Variable> variables;
  Expressions children;
  Names names;
  std::string operands;
  for (int64_t k = 0; k < num; ++k) {
    Type of{elem(), {type.dims[0]}};
    if (nest_.size() < 2 && random_.percent(40)) of.dims.push_back(dim());
    if (nest_.empty() && random_.percent(10)) of.dims.push_back(dim());
    children.push_back(array(of, fuel / (2 * static_cast<int>(num))));
    names.push_back(fresh("x"));
    variables.push_back({names.back(), row(of)});
    operands += fmt::format(" ${}", k);
  }
  children.push_back(inside(type.dims[0], variables, row(type), fuel / 2));
  return node(
      type,
      fmt::format("(map{} (\\{} -> ${}){})", num == 1 ? "" : std::to_string(num), fmt::join(names, " "), num, operands),
      std::move(children), names);
}

Expression Drawer::map_of_several(const Type& type, int fuel) {
  const std::string x = fresh("x"), v = fresh("v"), w = fresh("w"), d = dim();
  Type of{elem(), {d}}, first{elem(), {d}}, second{elem(), {d}};
  for (Type* t : {&of, &first, &second}) {
    if (nest_.size() < 2 && random_.percent(40)) t->dims.push_back(dim());
  }
  Expressions children = {array(of, fuel / 4), inside(d, {{x, row(of)}}, row(first), fuel / 4),
                          inside(d, {{x, row(of)}}, row(second), fuel / 4)};
  const size_t before = scope_.size();
  scope_.push_back({v, first});
  scope_.push_back({w, second});
  children.push_back(array(type, fuel / 4));
  scope_.resize(before);
  return node(type, fmt::format("(let ({}, {}) = unzip (map (\\{} -> ($1, $2)) $0) in $3)", v, w, x),
              std::move(children), {x, v, w});
}

// Rows that are worked on in several parallel steps, of which there is a version for blocks.
Expression Drawer::rows(const Type& type, int fuel) {
  const std::string x = fresh("x"), y = fresh("y"), z = fresh("z"), d = dim(), &n = type.dims[0];
  const Type of{elem(), {n, d}}, first{elem(), {d}}, second{elem(), {random_.percent(50) ? d : dim()}};
  const int part = std::max(fuel / 4, 2);
  Expressions children = {array(of, 0), inside(n, {{x, row(of)}}, first, part),
                          inside(n, {{x, row(of)}, {y, first}}, second, part),
                          inside(n, {{x, row(of)}, {y, first}, {z, second}}, row(type), part)};
  return node(type, fmt::format("(map (\\{} -> let {} = $1 let {} = $2 in $3) $0)", x, y, z), std::move(children),
              {x, y, z});
}

Expression Drawer::tabulate(const Type& type, int fuel) {
  const std::string i = fresh("i");
  Expression of = inside(type.dims[0], {{i, {"i64", {}}}}, row(type), fuel - 1);
  return node(type, fmt::format("(tabulate {} (\\{} -> $0))", type.dims[0], i), {std::move(of)}, {i});
}

// ---- Scans. ----

// The operator on rows of this type, and its neutral element.
static std::pair<std::string, std::string> on_rows(const Operator& o, const Type& row) {
  std::string f = o.op, neutral = o.neutral;
  for (size_t d = row.dims.size(); d-- > 0;) {
    f = fmt::format("(map2 {})", f);
    neutral = fmt::format("(replicate {} {})", row.dims[d], neutral);
  }
  return {f, neutral};
}

Expression Drawer::scan(const Type& type, int fuel) {
  const Operator o = op(type.elem, false);
  auto [f, neutral] = on_rows(o, row(type));
  return node(type, fmt::format("(scan {} {} $0)", f, neutral), {operand(o, type, fuel - 1)});
}

Expression Drawer::pair_scan(const Type& type, int fuel) {
  const PairOperator o = pair_op(type.elem, false);
  const int which = o.first == type.elem ? (o.second == type.elem ? static_cast<int>(random_.below(2)) : 0) : 1;
  return node(type, fmt::format("(map (.{}) (scan {} {} (zip $0 $1)))", which, o.op, o.neutral),
              {array({o.first, type.dims}, fuel / 2), array({o.second, type.dims}, fuel / 2)});
}

Expression Drawer::matrices_scan(const Type& type, int fuel) {
  return node(
      type,
      "(map (.1) (scan (\\(a, b, c, d) (e, f, g, h) -> (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)) "
      "(1, 0, 0, 1) (map2 (\\x y -> (x, y, 1, x)) $0 $1)))",
      {array(type, fuel / 2), array(type, fuel / 2)});
}

// A scan that is mapped, and may be reduced, which read its results at their own points, and those before.
Expression Drawer::read_scan(const Type& type, int fuel) {
  const std::string s = fresh("s"), b = fresh("b"), r = fresh("r"), x = fresh("x"), y = fresh("y"), i = fresh("i"),
                    &n = type.dims[0];
  const Type sum{random_.percent(50) ? "i32" : "i64", {}};
  const Operator o = op(type.elem, false), q = op(sum.elem, false);
  const std::vector<Variable> at_hand = {{x, row(type)}, {y, row(type)}, {i, {"i64", {}}}};
  Expressions children = {operand(o, type, fuel / 3), inside(n, at_hand, sum, fuel / 4),
                          inside(n, at_hand, row(type), fuel / 4)};
  const std::string is_reduced = fmt::format("if {} == 7 then {} else ", r, literal_of(type.elem));
  return node(
      type,
      fmt::format("(let {0} = scan {1} {2} $0 let {3} = map (\\j -> if j > 0 then {0}[j - 1] else {2}) (iota {4}) "
                  "let {5} = reduce {6} {7} (map3 (\\{8} {9} {10} -> $1) {0} {3} (iota {4})) in "
                  "map3 (\\{8} {9} {10} -> {11}$2) {0} {3} (iota {4}))",
                  s, o.op, o.neutral, b, n, r, q.op, q.neutral, x, y, i, random_.percent(60) ? is_reduced : ""),
      std::move(children), {s, b, r, x, y, i});
}

Expression Drawer::vector_reduction(const Type& type, int fuel) {
  const bool commutative = random_.percent(20);
  const Operator o = op(type.elem, commutative);
  auto [f, neutral] = on_rows(o, type);
  Type of{type.elem, {dim()}};
  of.dims.insert(of.dims.end(), type.dims.begin(), type.dims.end());
  return node(type, fmt::format("({} {} {} $0)", commutative ? "reduce_comm" : "reduce", f, neutral),
              {operand(o, of, fuel - 1)});
}

// ---- What is put in place by index. ----

Expression Drawer::histogram(const Type& type, int fuel) {
  const Operator o = op(type.elem, true);
  auto [f, neutral] = on_rows(o, row(type));
  Type values = type;
  values.dims[0] = dim();
  Expressions children = {array({"i64", {values.dims[0]}}, fuel / 3), operand(o, values, fuel / 3)};
  // Some are out of bounds.
  const std::string indices =
      random_.percent(80) ? fmt::format("(map (\\i -> i % ({} + 2) - 1) $0)", type.dims[0]) : "$0";
  if (random_.percent(50)) {
    return node(type, fmt::format("(hist {} {} {} {} $1)", f, neutral, type.dims[0], indices), std::move(children));
  }
  children.push_back(operand(o, type, fuel / 3));
  return node(type, fmt::format("(reduce_by_index (copy $2) {} {} {} $1)", f, neutral, indices), std::move(children));
}

Expression Drawer::pair_histogram(const Type& type, int fuel) {
  const PairOperator o = pair_op(type.elem, true);
  const int which = o.first == type.elem ? 0 : 1;
  const std::string d = dim();
  return node(type,
              fmt::format("(map (.{0}) (hist {1} {2} {3} (map (\\i -> i % ({3} + 1)) $0) (zip $1 $2)))", which, o.op,
                          o.neutral, type.dims[0]),
              {array({"i64", {d}}, fuel / 3), array({o.first, {d}}, fuel / 3), array({o.second, {d}}, fuel / 3)});
}

Expression Drawer::plane_histogram(const Type& type, int fuel) {
  const Operator o = op(type.elem, true);
  const std::string d = dim();
  return node(
      type,
      fmt::format("(reduce_by_index_2d (copy $3) {} {} (map2 (\\i j -> (i % ({} + 1), j % ({} + 1))) $0 $1) $2)", o.op,
                  o.neutral, type.dims[0], type.dims[1]),
      {array({"i64", {d}}, fuel / 4), array({"i64", {d}}, fuel / 4), operand(o, {type.elem, {d}}, fuel / 4),
       operand(o, type, fuel / 4)});
}

Expression Drawer::scatter(const Type& type, int fuel) {
  Expression into = array(type, fuel / 3);
  const std::string d = dim();
  if (random_.percent(40)) {
    // All that goes to an element is the same.
    return node(type,
                fmt::format("(scatter (copy $0) (map (\\i -> i % ({0} + 1)) $1) (replicate {1} $2))", type.dims[0], d),
                {std::move(into), array({"i64", {d}}, fuel / 3), draw(row(type), fuel / 3)});
  }
  Type values = type;
  values.dims[0] = d;
  static const std::vector<const char*> injective = {"({} - 1 - i)", "(i + 3)", "(2 * i)",
                                                     "(if i % 3 == 1 then -1 else i)"};
  const std::string i = fmt::format(fmt::runtime(random_.pick(injective)), d);
  return node(type, fmt::format("(scatter (copy $0) (map (\\i -> {}) (iota {})) $1)", i, d),
              {std::move(into), array(values, fuel / 2)});
}

// Of what is read at indices, the gradient is a sum at indices: an accumulator.
Expression Drawer::gradient(const Type& type, int fuel) {
  const std::string d = dim(), &n = type.dims[0];
  if (nest_.size() < 2 && random_.percent(50)) {
    const std::string e = dim();
    return node(type,
                fmt::format("(if {0} > 0 then vjp (\\v -> map (\\i -> map (\\j -> v[(i + j) % {0}]) (iota {1})) $1) $0 "
                            "(map (map small_{2}) $2) else $0)",
                            n, e, type.elem),
                {array(type, 0), array({"i64", {d}}, fuel / 2), array({type.elem, {d, e}}, fuel / 2)});
  }
  return node(type,
              fmt::format("(if {0} > 0 then vjp (\\v -> map (\\i -> 2 * v[i % {0}]) $1) $0 (map small_{1} $2) else $0)",
                          n, type.elem),
              {array(type, 0), array({"i64", {d}}, fuel / 2), array({type.elem, {d}}, fuel / 2)});
}

Expression Drawer::update(const Type& type, int fuel) {
  const std::string& n = type.dims[0];
  if (random_.percent(40)) {
    const std::string x = fresh("x"), t = fresh("t");
    Expression of = array(type, fuel / 2);
    Expression changed = inside(n, {{x, row(type)}}, row(type), fuel / 2);
    return node(type,
                fmt::format("(let {0} = copy $0 let part = map (\\{1} -> $1) {0}[{2} / 2:{2}] in copy {0} with "
                            "[{2} / 2:{2}] = part)",
                            t, x, n),
                {std::move(of), std::move(changed)}, {x, t});
  }
  return node(type, fmt::format("(if {0} > 0 then copy $0 with [$1 % {0}] = $2 else $0)", n),
              {array_leaf(type), scalar("i64", fuel / 3), draw(row(type), fuel / 2)});
}

Expression Drawer::update_loop(const Type& type, int fuel) {
  const std::string a = fresh("a"), i = fresh("i"), &n = type.dims[0];
  const std::string bound =
      random_.percent(60) ? std::to_string(random_.between(0, 5)) : fmt::format("({} % 7)", dim());
  Expression first = array(type, fuel / 3);
  const std::vector<Variable> variables = {{i, {"i64", {}}}, {a, type}};
  Expression at = inside("5", variables, {"i64", {}}, 1), value = inside("5", variables, row(type), fuel / 2);
  return node(
      type,
      fmt::format("(loop {0} = copy $0 for {1} < {2} do if {3} > 0 then {0} with [$1 % {3}] = copy $2 else {0})", a, i,
                  bound, n),
      {std::move(first), std::move(at), std::move(value)}, {a, i});
}

Expression Drawer::array_loop(const Type& type, int fuel) {
  const std::string a = fresh("a"), i = fresh("i");
  Expression first = array(type, fuel / 2);
  Expression next = inside("3", {{i, {"i64", {}}}, {a, type}}, type, fuel / 2);
  return node(type, fmt::format("(loop ({}: {}) = $0 for {} < {} do $1)", a, text(type), i, random_.between(0, 4)),
              {std::move(first), std::move(next)}, {a, i});
}

// ---- What is only moved. ----

Expression Drawer::moved(const Type& type, int fuel) {
  const std::string& n = type.dims[0];
  const int64_t kind = random_.below(6);
  if (type.dims.size() > 1 && kind < 3) {
    Type turned = type;
    if (type.dims.size() > 2 && kind == 0) {
      std::swap(turned.dims[1], turned.dims[2]);
      return node(type, "(map transpose $0)", {array(turned, fuel - 1)});
    }
    std::swap(turned.dims[0], turned.dims[1]);
    return node(type, "(transpose $0)", {array(turned, fuel - 1)});
  }
  if (kind == 3) return node(type, "(rotate $1 $0)", {array(type, fuel - 1), scalar_leaf("i64")});
  if (kind == 4) return backwards(type, "(reverse {})", array(type, fuel - 1));
  if (kind == 5)
    return node(type, fmt::format("(concat (drop ({0} / 3) $0) (take ({0} / 3) $0) :> {1})", n, text(type)),
                {array_leaf(type)});
  return backwards(type, "{}[::-1]", array_leaf(type));
}

// Futhark 0.25.27 knows an array of equal elements as a `replicate`, and slices it backwards from its first element instead of its last:
// whoever runs that yields what lies before the array. So arrays that may turn out to be such are hidden from it.
Expression Drawer::backwards(const Type& type, const char* text, Expression of) {
  const bool varies = std::ranges::find(arguments_, of.text) != arguments_.end();
  return node(type, fmt::format(fmt::runtime(text), varies ? "$0" : "(opaque $0)"), {std::move(of)});
}

Expression Drawer::joined(const Type& type, int fuel) {
  const std::string& n = type.dims[0];
  const size_t sign = n.find_first_of("+*");
  if (n[0] == '(' && sign != std::string::npos) {
    Type a = type, b = type;
    a.dims[0] = n.substr(1, sign - 2);
    b.dims[0] = n.substr(sign + 2, n.size() - sign - 3);
    if (n[sign] == '+') return node(type, "(concat $0 $1)", {array(a, fuel / 2), array(b, fuel / 2)});
    a.dims.insert(a.dims.begin() + 1, b.dims[0]);
    return node(type, "(flatten $0)", {array(a, fuel - 1)});
  }
  if (type.dims.size() > 1 && type.dims[1].find('(') == std::string::npos) {
    Type flat{type.elem, {fmt::format("({} * {})", n, type.dims[1])}};
    flat.dims.insert(flat.dims.end(), type.dims.begin() + 2, type.dims.end());
    return node(type, "(unflatten $0)", {array(flat, fuel - 1)});
  }
  return moved(type, fuel);
}

Expression Drawer::packed(const Type& type, int fuel) {
  const std::string x = fresh("x"), d = dim();
  Expression of = array({type.elem, {d}}, fuel / 2);
  Expression condition = inside(d, {{x, {type.elem, {}}}}, {"bool", {}}, fuel / 3);
  return node(
      type,
      fmt::format("(let fs = filter (\\{} -> $1) $0 in tabulate {} (\\i -> if i < length fs then fs[i] else {}))", x,
                  type.dims[0], literal_of(type.elem)),
      {std::move(of), std::move(condition)}, {x});
}

Expression Drawer::array(const Type& type, int fuel) {
  if (fuel <= 0 || nest_.size() + type.dims.size() > 4) return array_leaf(type);
  const int64_t kind = random_.below(100);
  const size_t rank = type.dims.size();
  const bool numbers = is_integer(type.elem);
  if (kind < 6) return array_leaf(type);
  if (kind < 15) return map(type, fuel);
  if (kind < 26) return nest_.empty() ? rows(type, fuel) : map(type, fuel);
  if (kind < 32) return map_of_several(type, fuel);
  if (kind < 36) return tabulate(type, fuel);
  if (kind < 41 && rank == 1) return read_scan(type, fuel);
  if (kind < 46) return scan(type, fuel);
  if (kind < 50 && rank == 1 && numbers) return pair_scan(type, fuel);
  if (kind < 52 && rank == 1 && numbers) return matrices_scan(type, fuel);
  if (kind < 56 && nest_.size() + rank < 4) return vector_reduction(type, fuel);
  if (kind < 63) return histogram(type, fuel);
  if (kind < 65 && rank == 1 && numbers) return pair_histogram(type, fuel);
  if (kind < 67 && rank == 2) return plane_histogram(type, fuel);
  if (kind < 71) return scatter(type, fuel);
  if (kind < 74 && rank == 1 && (type.elem == "f32" || type.elem == "f64")) return gradient(type, fuel);
  if (kind < 77) return update(type, fuel);
  if (kind < 81) return update_loop(type, fuel);
  if (kind < 84) return array_loop(type, fuel);
  if (kind < 89) return moved(type, fuel);
  if (kind < 92) return joined(type, fuel);
  if (kind < 93 && rank == 1 && nest_.empty()) return packed(type, fuel);
  if (kind < 96) return choice(type, fuel);
  return let(type, fuel);
}

}  // namespace heddle::campaign
