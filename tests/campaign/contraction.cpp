#include "tests/campaign/contraction.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::campaign {

Number literal(int64_t n) {
  return {std::to_string(n), [n](const Values&) { return n; }, true};
}
Number named(const std::string& name) {
  return {name, [name](const Values& v) { return v.at(name); }};
}

bool is_float(const std::string& type) { return type[0] == 'f'; }

std::string zero(const std::string& type) { return type == "bool" ? "false" : "0" + type; }

std::string neutral(const std::string& reduce, const std::string& type) {
  if (reduce == "||") return "false";
  if (reduce == "&&") return "true";
  if (reduce == "*") return "1" + type;
  if (reduce == "max") return is_float(type) ? fmt::format("(-{}.inf)", type) : type + ".lowest";
  if (reduce == "min") return is_float(type) ? type + ".inf" : type + ".highest";
  if (reduce == "&") return fmt::format("({}.not 0)", type);
  return "0" + type;
}

namespace {

// Sizes of all sorts: edges of tiles and what lies beside them, primes, powers of two, and now and then nothing at all.
int64_t some_size(Random& random, int64_t most) {
  static const std::vector<int64_t> sizes = {1,  2,  3,  4,  5,  6,  7,  8,  9,  11, 13, 15,  16,
                                             17, 19, 23, 31, 32, 33, 47, 63, 64, 65, 96, 127, 128};
  if (random.percent(2)) return 0;
  auto end = std::upper_bound(sizes.begin(), sizes.end(), std::max<int64_t>(most, 1));
  return sizes[static_cast<size_t>(random.below(end - sizes.begin()))];
}

class Drawer {
 public:
  explicit Drawer(Random& random) : random_(random) {}

  Contraction run() {
    draw_operator();
    bool windows = random_.percent(60);
    if (windows) {
      windowed();
    } else {
      plain();
    }
    for (Operand& o : c_.operands) {
      if (random_.percent(35)) random_.shuffle(o.dims);
    }
    return std::move(c_);
  }

 private:
  void draw_operator() {
    static const std::vector<std::string> types = {"f32", "f32", "f32", "f32", "f64", "f64", "f16", "i8",  "i16", "i32",
                                                   "i32", "i32", "i64", "i64", "u8",  "u16", "u32", "u64", "bool"};
    c_.type = random_.pick(types);
    using Choice = std::pair<std::string, Term>;
    std::vector<Choice> choices = {{"+", Term::Product},
                                   {"+", Term::Product},
                                   {"+", Term::Product},
                                   {"+", Term::Product},
                                   {"+", Term::Product},
                                   {"max", Term::Sum},
                                   {"min", Term::Sum},
                                   {"max", Term::Product},
                                   {"min", Term::Product},
                                   {"+", Term::Difference},
                                   {"+", Term::SquaredDifference},
                                   {"max", Term::Difference},
                                   {"+", Term::Select},
                                   {"*", Term::Product}};
    if (!is_float(c_.type)) {
      for (Choice x : {Choice{"^", Term::And}, Choice{"|", Term::And}, Choice{"&", Term::Or}, Choice{"+", Term::Xor},
                       Choice{"*", Term::Sum}, Choice{"+", Term::And}})
        choices.push_back(x);
    }
    if (c_.type == "bool") {
      choices = {{"||", Term::And}, {"||", Term::And}, {"&&", Term::Or}, {"||", Term::Xor}, {"&&", Term::Equal}};
    }
    std::tie(c_.reduce, c_.term) = random_.pick(choices);
    c_.outside = random_.percent(85) ? zero(c_.type) : neutral(c_.reduce, c_.type);
    // A padding of the operand's type, which may be narrower, is zero.
  }

  std::string operand_type() {
    static const std::map<std::string, std::vector<std::string>> narrower = {
        {"f32", {"f16", "i8"}}, {"f64", {"f32", "i32"}}, {"i32", {"i8", "u8", "i16"}}, {"i64", {"i32", "i8"}}};
    auto it = narrower.find(c_.type);
    if (it == narrower.end() || !random_.percent(6)) return c_.type;
    c_.outside = zero(c_.type);
    return random_.pick(it->second);
  }

  std::string fresh(const char* base) { return fmt::format("{}{}", base, count_++); }

  Number size(const char* base) {
    std::string name = fresh(base);
    c_.sizes.push_back({name, [](Random& r, const Values&, int64_t most) { return some_size(r, most); }});
    return named(name);
  }

  // A size that is mostly as large as it must be, and at times larger or smaller.
  Number size_like(const char* base, const Number& wanted) {
    std::string name = fresh(base);
    auto value = wanted.value;
    c_.sizes.push_back({name, [value](Random& r, const Values& v, int64_t) {
                          int64_t n = std::max<int64_t>(value(v), 0);
                          if (r.percent(3)) return std::max<int64_t>(n - 1, 0);
                          return r.percent(10) ? n + r.between(1, 3) : n;
                        }});
    return named(name);
  }

  size_t index(bool parallel) {
    Number extent = random_.percent(parallel ? 6 : 25) ? literal(random_.between(1, parallel ? 6 : 4)) : size("n");
    c_.indices.push_back({fmt::format("{}{}", parallel ? "p" : "r", c_.indices.size()), parallel, extent});
    return c_.indices.size() - 1;
  }

  Access plain_access(size_t i) {
    Access a{Access::Plain, i};
    a.size = c_.indices[i].extent;
    // A size that the program computes is not one that a parameter can have.
    bool is_computed = std::any_of(c_.computed.begin(), c_.computed.end(),
                                   [&](const auto& entry) { return entry.first == a.size.text; });
    if (is_computed || random_.percent(a.size.literal ? 30 : 4)) a.size = size_like("m", a.size);
    if (random_.percent(5)) a.kind = Access::Reversed;
    return a;
  }

  void add_operand() { c_.operands.push_back({fmt::format("a{}", c_.operands.size()), operand_type(), {}}); }

  // The access of a dimension that something else has no say in.
  void maybe_fixed(Operand& o) {
    if (!random_.percent(3)) return;
    Access a{Access::Fixed};
    a.constant = random_.between(0, 1);
    a.size = literal(2);
    o.dims.push_back(a);
  }

  void plain() {
    auto num_parallel = static_cast<size_t>(random_.between(1, 4));
    static const std::vector<size_t> reductions = {1, 1, 1, 2, 2, 3, 4};
    size_t num_reduction = random_.pick(reductions);
    for (size_t k = 0; k < num_parallel + num_reduction; ++k) index(k < num_parallel);
    c_.num_parallel = num_parallel;
    static const std::vector<int> counts = {1, 2, 2, 2, 2, 2, 2, 3};
    int num_operands = random_.pick(counts);
    for (int o = 0; o < num_operands; ++o) add_operand();
    for (size_t i = 0; i < c_.indices.size(); ++i) {
      // A reduction's index is mostly in all operands, a parallel one mostly in one.
      bool everywhere = random_.percent(i < num_parallel ? 20 : 70);
      auto chosen = random_.below(num_operands);
      for (int o = 0; o < num_operands; ++o) {
        Operand& operand = c_.operands[static_cast<size_t>(o)];
        if ((everywhere || o == chosen) && operand.dims.size() < 5) operand.dims.push_back(plain_access(i));
      }
    }
    for (Operand& o : c_.operands) {
      maybe_fixed(o);
      if (o.dims.empty()) o.dims.push_back(plain_access(c_.num_parallel));
    }
    skew();
    drop_unused();
  }

  // Now and then a dimension that is indexed by a sum of two indices of any sort.
  void skew() {
    if (!random_.percent(6)) return;
    Operand& o = random_.pick_mutable(c_.operands);
    Access& a = random_.pick_mutable(o.dims);
    if (a.kind != Access::Plain) return;
    a.kind = Access::Window;
    do {
      a.j = static_cast<size_t>(random_.below(static_cast<int64_t>(c_.indices.size())));
    } while (a.j == a.i && c_.indices.size() > 1);
    a.stride = literal(random_.between(1, 2));
    a.dilation = literal(random_.between(1, 2));
    a.padding = literal(0);
    a.size = size_like("m", reach(a, c_.indices[a.i].extent));
  }

  // How long a dimension must be for windows at `places` places.
  Number reach(const Access& a, const Number& places) const {
    Number window = c_.indices[a.j].extent;
    return {"", [=](const Values& v) {
              int64_t n = places.value(v), k = window.value(v);
              if (n <= 0 || k <= 0) return int64_t{0};
              return std::max<int64_t>(
                  (n - 1) * a.stride.value(v) + (k - 1) * a.dilation.value(v) + 1 - 2 * a.padding.value(v), 0);
            }};
  }

  // A stride or dilation: mostly 1, else a literal or an argument.
  Number step() {
    if (random_.percent(65)) return literal(1);
    if (random_.percent(55)) return literal(random_.between(2, 3));
    std::string name = fresh("s");
    c_.sizes.push_back({name, [](Random& r, const Values&, int64_t) { return r.percent(4) ? 0 : r.between(1, 3); }});
    return named(name);
  }

  Number padding(const Number& window) {
    if (random_.percent(60)) return literal(0);
    if (window.literal) return literal((window.value({}) + (random_.percent(15) ? 2 : 0)) / 2);
    return {fmt::format("({}/2)", window.text), [window](const Values& v) { return window.value(v) / 2; }};
  }

  // An index that slides: its extent is what fits, or an argument that may be wrong.
  void slide(Access a, std::vector<Access>& dims) {
    Index& p = c_.indices[a.i];
    const Index& r = c_.indices[a.j];
    p.extent = {};
    Number wanted = size("?");  // a number of places to aim at; no part of the program
    Number places = wanted;
    a.size = size_like("h", reach(a, places));
    std::string name = fresh("o");
    if (random_.percent(12)) {
      c_.sizes.push_back(
          {name, [wanted](Random& r, const Values& v, int64_t) { return wanted.value(v) + (r.percent(3) ? 1 : 0); }});
    } else {
      std::string text;
      std::string padded = a.padded() ? fmt::format("{} + 2*{}", a.size.text, a.padding.text) : a.size.text;
      if (a.dilation.text == "1") {
        text = fmt::format("{} - {}", padded, r.extent.text);
      } else {
        text = fmt::format("{} - ({} - 1)*{} - 1", padded, r.extent.text, a.dilation.text);
      }
      Number stride = a.stride;
      // A stride that is an argument may be zero.
      if (stride.text != "1")
        text = fmt::format("({})/{}", text, stride.literal ? stride.text : fmt::format("(i64.max 1 {})", stride.text));
      auto window = r.extent;
      auto value = [a, window, stride](const Values& v) {
        int64_t n = a.size.value(v) + 2 * a.padding.value(v) - (window.value(v) - 1) * a.dilation.value(v) - 1;
        int64_t s = std::max<int64_t>(stride.value(v), 1);
        return (n >= 0 ? n / s : -((-n + s - 1) / s)) + 1;
      };
      c_.computed.push_back({name, {text + " + 1", value}});
    }
    p.extent = computed(name);
    dims.push_back(a);
  }

  Number computed(const std::string& name) const {
    for (const auto& [n, number] : c_.computed) {
      if (n == name) return {name, number.value};
    }
    return named(name);
  }

  void windowed() {
    static const std::vector<int> windows_of = {1, 2, 2, 2, 2, 2, 3};
    int num_windows = random_.pick(windows_of);
    bool batch = random_.percent(20), out = random_.percent(50), group = random_.percent(15),
         channels = random_.percent(50);
    static const std::vector<int> counts = {1, 2, 2, 2, 2};
    int num_operands = out ? 2 : random_.pick(counts);
    for (int o = 0; o < num_operands; ++o) add_operand();
    std::vector<size_t> batches, outs, groups, slides;
    if (batch) batches.push_back(index(true));
    if (group) groups.push_back(index(true));
    if (out) outs.push_back(index(true));
    for (int w = 0; w < num_windows; ++w) {
      c_.indices.push_back({fmt::format("p{}", c_.indices.size()), true, {}});
      slides.push_back(c_.indices.size() - 1);
    }
    c_.num_parallel = c_.indices.size();
    std::vector<size_t> channel_indices, window_indices;
    bool channels_first = random_.percent(70);
    if (channels && channels_first) channel_indices.push_back(index(false));
    bool same_window = random_.percent(40);
    for (int w = 0; w < num_windows; ++w) {
      window_indices.push_back(index(false));
      if (w > 0 && same_window) c_.indices.back().extent = c_.indices[window_indices[0]].extent;
    }
    if (channels && !channels_first) channel_indices.push_back(index(false));

    // The image.
    std::vector<Access> dims;
    for (size_t i : batches) dims.push_back(plain_access(i));
    for (size_t i : groups) dims.push_back(plain_access(i));
    for (size_t i : channel_indices) dims.push_back(plain_access(i));
    for (int w = 0; w < num_windows; ++w) {
      Access a{Access::Window, slides[static_cast<size_t>(w)], window_indices[static_cast<size_t>(w)]};
      a.stride = step();
      a.dilation = step();
      a.padding = padding(c_.indices[a.j].extent);
      a.turned = random_.percent(15);
      slide(a, dims);
    }
    c_.operands[0].dims = dims;
    if (num_operands == 1) return;
    // The filter.
    std::vector<Access>& filter = c_.operands[1].dims;
    bool by_point = random_.percent(4);  // another filter for every point
    for (size_t i : groups) filter.push_back(plain_access(i));
    for (size_t i : outs) filter.push_back(plain_access(i));
    for (size_t i : channel_indices) filter.push_back(plain_access(i));
    for (size_t i : window_indices) filter.push_back(plain_access(i));
    if (by_point) filter.insert(filter.begin(), plain_access(slides[0]));
    literal_filter(c_.operands[1]);
  }

  // Where all its sizes are literal, the operand may be written in the program.
  void literal_filter(Operand& o) {
    int64_t elems = 1;
    for (const Access& a : o.dims) {
      if (!a.size.literal) return;
      elems *= a.size.value({});
    }
    o.is_literal = elems <= 36 && random_.percent(50);
  }

  // Indices that no operand uses would make a point's value the same everywhere, which is fine for parallel ones.
  void drop_unused() {
    for (size_t i = c_.num_parallel; i < c_.indices.size(); ++i) {
      bool used = false;
      for (const Operand& o : c_.operands) {
        for (const Access& a : o.dims) used |= a.uses(i);
      }
      if (!used) c_.indices[i].extent = literal(1);
    }
  }

  Random& random_;
  Contraction c_;
  int count_ = 0;
};

}  // namespace

Contraction draw_contraction(Random& random) { return Drawer(random).run(); }

}  // namespace heddle::campaign
