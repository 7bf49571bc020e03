#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "tests/campaign/stages/pipeline.h"

namespace heddle::campaign {

namespace {

std::string extent(const Extent& e) {
  if (e.size < 0) return std::to_string(e.constant);
  std::string n = fmt::format("n{}", e.size);
  if (e.num != 1) n = fmt::format("({} * {})", n, e.num);
  if (e.den != 1) n = fmt::format("({} / {})", n, e.den);
  return e.less == 0 ? n : fmt::format("(i64.max 0 ({} - {}))", n, e.less);
}

// In which a stage with such results computes.
std::string working_type(const std::string& type) { return type == "u8" || type == "i16" ? "i32" : type; }

class Text {
 public:
  explicit Text(const Pipeline& p) : p_(p) {}

  std::string run() {
    out_ = fmt::format("entry {}", p_.name);
    for (int s = 0; s < p_.sizes; ++s) out_ += fmt::format(" [n{}]", s);
    if (p_.repeated) out_ += " (steps: i64)";
    if (!p_.computes_table) out_ += " (table: [256]i32)";
    for (size_t i = 0; i < p_.images.size(); ++i) {
      std::string type;
      for (const Extent& e : p_.images[i].dims) type += fmt::format("[{}]", extent(e));
      out_ += fmt::format(" (img{}: {}{})", i, type, p_.images[i].type);
    }
    out_ += " =\n";
    if (p_.computes_table) out_ += "  let table = tabulate 256 (\\i -> i32.i64 (i * i % 61))\n";
    const bool until = p_.repeated && !p_.folds.empty();
    if (until) {
      out_ += "  let (last, _, _) = loop (img0, more, done) = (img0, true, 0) while more && done < steps do\n";
    } else if (p_.repeated) {
      out_ += "  let last = loop img0 for _step < steps do\n";
    }
    for (size_t s = 0; s < p_.stages.size(); ++s) stage(s);
    std::vector<std::string> results;
    for (size_t r : p_.results) {
      for (size_t k = 0; k < p_.stages[r].types.size(); ++k)
        results.push_back(name(static_cast<int>(r), static_cast<int>(k)));
    }
    if (p_.layered) results.push_back(layers());
    for (size_t k = 0; k < p_.folds.size(); ++k) fold(k);
    for (size_t k = 0; !p_.repeated && k < p_.folds.size(); ++k) results.push_back(fmt::format("fold{}", k));
    if (until) {
      const Fold& f = p_.folds[0];
      results.push_back(fmt::format("fold0 > {}", constant(folded_type(f), 4 * f.limit)));
      results.push_back("done + 1");
    }
    out_ += fmt::format("  in {}\n", results.size() == 1 ? results[0] : fmt::format("({})", fmt::join(results, ", ")));
    if (p_.repeated) out_ += "  in last\n";
    return out_;
  }

 private:
  static std::string name(int stage, int result) {
    return stage < 0 ? fmt::format("img{}", -1 - stage) : fmt::format("s{}_{}", stage, result);
  }
  const std::vector<Extent>& dims(int stage) const {
    return stage < 0 ? p_.images[static_cast<size_t>(-1 - stage)].dims : p_.stages[static_cast<size_t>(stage)].dims;
  }
  std::string type(const Read& r) const {
    return r.stage < 0 ? p_.images[static_cast<size_t>(-1 - r.stage)].type
                       : p_.stages[static_cast<size_t>(r.stage)].types[static_cast<size_t>(r.result)];
  }
  static std::string converted(const std::string& from, const std::string& to, const std::string& x) {
    return from == to ? x : fmt::format("({}_{} {})", to, from, x);
  }
  static std::string constant(const std::string& type, int64_t quarters) {
    bool is_float = type[0] == 'f';
    return is_float ? fmt::format("({}{})", static_cast<double>(quarters) / 4, type)
                    : fmt::format("({}{})", quarters, type);
  }

  // ---- Elements. ----

  // The index as if arrays went on for ever, `more` further.
  static std::string raw(const Index& i, const std::string& more) {
    if (i.along < 0) return std::to_string(i.offset) + more;
    std::string own = fmt::format("i{}", i.along), offset;
    if (i.offset != 0) offset = fmt::format(" {} {}", i.offset < 0 ? '-' : '+', std::abs(i.offset));
    if (i.num != 1) own = fmt::format("{} * {}", i.num, own);
    if (i.offset_first) return fmt::format("({}{}{}) / {}", own, offset, more, i.den);
    if (i.den != 1) own = fmt::format("{} / {}", own, i.den);
    return own + offset + more;
  }

  // The element that a read reads, in the type of its array; `more` is added to the index in dimension `along`.
  std::string element(const Read& r, int along = -1, const std::string& more = "") const {
    std::vector<std::string> at, conditions, inside;
    std::string lets;
    const std::vector<Extent>& shape = dims(r.stage);
    for (size_t d = 0; d < r.at.size(); ++d) {
      const Index& i = r.at[d];
      std::string place = raw(i, static_cast<int>(d) == along ? more : ""), n = extent(shape[d]);
      switch (i.border) {
        case Border::Clamp:
          place = fmt::format("i64.max 0 (i64.min ({} - 1) ({}))", n, place);
          break;
        case Border::ClampBelow:
          place = fmt::format("i64.min ({} - 1) (i64.max 0 ({}))", n, place);
          break;
        case Border::Mirror:
          place = fmt::format("mirror {} ({})", n, place);
          break;
        case Border::MirrorTwice:
          place = fmt::format("mirror_twice {} ({})", n, place);
          break;
        case Border::Wrap:
          place = fmt::format("({}) % {}", place, n);
          break;
        case Border::WrapByChoice:
          place = fmt::format("wrap {} ({})", n, place);
          break;
        case Border::Guard:
          conditions.push_back(fmt::format("0 <= {0} && {0} < {1}", place, n));
          break;
        case Border::Inside:
          inside.push_back(fmt::format("3 <= i{0} && i{0} + 3 < {1}", i.along, n));
          break;
        case Border::None:
          break;
      }
      at.push_back(place);
    }
    std::string value = fmt::format("{}[{}]", name(r.stage, r.result), fmt::join(at, ", "));
    if (!conditions.empty())
      value = fmt::format("(if {} then {} else {})", fmt::join(conditions, " && "), value, constant(type(r), 5));
    if (!inside.empty()) {
      Read at_point = r;
      for (Index& i : at_point.at) {
        if (i.border == Border::Inside) i.border = Border::Clamp, i.offset = 0;
      }
      value = fmt::format("(if {} then {} else {})", fmt::join(inside, " && "), value, element(at_point));
    }
    return value;
  }

  std::string value(const Read& r, const std::string& to, int along = -1, const std::string& more = "") const {
    return converted(type(r), to, element(r, along, more));
  }

  // ---- Stages. ----

  std::string term(const Term& t, const std::string& w) const {
    std::string text;
    auto number = [&](const Read& r) { return fmt::format("i64.i32 ({})", value(r, "i32")); };
    switch (t.kind) {
      case Term::Kind::Sum:
        for (size_t k = 0; k < t.reads.size(); ++k) {
          std::string one =
              fmt::format("{} * {}", constant(w, t.weight + static_cast<int64_t>(k) % 3), value(t.reads[k], w));
          text += text.empty() ? one : " + " + one;
        }
        return "(" + text + ")";
      case Term::Kind::Least:
        for (const Read& r : t.reads)
          text = text.empty() ? value(r, w) : fmt::format("{}.min ({}) ({})", w, text, value(r, w));
        return "(" + text + ")";
      case Term::Kind::Loop:
        return fmt::format("(loop sum = {} for j < 3 do sum + {}.i64 (j * {} + 1) * {})", constant(w, 0), w, t.weight,
                           value(t.reads[0], w, t.along, " + (j - 1)"));
      case Term::Kind::Filter:
        return fmt::format("(loop sum = {} for j < 3 do sum + {} * {})", constant(w, 0),
                           converted("i32", w, "table[j]"), value(t.reads[0], w, t.along, " + (j - 1)"));
      case Term::Kind::Table:
        return converted("i32", w, fmt::format("table[({}) & 255]", number(t.reads[0])));
      case Term::Kind::Choice:
        return fmt::format("(if {} < {} then {} else {})", value(t.reads[0], w), value(t.reads[1], w),
                           value(t.reads[2], w), value(t.reads[3], w));
      case Term::Kind::MovedFrom:
        return fmt::format("(let j = if {} < {} then -1 else 1 in {})", value(t.reads[0], w), constant(w, 8),
                           value(t.reads[1], w, t.along, " + j"));
      case Term::Kind::Whole:
        return converted(type(t.reads[0]), w, fmt::format("whole{}_{}", t.reads[0].stage, t.reads[0].result));
    }
    return "";
  }

  std::string point(const Stage& s, size_t result) const {
    const std::string& type = s.types[result];
    const std::string w = working_type(type);
    std::string text;
    for (const Term& t : s.terms[result]) {
      std::string one = term(t, w);
      if (text.empty())
        text = one;
      else
        text = t.op == 'm' ? fmt::format("{}.max ({}) {}", w, text, one) : fmt::format("{} {} {}", text, t.op, one);
    }
    if (text.empty()) {
      text = "i0";
      for (size_t d = 1; d < s.dims.size(); ++d) text += fmt::format(" + {} * i{}", d + 1, d);
      text = fmt::format("{}.i64 ({})", w, text);
    }
    return type == w ? text : fmt::format("{}_{} ({})", type, w, text);
  }

  // Makes layers of each part of the last stage, and yields their name.
  std::string layers() {
    const Stage& last = p_.stages.back();
    const std::string of = name(static_cast<int>(p_.stages.size()) - 1, 0);
    const size_t first = last.dims.size() > 1 ? 1 : 0;
    std::string behind;
    for (size_t d = first + 1; d < last.dims.size(); ++d) behind += fmt::format(", i{}", d);
    std::string made = fmt::format("{0}.max layers[l, i{1}{2}] layers[l, i64.min ({3} - 1) (i{1} + (1 << l)){2}]",
                                   last.types[0], first, behind, extent(last.dims[first]));
    for (size_t d = last.dims.size(); d-- > first;)
      made = fmt::format("tabulate {} (\\i{} -> {})", extent(last.dims[d]), d, made);
    made = fmt::format("loop layers = replicate 3 part for l < 2 do layers with [l + 1] = {}", made);
    out_ +=
        fmt::format("  let layers_of part = {}\n  let layers = {}layers_of {}\n", made, first > 0 ? "map " : "", of);
    return "layers";
  }

  std::string folded_type(const Fold& f) const {
    const std::string& type = p_.stages[f.stage].types[f.result];
    return type[0] == 'f' ? type : "i64";
  }

  void fold(size_t number) {
    const Fold& f = p_.folds[number];
    const Stage& stage = p_.stages[f.stage];
    const std::string &type = stage.types[f.result], w = folded_type(f);
    auto flat = [&](std::string array) {
      for (size_t d = 1; d < stage.dims.size(); ++d) array = fmt::format("(flatten {})", array);
      return array;
    };
    auto widened = [&](const std::string& x) { return type == w ? x : fmt::format("{}.{} {}", w, type, x); };
    std::string elements = flat(name(static_cast<int>(f.stage), static_cast<int>(f.result)));
    if (f.from_image) {
      elements = fmt::format("(map2 (\\x y -> {}.abs ({} - {})) {} {})", w, widened("x"), widened("y"), elements,
                             flat("img0"));
    } else {
      elements = fmt::format("(map (\\x -> {}) {})", widened("x"), elements);
    }
    std::string folded;
    switch (f.kind) {
      case Fold::Kind::Sum:
        folded = fmt::format("reduce (+) 0 (map (* {}) {})", f.weight, elements);
        break;
      case Fold::Kind::Greatest:
        folded = fmt::format("reduce {}.max {} {}", w, constant(w, -4000), elements);
        break;
      case Fold::Kind::Both:
        folded = fmt::format(
            "let (most, sum) = reduce_comm (\\(a, b) (c, d) -> (i64.max a c, b + d)) (-1000, 0) (map (\\x -> (x, x * "
            "{})) {}) in "
            "most * 7 + sum",
            f.weight, elements);
        break;
    }
    out_ += fmt::format("  let fold{} = {}\n", number, folded);
  }

  bool is_read_whole(size_t s, size_t result) const {
    return std::ranges::any_of(p_.stages, [&](const Stage& other) {
      return std::ranges::any_of(other.terms, [&](const std::vector<Term>& terms) {
        return std::ranges::any_of(terms, [&](const Term& t) {
          return t.kind == Term::Kind::Whole && t.reads[0].stage == static_cast<int>(s) &&
                 t.reads[0].result == static_cast<int>(result);
        });
      });
    });
  }

  void stage(size_t s) {
    const Stage& stage = p_.stages[s];
    std::vector<std::string> points, names;
    for (size_t k = 0; k < stage.types.size(); ++k) {
      points.push_back(point(stage, k));
      names.push_back(name(static_cast<int>(s), static_cast<int>(k)));
    }
    std::string body = points.size() == 1 ? points[0] : fmt::format("({})", fmt::join(points, ",\n      "));
    for (size_t d = stage.dims.size(); d-- > 0;)
      body = fmt::format("tabulate {} (\\i{} ->{}{})", extent(stage.dims[d]), d,
                         d + 1 == stage.dims.size() ? "\n      " : " ", body);
    if (points.size() > 1) body = fmt::format("unzip{} ({})", stage.dims.size(), body);
    out_ += fmt::format("  let {} = {}\n", points.size() == 1 ? names[0] : fmt::format("({})", fmt::join(names, ", ")),
                        body);
    for (size_t k = 0; k < stage.types.size(); ++k) {
      if (!is_read_whole(s, k)) continue;
      const std::string& type = stage.types[k];
      std::string flat = names[k];
      for (size_t d = 1; d < stage.dims.size(); ++d) flat = fmt::format("(flatten {})", flat);
      out_ += fmt::format("  let whole{}_{} = reduce {}.max {} {}\n", s, k, type, constant(type, 0), flat);
    }
  }

  const Pipeline& p_;
  std::string out_;
};

}  // namespace

std::string_view prelude() {
  return R"(def mirror (n: i64) (i: i64) = if i < 0 then -i else if i >= n then 2 * n - 2 - i else i
def mirror_twice (n: i64) (i: i64) = if i < 0 then -1 - i else if i >= n then 2 * n - 1 - i else i
def wrap (n: i64) (i: i64) = if i < 0 then i + n else if i >= n then i - n else i
def unzip1 [a] 't 'u (xs: [a](t, u)) = unzip xs
def unzip2 [a][b] 't 'u (xs: [a][b](t, u)) = unzip (map unzip1 xs)
def unzip3 [a][b][c] 't 'u (xs: [a][b][c](t, u)) = unzip (map unzip2 xs)
def unzip4 [a][b][c][d] 't 'u (xs: [a][b][c][d](t, u)) = unzip (map unzip3 xs)
def i32_u8 (x: u8) = i32.u8 x
def i32_i16 (x: i16) = i32.i16 x
def i32_f32 (x: f32) = if -1000 < x && x < 1000 then i32.f32 x else 7
def i32_f64 (x: f64) = if -1000 < x && x < 1000 then i32.f64 x else 7
def f32_u8 (x: u8) = f32.u8 x
def f32_i16 (x: i16) = f32.i16 x
def f32_i32 (x: i32) = f32.i32 x
def f32_f64 (x: f64) = f32.f64 x
def f64_u8 (x: u8) = f64.u8 x
def f64_i16 (x: i16) = f64.i16 x
def f64_i32 (x: i32) = f64.i32 x
def f64_f32 (x: f32) = f64.f32 x
def u8_i32 (x: i32) = u8.i32 x
def i16_i32 (x: i32) = i16.i32 x
)";
}

std::string text(const Pipeline& p) { return Text(p).run(); }

}  // namespace heddle::campaign
