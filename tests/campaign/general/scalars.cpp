#include <fmt/format.h>

#include "tests/campaign/general/drawer.h"

namespace heddle::campaign {

bool is_integer(const std::string& elem) { return elem[0] == 'i' || elem[0] == 'u'; }

std::string conversion(const std::string& from, const std::string& to) {
  if (from == to) return "(\\x -> x)";
  if (from == "bool" || (is_integer(from) && (is_integer(to) || to == "bool"))) return fmt::format("{}.{}", to, from);
  // Numbers that all floats have, and no float that integers lack.
  if (is_integer(from)) return fmt::format("(\\x -> {}.{} (x & {}))", to, from, to == "f16" ? 1 : 31);
  if (to == "bool") return "(\\x -> x > 0)";
  return fmt::format("(\\x -> {0}.{1} (small_{1} x))", to, from);
}

Drawer::Drawer(Random& random, std::vector<std::string> dims) : random_(random), dims_(std::move(dims)) {
  std::vector<std::string> some;
  for (int i = 0; i < 3; ++i) some.push_back(elem());
  elems_ = some;
}

std::string Drawer::elem() {
  if (!elems_.empty() && random_.percent(75)) return random_.pick(elems_);
  static const std::vector<std::string> all = {"i32", "i32", "i32", "i64", "i64", "f32", "f32", "f64",
                                               "i8",  "i16", "u8",  "u16", "u32", "u64", "f16", "bool"};
  return random_.pick(all);
}

std::string Drawer::literal_of(const std::string& elem) {
  if (elem == "bool") return random_.percent(50) ? "true" : "false";
  const int64_t n = random_.between(elem[0] == 'u' ? 0 : -3, 5);
  if (elem == "f16") return fmt::format("(f16.i64 ({}))", n % 2);
  return fmt::format("({}{}{})", n, is_integer(elem) ? "" : ".0", elem);
}

Expression Drawer::node(const Type& type, const std::string& text, Expressions children, Names binds) {
  std::vector<std::string> nest = nest_;
  nest.insert(nest.end(), type.dims.begin(), type.dims.end());
  nests_.push_back(nest);
  return {type, text, std::move(children), std::move(binds)};
}

Expression Drawer::inside(const std::string& extent, const std::vector<Variable>& variables, const Type& type,
                          int fuel) {
  const size_t before = scope_.size();
  scope_.insert(scope_.end(), variables.begin(), variables.end());
  nest_.push_back(extent);
  Expression t = draw(type, fuel);
  nest_.pop_back();
  scope_.resize(before);
  return t;
}

Operator Drawer::op(const std::string& elem, bool commutative) {
  if (elem == "bool") {
    static const std::vector<Operator> all = {{"(&&)", "true", ""}, {"(||)", "false", ""}, {"(!=)", "false", ""}};
    return random_.pick(all);
  }
  // Infinities are neutral beside all but NaN.
  const std::string numbers = is_integer(elem) ? "" : "number_" + elem;
  std::vector<Operator> all = {{elem + ".max", elem + ".lowest", numbers}, {elem + ".min", elem + ".highest", numbers}};
  if (elem == "f32" || elem == "f64") {
    all.push_back({"(+)", "0", "small_" + elem});
    all.push_back({"(+)", "0", "small_" + elem});
    all.push_back({"(*)", "1", "unit_" + elem});
  }
  if (is_integer(elem)) {
    for (int i = 0; i < 3; ++i) all.push_back({"(+)", "0", ""});
    all.push_back({"(*)", "1", ""});
    all.push_back({"(^)", "0", ""});
    all.push_back({"(|)", "0", ""});
    all.push_back({"(&)", fmt::format("({}.not 0)", elem), ""});
    if (!commutative) {
      all.push_back({"(\\a b -> if a != 0 then a else b)", "0", "", false});
      all.push_back({"(\\a b -> if b != 0 then b else a)", "0", "", false});
    }
  }
  return random_.pick(all);
}

PairOperator Drawer::pair_op(const std::string& elem, bool commutative) {
  std::vector<PairOperator> all = {
      {"(\\(v, i) (w, j) -> if v > w || (v == w && i <= j) then (v, i) else (w, j))",
       fmt::format("({}.lowest, i64.highest)", elem), elem, "i64"},
      {fmt::format("(\\(v, i) (w, j) -> (v + w, {}.max i j))", elem), fmt::format("(0, {}.lowest)", elem), elem, elem},
      {"(\\(v, i) (w, j) -> (v ^ w, i + j))", "(0, 0)", elem, "i32"}};
  // Where order counts, it should be seen: most orders of the first of these give another result.
  if (!commutative) {
    for (int i = 0; i < 4; ++i) all.push_back({"(\\(a, b) (c, d) -> (c * a, c * b + d))", "(1, 0)", elem, elem, false});
    all.push_back({"(\\(f, v) (g, w) -> (f || g, if g then w else v + w))", "(false, 0)", "bool", elem, false});
    all.push_back({"(\\(v, f) (w, g) -> (if f then v else v + w, f || g))", "(0, false)", elem, "bool", false});
  }
  return random_.pick(all);
}

// ---- Leaves. ----

Expression Drawer::element(const std::string& elem) {
  std::vector<const Variable*> arrays;
  for (const Variable& v : scope_) {
    if (!v.type.dims.empty()) arrays.insert(arrays.end(), v.type.elem == elem ? 5 : 1, &v);
  }
  if (arrays.empty()) return node({elem, {}}, literal_of(elem), {});
  const Variable& v = *random_.pick(arrays);
  std::string indices, inside;
  Expressions children;
  for (const std::string& d : v.type.dims) {
    indices += fmt::format("{}${} % {}", children.empty() ? "" : ", ", children.size(), d);
    inside += fmt::format("{}{} > 0", children.empty() ? "" : " && ", d);
    children.push_back(scalar_leaf("i64"));
  }
  std::string read = fmt::format("{}[{}]", v.name, indices);
  if (v.type.elem != elem) read = fmt::format("{} {}", conversion(v.type.elem, elem), read);
  return node({elem, {}}, fmt::format("(if {} then {} else {})", inside, read, literal_of(elem)), std::move(children));
}

Expression Drawer::scalar_leaf(const std::string& elem) {
  std::vector<const Variable*> scalars;
  // The variables of the lambdas around are what makes points different.
  for (size_t i = 0; i < scope_.size(); ++i) {
    const Variable& v = scope_[i];
    if (v.type.dims.empty()) scalars.insert(scalars.end(), (1 + i / 3) * (v.type.elem == elem ? 3 : 1), &v);
  }
  if (!scalars.empty() && random_.percent(85)) {
    const Variable& v = *random_.pick(scalars);
    const bool same = v.type.elem == elem;
    return node({elem, {}}, same ? v.name : fmt::format("({} {})", conversion(v.type.elem, elem), v.name), {});
  }
  if (elem == "i64" && random_.percent(30)) return node({elem, {}}, random_.pick(dims_), {});
  return node({elem, {}}, literal_of(elem), {});
}

// ---- Of other scalars. ----

Expression Drawer::converted(const std::string& elem, int fuel) {
  const std::string from = this->elem();
  return node({elem, {}}, fmt::format("({} $0)", conversion(from, elem)), {scalar(from, fuel - 1)});
}

Expression Drawer::integer_operation(const std::string& elem, int fuel) {
  static const std::vector<const char*> binary = {"($0 + $1)", "($0 - $1)", "($0 * $1)", "($0 & $1)", "($0 ^ $1)"};
  static const std::vector<const char*> unary = {"($0 / 3)",  "($0 % 5)",  "($0 // 7)",
                                                 "($0 %% 4)", "($0 >> 1)", "($0 << 2)"};
  if (random_.percent(20)) return node({elem, {}}, random_.pick(unary), {scalar(elem, fuel - 1)});
  std::string text = random_.pick(binary);
  if (random_.percent(20)) text = fmt::format("({}.{} $0 $1)", elem, random_.percent(50) ? "max" : "min");
  return node({elem, {}}, text, {scalar(elem, fuel / 2), scalar(elem, fuel / 2)});
}

Expression Drawer::float_operation(const std::string& elem, int fuel) {
  static const std::vector<const char*> binary = {"($0 + $1)", "($0 - $1)", "($0 * $1)"};
  std::string text = random_.pick(binary);
  // Futhark computes with half precision as with single precision where the processor has none.
  if (elem == "f16" || random_.percent(20))
    text = fmt::format("({}.{} $0 $1)", elem, random_.percent(50) ? "max" : "min");
  return node({elem, {}}, text, {scalar(elem, fuel / 2), scalar(elem, fuel / 2)});
}

Expression Drawer::bool_operation(int fuel) {
  static const std::vector<const char*> logic = {"($0 && $1)", "($0 || $1)", "($0 != $1)"};
  static const std::vector<const char*> compare = {"($0 < $1)", "($0 <= $1)", "($0 == $1)", "($0 > $1)", "($0 != $1)"};
  if (random_.percent(10)) return node({"bool", {}}, "(!$0)", {scalar("bool", fuel - 1)});
  if (random_.percent(30))
    return node({"bool", {}}, random_.pick(logic), {scalar("bool", fuel / 2), scalar("bool", fuel / 2)});
  const std::string of = elem();
  return node({"bool", {}}, random_.pick(compare), {scalar(of, fuel / 2), scalar(of, fuel / 2)});
}

// ---- Of arrays. ----

Expression Drawer::operand(const Operator& op, const Type& type, int fuel) {
  Expression t = array(type, fuel);
  if (op.before.empty()) return t;
  std::string f = op.before;
  for (size_t d = 1; d < type.dims.size(); ++d) f = fmt::format("(map {})", f);
  return node(type, fmt::format("(map {} $0)", f), {std::move(t)});
}

Expression Drawer::reduction(const std::string& elem, int fuel) {
  const bool commutative = random_.percent(20);
  const Operator o = op(elem, commutative);
  const std::string form = commutative ? "reduce_comm" : "reduce";
  if (random_.percent(10) && nest_.size() < 2) {
    Expression of = operand(o, {elem, {dim(), dim()}}, fuel - 1);
    return node({elem, {}}, fmt::format("({} {} {} (flatten $0))", form, o.op, o.neutral), {std::move(of)});
  }
  return node({elem, {}}, fmt::format("({} {} {} $0)", form, o.op, o.neutral), {operand(o, {elem, {dim()}}, fuel - 1)});
}

Expression Drawer::pair_reduction(const std::string& elem, int fuel) {
  const bool commutative = random_.percent(20);
  const PairOperator o = pair_op(elem, commutative);
  const std::string d = dim();
  const int which = o.first == elem ? (o.second == elem ? static_cast<int>(random_.below(2)) : 0) : 1;
  return node({elem, {}},
              fmt::format("({} {} {} (zip $0 $1)).{}", commutative ? "reduce_comm" : "reduce", o.op, o.neutral, which),
              {array({o.first, {d}}, fuel / 2), array({o.second, {d}}, fuel / 2)});
}

Expression Drawer::irregular_reduction(const std::string& elem, int fuel) {
  const Operator o = op(elem, false);
  const std::string i = fresh("i");
  Expression count = scalar("i64", fuel / 3);
  Expression of = inside("5", {{i, {"i64", {}}}}, {elem, {}}, fuel / 2);
  return node({elem, {}},
              fmt::format("(reduce {} {} (map (\\{} -> {} $1) (iota ($0 % 5))))", o.op, o.neutral, i, o.before),
              {std::move(count), std::move(of)}, {i});
}

Expression Drawer::scalar_loop(const std::string& elem, int fuel) {
  const std::string a = fresh("a"), i = fresh("i");
  const std::string bound =
      random_.percent(70) ? std::to_string(random_.between(0, 5)) : fmt::format("({} % 7)", dim());
  Expression first = scalar(elem, fuel / 3);
  Expression next = inside("5", {{a, {elem, {}}}, {i, {"i64", {}}}}, {elem, {}}, fuel / 2);
  const char* form = random_.percent(80) ? "(loop {0} = $0 for {1} < {2} do $1)"
                                         : "(loop ({0}, {1}) = ($0, 0i64) while {1} < {2} do ($1, {1} + 1)).0";
  return node({elem, {}}, fmt::format(fmt::runtime(form), a, i, bound), {std::move(first), std::move(next)}, {a, i});
}

Expression Drawer::filtered(const std::string& elem, int fuel) {
  const Operator o = op(elem, false);
  const std::string x = fresh("x"), d = dim();
  Expression of = operand(o, {elem, {d}}, fuel / 2);
  Expression condition = inside(d, {{x, {elem, {}}}}, {"bool", {}}, fuel / 3);
  return node({elem, {}}, fmt::format("(reduce {} {} (filter (\\{} -> $1) $0))", o.op, o.neutral, x),
              {std::move(of), std::move(condition)}, {x});
}

Expression Drawer::choice(const Type& type, int fuel) {
  return node(type, "(if $0 then $1 else $2)", {scalar("bool", fuel / 3), draw(type, fuel / 3), draw(type, fuel / 3)});
}

Expression Drawer::let(const Type& type, int fuel) {
  const std::string x = fresh("x");
  Type of{elem(), {}};
  for (int rank = static_cast<int>(random_.below(may_nest() ? 3 : 1)); rank > 0; --rank) of.dims.push_back(dim());
  Expression value = draw(of, fuel / 2);
  const size_t before = scope_.size();
  scope_.push_back({x, of});
  Expression in = draw(type, fuel / 2);
  scope_.resize(before);
  return node(type, fmt::format("(let {} = $0 in $1)", x), {std::move(value), std::move(in)}, {x});
}

Expression Drawer::scalar(const std::string& elem, int fuel) {
  if (fuel <= 0) return random_.percent(60) ? scalar_leaf(elem) : element(elem);
  const int64_t kind = random_.below(100);
  if (kind < 10) return random_.percent(50) ? scalar_leaf(elem) : element(elem);
  if (kind < 20) return converted(elem, fuel);
  if (kind < 25) return choice({elem, {}}, fuel);
  if (kind < 32) return let({elem, {}}, fuel);
  if (kind < 40) return scalar_loop(elem, fuel);
  if (may_nest()) {
    if (kind < 54) return reduction(elem, fuel);
    if (kind < 66 && is_integer(elem)) return pair_reduction(elem, fuel);
    if (kind < 70) return irregular_reduction(elem, fuel);
    // In kernels, arrays of computed sizes are not compiled yet.
    if (kind < 72 && nest_.empty()) return filtered(elem, fuel);
  }
  if (elem == "bool") return bool_operation(fuel);
  return is_integer(elem) ? integer_operation(elem, fuel) : float_operation(elem, fuel);
}

}  // namespace heddle::campaign
