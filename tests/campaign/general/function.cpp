#include <fmt/format.h>

#include <algorithm>

#include "tests/campaign/general/drawer.h"

namespace heddle::campaign {

namespace {

Number number(const std::string& dim) {
  const size_t sign = dim.find_first_of("+*");
  if (sign != std::string::npos) {
    Number a = number(dim.substr(1, sign - 2)), b = number(dim.substr(sign + 2, dim.size() - sign - 3));
    const bool sum = dim[sign] == '+';
    return {dim, [=](const Values& v) { return sum ? a.value(v) + b.value(v) : a.value(v) * b.value(v); }};
  }
  return std::isdigit(static_cast<unsigned char>(dim[0])) ? literal(std::stoll(dim)) : named(dim);
}

std::string text(const Expression& e) {
  std::string t;
  for (size_t i = 0; i < e.text.size(); ++i) {
    if (e.text[i] == '$') {
      t += text(e.children[static_cast<size_t>(e.text[++i] - '0')]);
    } else {
      t += e.text[i];
    }
  }
  return t;
}

// Points of all loops, and elements of arguments, which may be larger than what is read of them.
int64_t work(const Function& f, const Values& sizes) {
  constexpr int64_t kMuch = int64_t{1} << 40;  // what more there is does not matter, and would not fit
  int64_t all = 0;
  auto add = [&](const std::vector<std::string>& extents) {
    int64_t product = 1;
    for (const std::string& d : extents)
      product = std::min(product * std::clamp<int64_t>(number(d).value(sizes), 1, 1 << 20), kMuch);
    all += product;
  };
  for (const std::vector<std::string>& nest : f.nests) add(nest);
  for (const auto& [name, type] : f.params) add(type.dims);
  return all;
}

}  // namespace

std::string text(const Type& type) {
  std::string t;
  for (const std::string& d : type.dims) t += "[" + d + "]";
  return t + type.elem;
}

// Sums of small numbers are exact in every order.
std::string_view general_prelude() {
  return R"(def small_f16 (x: f16): f16 = if x > -2 && x < 2 then f16.trunc x else 1
def small_f32 (x: f32): f32 = if x > -4 && x < 4 then f32.trunc x else 1
def small_f64 (x: f64): f64 = if x > -4 && x < 4 then f64.trunc x else 1
def unit_f32 (x: f32): f32 = if x < 0 then -1 else 1
def unit_f64 (x: f64): f64 = if x < 0 then -1 else 1
def number_f16 (x: f16): f16 = if f16.isnan x then 0 else x
def number_f32 (x: f32): f32 = if f32.isnan x then 0 else x
def number_f64 (x: f64): f64 = if f64.isnan x then 0 else x
)";
}

Function draw_function(Random& random, const std::string& name) {
  Function f;
  f.name = name;
  static const std::vector<std::string> names = {"n", "m", "k"};
  f.sizes.assign(names.begin(), names.begin() + random.between(1, 3));
  Drawer drawer(random, f.sizes);
  // One array of each size alone, which makes the size known.
  for (const std::string& s : f.sizes) f.params.emplace_back("as_" + s, Type{drawer.elem(), {s}});
  for (int64_t p = 0, num = random.between(1, 4); p < num; ++p) {
    Type type{drawer.elem(), {}};
    for (int64_t rank = random.pick(std::vector<int64_t>{0, 1, 1, 2, 2, 2, 3}); rank > 0; --rank)
      type.dims.push_back(random.pick(f.sizes));
    f.params.emplace_back(fmt::format("p{}", p), type);
  }
  for (const auto& [param, type] : f.params) drawer.declare({param, type});
  Type result{drawer.elem(), {}};
  for (int64_t rank = random.between(0, 2); rank > 0; --rank) result.dims.push_back(drawer.dim());
  static const std::vector<int> fuels = {2, 3, 4, 5, 6, 8, 10, 16};
  const int fuel = random.pick(fuels);
  do {
    f.body = drawer.draw(result, fuel);
  } while (f.body.children.empty());
  f.nests = drawer.nests();
  for (const auto& [param, type] : f.params) f.nests.push_back(type.dims);
  return f;
}

Values draw_sizes(Random& random, const Function& function) {
  static const std::vector<int64_t> all = {0,   1,   2,   3,   5,    17,   31,   32,    33,   64,
                                           100, 255, 256, 257, 1000, 1025, 2049, 10000, 50000};
  constexpr int64_t kMostWork = 400'000;
  for (int64_t most = static_cast<int64_t>(all.size());; most = std::max<int64_t>(most - 1, 4)) {
    Values sizes;
    for (const std::string& s : function.sizes) sizes[s] = all[static_cast<size_t>(random.below(most))];
    if (most == 4 || work(function, sizes) <= kMostWork) return sizes;
  }
}

Entry entry(const Function& function) {
  Entry e;
  e.name = function.name;
  e.text = "entry " + function.name;
  for (const std::string& s : function.sizes) e.text += fmt::format(" [{}]", s);
  for (const auto& [name, type] : function.params) {
    e.text += fmt::format(" ({}: {})", name, text(type));
    Param p{name, type.elem, {}};
    for (const std::string& d : type.dims) p.dims.push_back(number(d));
    e.params.push_back(std::move(p));
  }
  e.text += fmt::format(": {} = {}", text(function.body.type), text(function.body));
  // What inputs are drawn for: numbers that are small but for some.
  e.contraction.type = "f32";
  e.contraction.reduce = "+";
  return e;
}

// ---- Smaller ones. ----

namespace {

bool uses(const Expression& e, const std::vector<std::string>& names) {
  const std::string t = text(e);
  std::string word;
  for (size_t i = 0; i <= t.size(); ++i) {
    if (i < t.size() && (std::isalnum(static_cast<unsigned char>(t[i])) || t[i] == '_')) {
      word += t[i];
      continue;
    }
    if (std::ranges::find(names, word) != names.end()) return true;
    word.clear();
  }
  return false;
}

size_t size(const Expression& e) {
  size_t n = 1;
  for (const Expression& c : e.children) n += size(c);
  return n;
}

// All expressions within one that can stand in its place, but for their types.
void collect(const Expression& e, std::vector<std::string> bound, std::vector<const Expression*>& found) {
  bound.insert(bound.end(), e.binds.begin(), e.binds.end());
  for (const Expression& c : e.children) {
    if (!uses(c, bound)) found.push_back(&c);
    collect(c, bound, found);
  }
}

// The plainest expression of a type.
Expression plainest(const Type& type, const Function& f) {
  for (const auto& [name, of] : f.params) {
    if (of == type) return {type, name, {}, {}};
  }
  std::string t = type.elem == "bool" ? "false" : fmt::format("({}.i32 1)", type.elem);
  for (size_t d = type.dims.size(); d-- > 0;) t = fmt::format("(replicate {} {})", type.dims[d], t);
  return {type, t, {}, {}};
}

class Smaller {
 public:
  explicit Smaller(const Function& f) : f_(f), changed_(f) {}

  std::vector<Function> all() {
    std::vector<const Expression*> parts;
    collect(f_.body, {}, parts);
    std::ranges::stable_sort(parts, {}, [](const Expression* t) { return size(*t); });
    for (const Expression* t : parts) {
      if (t->children.empty()) continue;
      Function less = f_;
      less.body = Expression(*t);
      found_.push_back(std::move(less));
    }
    within(changed_.body);
    for (size_t p = 0; p < f_.params.size(); ++p) {
      const std::string& name = f_.params[p].first;
      if (name.starts_with("as_") || uses(f_.body, {name})) continue;
      Function less = f_;
      less.params.erase(less.params.begin() + static_cast<long>(p));
      found_.push_back(std::move(less));
    }
    return std::move(found_);
  }

 private:
  void within(Expression& at) {
    if (at.children.empty()) return;
    const Expression before = at;
    auto instead = [&](Expression t) {
      at = std::move(t);
      found_.push_back(changed_);
      at = before;
    };
    instead(plainest(before.type, f_));
    std::vector<const Expression*> parts;
    collect(before, {}, parts);
    for (const Expression* t : parts) {
      if (t->type == before.type && !t->children.empty()) instead(*t);
    }
    for (Expression& c : at.children) within(c);
  }

  const Function& f_;
  Function changed_;
  std::vector<Function> found_;
};

}  // namespace

std::vector<Function> smaller(const Function& function) { return Smaller(function).all(); }

}  // namespace heddle::campaign
