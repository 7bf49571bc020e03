#include <algorithm>
#include <set>

#include "tests/campaign/operands.h"

namespace heddle::campaign {

namespace {

std::string lines(const std::vector<std::string>& list) { return fmt::format("{}", fmt::join(list, "")); }

class Speller : Operands {
 public:
  Speller(Random& random, Contraction c) : Operands(random, std::move(c)) {}

  Entry run(const std::string& name) {
    for (const auto& [n, number] : c_.computed) lets_.push_back(fmt::format("  let {} = {}\n", n, number.text));
    for (const Operand& o : c_.operands) scope_.operands.push_back(prepared(o));
    for (size_t i = c_.num_parallel; i < c_.indices.size(); ++i) reduction_.push_back(i);
    while (random_.percent(35) && merge()) {
    }
    if (random_.percent(30)) random_.shuffle(reduction_);
    draw_epilogue();
    odd_ = random_.percent(3);
    guard_whole_term_ = random_.percent(20);
    std::vector<size_t> parallel;
    for (size_t i = 0; i < c_.num_parallel; ++i) parallel.push_back(i);
    if (random_.percent(25)) random_.shuffle(parallel);
    std::string body = points(parallel, scope_);
    if (late_relu_) body = late_relu(body);
    if (c_.num_parallel >= 2 && random_.percent(4)) {
      tag("result:transposed");
      body = fmt::format("transpose {}", body);
    }
    return finished(name, body);
  }

 private:
  Entry finished(const std::string& name, const std::string& body) {
    // A size that no array tells is an argument.
    std::set<std::string> told;
    std::vector<Param> arguments;
    for (const Param& p : params_) {
      for (const Number& d : p.dims) told.insert(d.text);
    }
    for (const Size& s : c_.sizes) {
      if (s.name[0] == '?' || told.contains(s.name)) continue;
      arguments.push_back({s.name, "i64", {}, true});
    }
    std::string head = fmt::format("entry {}", name);
    for (const Size& s : c_.sizes) {
      if (told.contains(s.name)) head += fmt::format(" [{}]", s.name);
    }
    params_.insert(params_.begin(), arguments.begin(), arguments.end());
    for (const Param& p : params_) {
      std::string type = p.type;
      for (size_t d = p.dims.size(); d-- > 0;) type = fmt::format("[{}]{}", p.dims[d].text, type);
      head += fmt::format(" ({}: {})", p.name, type);
    }
    std::string text = fmt::format("{} =\n{}  {}{}\n", head, lines(lets_), lets_.empty() ? "" : "in ", body);
    return {name, text, params_, {tags_.begin(), tags_.end()}, c_};
  }

  // Two indices of the reduction, neighbours in all that they occur in, become one.
  bool merge() {
    for (size_t i : reduction_) {
      for (size_t j : reduction_) {
        if (i != j && can_merge(i, j)) {
          merge(i, j);
          return true;
        }
      }
    }
    return false;
  }

  bool can_merge(size_t i, size_t j) const {
    bool found = false;
    for (const View& v : scope_.operands) {
      for (size_t d = 0; d < v.rest.size(); ++d) {
        const Access& a = v.rest[d];
        if (!a.uses(i) && !a.uses(j)) continue;
        if (a.kind != Access::Plain || a.size.text != extent(a.i).text) return false;
        if (a.i == i && (d + 1 == v.rest.size() || v.rest[d + 1].kind != Access::Plain || v.rest[d + 1].i != j))
          return false;
        if (a.i == j && (d == 0 || v.rest[d - 1].kind != Access::Plain || v.rest[d - 1].i != i)) return false;
        found = true;
      }
    }
    return found;
  }

  void merge(size_t i, size_t j) {
    tag("reduction:merged");
    Number outer = extent(i), inner = extent(j);
    Number both{fmt::format("({}*{})", outer.text, inner.text),
                [=](const Values& values) { return outer.value(values) * inner.value(values); }};
    c_.indices.push_back({fmt::format("r{}", c_.indices.size()), false, both});
    size_t merged = c_.indices.size() - 1;
    for (View& v : scope_.operands) {
      for (size_t d = 0; d + 1 < v.rest.size(); ++d) {
        if (v.rest[d].kind != Access::Plain || v.rest[d].i != i) continue;
        v.text = let("g", at_depth(d, "flatten", v.text));
        v.rest.erase(v.rest.begin() + static_cast<long>(d));
        v.rest[d].i = merged;
        v.rest[d].size = both;
      }
    }
    std::erase(reduction_, j);
    std::replace(reduction_.begin(), reduction_.end(), i, merged);
  }

  // ---- What is done to the sum. ----

  void draw_epilogue() {
    if (c_.type == "bool" || random_.percent(55)) return;
    if (random_.percent(45)) {
      tag("epilogue:bias");
      epilogue_view("bias", {static_cast<size_t>(random_.below(static_cast<int64_t>(c_.num_parallel)))});
    }
    if (random_.percent(15)) {
      tag("epilogue:residual");
      std::vector<size_t> all;
      for (size_t i = 0; i < c_.num_parallel; ++i) all.push_back(i);
      epilogue_view("res", all);
    }
    if (random_.percent(20)) {
      tag("epilogue:scale");
      scale_ = "scale";
      params_.push_back({scale_, c_.type, {}, false});
    }
    if (random_.percent(40)) {
      late_relu_ = random_.percent(30);
      relu_ = !late_relu_;
      tag(relu_ ? "epilogue:relu" : "epilogue:map over result");
    }
    if (random_.percent(8)) {
      tag("epilogue:border");
      border_ = true;
    }
    if (random_.percent(8) && c_.type != "i64") {
      tag("epilogue:conversion");
      convert_ = is_float(c_.type) ? "f64" : "i64";
    }
  }

  void epilogue_view(const char* base, const std::vector<size_t>& indices) {
    std::string name = fresh(base);
    View v{name, c_.type, {}};
    Param p{name, c_.type, {}, false};
    for (size_t i : indices) {
      Access a{Access::Plain, i};
      a.size = extent(i);
      // A size that the program computes is not one that a parameter can have.
      bool is_computed = std::any_of(c_.computed.begin(), c_.computed.end(),
                                     [&](const auto& entry) { return entry.first == a.size.text; });
      if (is_computed) {
        std::string size = fresh("e");
        auto wanted = a.size.value;
        c_.sizes.push_back({size, [wanted](Random& r, const Values& values, int64_t) {
                              int64_t n = std::max<int64_t>(wanted(values), 0);
                              return r.percent(2) ? std::max<int64_t>(n - 1, 0) : n;
                            }});
        a.size = named(size);
      }
      p.dims.push_back(a.size);
      v.rest.push_back(a);
    }
    params_.push_back(p);
    scope_.epilogue.push_back(v);
  }

  std::string maximum(const std::string& a, const std::string& b) const {
    return fmt::format("({}.max {} {})", c_.type, a, b);
  }

  std::string with_epilogue(std::string sum, const Scope& scope) {
    if (!scale_.empty()) sum = fmt::format("({} * {})", sum, scale_);
    for (const View& v : scope.epilogue) sum = fmt::format("({} + {})", sum, read(v, scope));
    if (relu_) sum = maximum(sum, "1" + c_.type);
    if (border_) {
      const std::string& p = scope.scalars.at(0);
      sum = fmt::format("(if {} == 0 then {} else {})", p, zero(c_.type), sum);
    }
    if (!convert_.empty()) sum = fmt::format("({}.{} {})", convert_, c_.type, sum);
    return sum;
  }

  std::string late_relu(const std::string& body) {
    std::string type = convert_.empty() ? c_.type : convert_;
    return at_depth(c_.num_parallel, fmt::format("(\\v -> {}.max v 0{})", type, type), body);
  }

  // ---- One point. ----

  std::string combine(const std::string& a, const std::string& b) const {
    if (c_.reduce == "max" || c_.reduce == "min") return fmt::format("({}.{} {} {})", c_.type, c_.reduce, a, b);
    return fmt::format("({} {} {})", a, c_.reduce, b);
  }

  std::string op() const {
    if (c_.reduce == "max" || c_.reduce == "min") return fmt::format("{}.{}", c_.type, c_.reduce);
    return fmt::format("({})", c_.reduce);
  }

  std::string term_of(const std::vector<std::string>& x) {
    auto joined = [&](const char* sep) { return fmt::format("({})", fmt::join(x, sep)); };
    if (x.size() == 1) {
      switch (c_.term) {
        case Term::SquaredDifference:
          return fmt::format("(let d = {} in d * d)", x[0]);
        default:
          return x[0];
      }
    }
    switch (c_.term) {
      case Term::Product:
        return joined(" * ");
      case Term::Sum:
        return joined(" + ");
      case Term::And:
        return joined(c_.type == "bool" ? " && " : " & ");
      case Term::Or:
        return joined(c_.type == "bool" ? " || " : " | ");
      case Term::Xor:
        return c_.type == "bool" ? fmt::format("({} != {})", x[0], x[1]) : joined(" ^ ");
      case Term::Equal:
        return fmt::format("({} == {})", x[0], x[1]);
      case Term::Difference:
        return joined(" - ");
      case Term::SquaredDifference:
        return fmt::format("(let d = {} - {} in d * d)", x[0], x[1]);
      case Term::Select:
        return fmt::format("(if {} > {} then {} else {})", x[0], x[1], x[0], x[1]);
    }
    return "";
  }

  std::string converted(const View& v, const std::string& text) const {
    return v.type == c_.type ? text : fmt::format("({}.{} {})", c_.type, v.type, text);
  }

  std::string term(const Scope& scope) {
    std::vector<std::string> xs;
    Guarded all;
    for (const View& v : scope.operands) {
      Guarded g = element(v, scope);
      if (!g.inside.empty() && guard_whole_term_) {
        all.lets += g.lets;
        all.inside.insert(all.inside.end(), g.inside.begin(), g.inside.end());
        xs.push_back(converted(v, g.element));
      } else {
        xs.push_back(converted(v, read(v, scope)));
      }
    }
    std::string text = term_of(xs);
    if (!all.inside.empty()) {
      tag("padding:guarded term");
      text = guarded(all, text, random_.percent(80) ? neutral(c_.reduce, c_.type) : zero(c_.type));
    }
    if (odd_ && !reduction_.empty()) {
      tag("odd:triangle");
      text = fmt::format("(if {} <= {} then {} else {})", scope.scalars.at(reduction_[0]), scope.scalars.at(0), text,
                         neutral(c_.reduce, c_.type));
    }
    return text;
  }

  // ---- Loops over indices. ----

  bool needs_name(size_t i, const Scope& scope) const {
    if (border_ && i == 0) return true;
    if (odd_ && (i == 0 || (!reduction_.empty() && i == reduction_[0]))) return true;
    auto used = [&](const View& v) {
      return std::any_of(v.rest.begin(), v.rest.end(), [&](const Access& a) { return a.uses(i); });
    };
    return std::any_of(scope.operands.begin(), scope.operands.end(), used) ||
           std::any_of(scope.epilogue.begin(), scope.epilogue.end(), used);
  }

  // What a map over index i goes over: rows of the views that begin with it, and its numbers if they are needed.
  struct Rows {
    std::vector<std::string> sources, names;
    Scope inner;
  };

  Rows rows(size_t i, const Scope& scope) {
    Rows r;
    r.inner = scope;
    auto take = [&](View& v) {
      if (v.rest.empty() || r.sources.size() >= 3) return;
      auto is_row = [&](const Access& a) {
        return a.kind == Access::Plain && a.i == i && a.size.text == extent(i).text;
      };
      std::string source = v.text;
      if (is_row(v.rest[0])) {
        v.rest.erase(v.rest.begin());
      } else if (v.rest.size() >= 2 && is_row(v.rest[1]) && random_.percent(50)) {
        tag("rows:transpose");
        source = fmt::format("(transpose {})", v.text);
        v.rest.erase(v.rest.begin() + 1);
      } else {
        return;
      }
      r.sources.push_back(source);
      v.text = fresh("x");
      r.names.push_back(v.text);
    };
    for (View& v : r.inner.operands) take(v);
    for (View& v : r.inner.epilogue) take(v);
    if (r.sources.empty() || needs_name(i, r.inner)) {
      r.sources.push_back(fmt::format("(iota {})", extent(i).text));
      r.names.push_back(fresh("i"));
      r.inner.scalars[i] = r.names.back();
    }
    return r;
  }

  std::string map_over(size_t i, const Scope& scope, const std::function<std::string(const Scope&)>& body) {
    Rows r = rows(i, scope);
    std::string head = r.sources.size() == 1 ? "map" : fmt::format("map{}", r.sources.size());
    std::string inner = body(r.inner);
    return fmt::format("({} (\\{} -> {}) {})", head, fmt::join(r.names, " "), inner, fmt::join(r.sources, " "));
  }

  Scope with_index(const Scope& scope, size_t i, const std::string& name) {
    Scope inner = scope;
    inner.scalars[i] = name;
    return inner;
  }

  std::string points(const std::vector<size_t>& left, const Scope& scope) {
    if (left.empty()) return with_epilogue(sum(scope), scope);
    size_t i = left[0];
    std::vector<size_t> rest(left.begin() + 1, left.end());
    bool plain_epilogue = scope.epilogue.empty() && !border_;
    if (left.size() == 1 && plain_epilogue && !odd_ && random_.percent(6)) return reduced_vector(i, scope);
    if (left.size() >= 2 && random_.percent(8)) {
      tag("parallel:flat index");
      return flat_points(left, scope);
    }
    size_t at_once = std::min<size_t>(left.size(), static_cast<size_t>(random_.between(1, 4)));
    if (at_once >= 2 && at_once <= 3 && random_.percent(70)) {
      tag("parallel:tabulate");
      Scope inner = scope;
      std::string es, ns;
      for (size_t k = 0; k < at_once; ++k) {
        std::string name = fresh("i");
        inner.scalars[left[k]] = name;
        es += " " + extent(left[k]).text;
        ns += " " + name;
      }
      std::vector<size_t> others(left.begin() + static_cast<long>(at_once), left.end());
      return fmt::format("(tabulate_{}d{} (\\{} -> {}))", at_once, es, ns.substr(1), points(others, inner));
    }
    if (random_.percent(45)) {
      tag("parallel:tabulate");
      std::string name = fresh("i");
      return fmt::format("(tabulate {} (\\{} -> {}))", extent(i).text, name, points(rest, with_index(scope, i, name)));
    }
    tag("parallel:map");
    return map_over(i, scope, [&](const Scope& inner) { return points(rest, inner); });
  }

  std::string flat_points(const std::vector<size_t>& left, const Scope& scope) {
    std::string q = fresh("q"), a = fresh("i"), b = fresh("i");
    const std::string &outer = extent(left[0]).text, &inner = extent(left[1]).text;
    Scope both = with_index(with_index(scope, left[0], a), left[1], b);
    std::vector<size_t> rest(left.begin() + 2, left.end());
    return fmt::format("(unflatten (tabulate ({}*{}) (\\{} -> let {} = {} / {} let {} = {} % {} in {})))", outer, inner,
                       q, a, q, inner, b, q, inner, points(rest, both));
  }

  // A reduction of whole rows of results.
  std::string reduced_vector(size_t p, const Scope& scope) {
    size_t r = reduction_[0];
    std::string a = fresh("i"), k = fresh("k");
    Scope inner = with_index(with_index(scope, p, a), r, k);
    std::vector<size_t> rest(reduction_.begin() + 1, reduction_.end());
    std::string value = rest.empty() ? term(inner) : reduced(rest, inner);
    std::string row = fmt::format("(tabulate {} (\\{} -> {}))", extent(p).text, a, value);
    std::string start = fmt::format("(replicate {} {})", extent(p).text, neutral(c_.reduce, c_.type));
    std::string text;
    if (random_.percent(50)) {
      tag("reduction:of rows");
      text = fmt::format("(reduce (map2 {}) {} (tabulate {} (\\{} -> {})))", op(), start, extent(r).text, k, row);
    } else {
      tag("reduction:loop over rows");
      text = fmt::format("(loop acc = {} for {} < {} do map2 {} acc {})", start, k, extent(r).text, op(), row);
    }
    return fmt::format("(map (\\v -> {}) {})", with_epilogue("v", scope), text);
  }

  std::string sum(const Scope& outer) {
    Scope scope = outer;
    std::string lets;
    for (View& v : scope.operands) {
      if (random_.percent(45)) slice(v, scope, lets);
    }
    std::string text = reduced(reduction_, scope);
    return lets.empty() ? text : fmt::format("({}in {})", lets, text);
  }

  // Takes the windows of a point out of an array.
  void slice(View& v, const Scope& scope, std::string& lets) {
    std::vector<std::string> at;
    std::vector<Access> rest;
    bool any = false, whole = true;
    auto bound = [&](size_t i) { return scope.scalars.contains(i); };
    for (const Access& a : v.rest) {
      if (a.kind == Access::Window && bound(a.i) && !bound(a.j) && !a.padded()) {
        std::string from = scaled(scope.scalars.at(a.i), a.stride), k = extent(a.j).text;
        if (a.dilation.text == "1") {
          at.push_back(fmt::format("{}:{} + {}", from, from, k));
        } else {
          at.push_back(fmt::format("{}:{} + ({} - 1)*{} + 1:{}", from, from, k, a.dilation.text, a.dilation.text));
        }
        Access of_slice{a.turned ? Access::Reversed : Access::Plain, a.j};
        of_slice.size = extent(a.j);
        rest.push_back(of_slice);
        any = true;
        whole = false;
      } else if (a.kind == Access::Plain && bound(a.i)) {
        at.push_back(scope.scalars.at(a.i));
        any = true;
      } else if (a.kind == Access::Fixed) {
        at.push_back(std::to_string(a.constant));
        any = true;
      } else {
        at.push_back(":");
        rest.push_back(a);
      }
    }
    if (!any || rest.empty()) return;
    tag(whole ? "rows:indexed" : "rows:slice");
    std::string name = fresh("w");
    std::string text = fmt::format("{}[{}]", v.text, fmt::join(at, ", "));
    if (!whole) text = fmt::format("({} :> {})", text, array_type(rest, v.type));
    lets += fmt::format("let {} = {} ", name, text);
    v.text = name;
    v.rest = rest;
  }

  std::string whole_reduce(const std::string& array) {
    static const std::map<std::string, std::string> named_ops = {
        {"+", "sum"}, {"*", "product"}, {"max", "maximum"}, {"min", "minimum"}};
    auto it = named_ops.find(c_.reduce);
    if (it != named_ops.end() && random_.percent(40)) return fmt::format("({}.{} {})", c_.type, it->second, array);
    const char* word = random_.percent(12) ? "reduce_comm" : "reduce";
    return fmt::format("({} {} {} {})", word, op(), neutral(c_.reduce, c_.type), array);
  }

  std::string inner_value(const std::vector<size_t>& left, const Scope& scope) {
    return left.empty() ? term(scope) : reduced(left, scope);
  }

  std::string reduced(const std::vector<size_t>& left, const Scope& scope) {
    size_t r = left[0];
    std::vector<size_t> rest(left.begin() + 1, left.end());
    std::string e = extent(r).text, ne = neutral(c_.reduce, c_.type);
    if (left.size() >= 2 && random_.percent(25)) return several(left, scope);
    int64_t choice = random_.below(100);
    if (choice < 22) {
      tag("reduction:tabulate");
      std::string k = fresh("k");
      return whole_reduce(fmt::format("(tabulate {} (\\{} -> {}))", e, k, inner_value(rest, with_index(scope, r, k))));
    }
    if (choice < 58) {
      tag("reduction:map");
      return whole_reduce(map_over(r, scope, [&](const Scope& inner) { return inner_value(rest, inner); }));
    }
    if (choice < 70) {
      tag("reduction:loop");
      return loop(r, scope, ne,
                  [&](const Scope& inner, const std::string& acc) { return combine(acc, inner_value(rest, inner)); });
    }
    if (choice < 82) {
      tag("reduction:carried loops");
      std::string start = ne;
      if (c_.reduce == "+" && !scope.epilogue.empty() && random_.percent(40)) {
        tag("reduction:starts with bias");
        start = read(scope.epilogue[0], scope);
      }
      return carried(left, scope, start);
    }
    if (choice < 88) {
      tag("reduction:fold");
      std::string acc = fresh("acc"), k = fresh("k");
      const char* word = random_.percent(70) ? "foldl" : "foldr";
      std::string names = word[4] == 'l' ? acc + " " + k : k + " " + acc;
      std::string body = combine(acc, inner_value(rest, with_index(scope, r, k)));
      return fmt::format("({} (\\{} -> {}) {} (iota {}))", word, names, body, ne, e);
    }
    if (choice < 94) {
      tag("reduction:loop over rows of arrays");
      Rows rs = rows(r, scope);
      if (rs.sources.size() > 1)
        return loop(r, scope, ne,
                    [&](const Scope& inner, const std::string& acc) { return combine(acc, inner_value(rest, inner)); });
      std::string acc = fresh("acc");
      std::string body = combine(acc, inner_value(rest, rs.inner));
      return fmt::format("(loop {} = {} for {} in {} do {})", acc, ne, rs.names[0], rs.sources[0], body);
    }
    if (choice < 97 && extent(r).literal && extent(r).value({}) <= 4) {
      tag("reduction:written out");
      std::string text;
      for (int64_t k = 0; k < extent(r).value({}); ++k) {
        std::string value = inner_value(rest, with_index(scope, r, std::to_string(k)));
        text = text.empty() ? value : combine(text, value);
      }
      return text.empty() ? ne : text;
    }
    tag("reduction:pipe");
    std::string k = fresh("k");
    std::string value = inner_value(rest, with_index(scope, r, k));
    return fmt::format("(iota {} |> map (\\{} -> {}) |> reduce {} {})", e, k, value, op(), ne);
  }

  std::string loop(size_t r, const Scope& scope, const std::string& start,
                   const std::function<std::string(const Scope&, const std::string&)>& body) {
    std::string acc = fresh("acc"), k = fresh("k");
    std::string text = body(with_index(scope, r, k), acc);
    return fmt::format("(loop {} = {} for {} < {} do {})", acc, start, k, extent(r).text, text);
  }

  // Loops that hand one accumulator on.
  std::string carried(const std::vector<size_t>& left, const Scope& scope, const std::string& start) {
    std::vector<size_t> rest(left.begin() + 1, left.end());
    return loop(left[0], scope, start, [&](const Scope& inner, const std::string& acc) {
      return rest.empty() ? combine(acc, term(inner)) : carried(rest, inner, acc);
    });
  }

  // Two or three indices in one reduction.
  std::string several(const std::vector<size_t>& left, const Scope& scope) {
    size_t n = left.size() >= 3 && random_.percent(40) ? 3 : 2;
    std::vector<size_t> rest(left.begin() + static_cast<long>(n), left.end());
    Scope inner = scope;
    std::vector<std::string> names;
    std::string es;
    for (size_t k = 0; k < n; ++k) {
      names.push_back(fresh("k"));
      inner.scalars[left[k]] = names.back();
      es += " " + extent(left[k]).text;
    }
    if (n == 2 && random_.percent(35)) {
      tag("reduction:flat index");
      const std::string &a = extent(left[0]).text, &b = extent(left[1]).text;
      std::string q = fresh("q");
      return whole_reduce(fmt::format("(tabulate ({}*{}) (\\{} -> let {} = {} / {} let {} = {} % {} in {}))", a, b, q,
                                      names[0], q, b, names[1], q, b, inner_value(rest, inner)));
    }
    tag("reduction:flatten");
    return whole_reduce(fmt::format("({} (tabulate_{}d{} (\\{} -> {})))", n == 2 ? "flatten" : "flatten_3d", n, es,
                                    fmt::join(names, " "), inner_value(rest, inner)));
  }

  Scope scope_;
  std::vector<size_t> reduction_;
  std::string scale_, convert_;
  bool relu_ = false, late_relu_ = false, border_ = false, odd_ = false, guard_whole_term_ = false;
};

}  // namespace

Entry spell(Random& random, Contraction contraction, const std::string& name) {
  return Speller(random, std::move(contraction)).run(name);
}

}  // namespace heddle::campaign
