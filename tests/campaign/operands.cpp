#include "tests/campaign/operands.h"

#include <algorithm>

namespace heddle::campaign {

std::string Operands::literal_array(const std::vector<Access>& dims, size_t d, const std::string& type) {
  if (d == dims.size()) {
    if (type == "bool") return random_.percent(50) ? "true" : "false";
    int64_t n = random_.between(type[0] == 'u' || random_.percent(60) ? 0 : -2, 2);
    return n < 0 ? fmt::format("({}{})", n, type) : fmt::format("{}{}", n, type);
  }
  std::vector<std::string> rows;
  for (int64_t i = 0; i < dims[d].size.value({}); ++i) rows.push_back(literal_array(dims, d + 1, type));
  return fmt::format("[{}]", fmt::join(rows, ", "));
}

View Operands::prepared(const Operand& o) {
  View v{o.name, o.type, o.dims};
  if (o.is_literal) {
    tag("operand:literal");
    lets_.push_back(fmt::format("  let {} = {}\n", o.name, literal_array(o.dims, 0, o.type)));
    return v;
  }
  Param param{o.name, o.type, {}, false};
  for (const Access& a : o.dims) param.dims.push_back(a.size);
  if (o.dims.size() >= 2 && random_.percent(12)) {
    tag("operand:transposed");
    size_t d = o.dims.size() >= 3 && random_.percent(50) ? 1 : 0;
    std::swap(param.dims[d], param.dims[d + 1]);
    v.text = let("t", at_depth(d, "transpose", o.name));
  } else if (random_.percent(5)) {
    tag("operand:sliced");
    std::string offset = fresh("off"), longer = fresh("len");
    Number size = param.dims[0];
    c_.sizes.push_back({offset, [](Random& r, const Values&, int64_t) { return r.between(0, 2); }});
    c_.sizes.push_back({longer, [size, offset](Random& r, const Values& values, int64_t) {
                          return std::max<int64_t>(size.value(values), 0) + values.at(offset) + r.between(0, 1);
                        }});
    param.dims[0] = named(longer);
    v.text = let("v", fmt::format("{}[{}:{}+{}] :> {}", o.name, offset, offset, size.text, array_type(o.dims, o.type)));
  }
  params_.push_back(param);
  // Products of other floats than 1 and -1 are not exact.
  bool exact = !is_float(c_.type) || c_.reduce != "*";
  if (o.type != "bool" && exact && random_.percent(5)) {
    tag("operand:computed");
    v.text = let("m", at_depth(v.rest.size(), fmt::format("(\\x -> x + 1{})", o.type), v.text));
  }
  if (v.rest[0].kind == Access::Reversed && random_.percent(40)) {
    tag("operand:reverse");
    v.text = let("b", fmt::format("reverse {}", v.text));
    v.rest[0].kind = Access::Plain;
  }
  pad(v);
  im2col(v);
  flatten_first(v);
  return v;
}

void Operands::pad(View& v) {
  bool any = std::any_of(v.rest.begin(), v.rest.end(), [](const Access& a) { return a.padded(); });
  if (!any) return;
  if (random_.percent(50)) {
    tag("padding:guard");
    return;
  }
  std::string outside = v.type == c_.type ? c_.outside : zero(v.type);
  if (random_.percent(50)) {
    tag("padding:concatenation");
    for (size_t d = 0; d < v.rest.size(); ++d) {
      if (v.rest[d].padded()) concatenate(v, d, outside);
    }
  } else {
    tag("padding:tabulate");
    pad_by_tabulate(v, outside);
  }
}

Number Operands::longer_size(const Access& a) {
  std::string name = let("z", fmt::format("{} + 2*{}", a.size.text, a.padding.text));
  auto size = a.size.value, padding = a.padding.value;
  return {name, [=](const Values& values) { return size(values) + 2 * padding(values); }};
}

void Operands::concatenate(View& v, size_t d, const std::string& outside) {
  std::string border = outside;
  for (size_t k = v.rest.size(); k-- > d + 1;) border = fmt::format("(replicate {} {})", v.rest[k].size.text, border);
  border = fmt::format("replicate {} {}", v.rest[d].padding.text, border);
  Number size = longer_size(v.rest[d]);
  v.rest[d].size = size;
  v.rest[d].padding = literal(0);
  std::vector<Access> rows(v.rest.begin() + static_cast<long>(d), v.rest.end());
  std::string row = fresh("row");
  std::string f = fmt::format("(\\{} -> ({} ++ {} ++ {}) :> {})", row, border, row, border, array_type(rows, v.type));
  v.text = let("q", at_depth(d, f, v.text));
}

void Operands::pad_by_tabulate(View& v, const std::string& outside) {
  std::vector<std::string> extents, names, at, conditions;
  std::vector<Access> dims = v.rest;
  for (Access& a : dims) {
    std::string name = fresh("k");
    names.push_back(name);
    if (a.padded()) {
      std::string shifted = fmt::format("{} - {}", name, a.padding.text);
      at.push_back(shifted);
      conditions.push_back(fmt::format("{} >= {}", name, a.padding.text));
      conditions.push_back(fmt::format("{} < {}", shifted, a.size.text));
      a.size = longer_size(a);
      a.padding = literal(0);
    } else {
      at.push_back(name);
    }
    extents.push_back(a.size.text);
  }
  std::string body =
      fmt::format("if {} then {}[{}] else {}", fmt::join(conditions, " && "), v.text, fmt::join(at, ", "), outside);
  v.text = let("q", tabulates(extents, names, body));
  v.rest = dims;
}

void Operands::im2col(View& v) {
  bool any = std::any_of(v.rest.begin(), v.rest.end(), [](const Access& a) { return a.kind == Access::Window; });
  if (!any || !random_.percent(12)) return;
  std::vector<size_t> order;
  for (const Access& a : v.rest) {
    for (size_t i = 0; i < c_.indices.size(); ++i) {
      if (a.uses(i) && std::find(order.begin(), order.end(), i) == order.end()) order.push_back(i);
    }
  }
  if (order.size() > 6) return;
  tag("operand:im2col");
  if (random_.percent(60)) std::sort(order.begin(), order.end());
  Scope scope;
  std::vector<std::string> extents, names;
  std::vector<Access> dims;
  for (size_t i : order) {
    names.push_back(fresh("i"));
    extents.push_back(extent(i).text);
    scope.scalars[i] = names.back();
    Access a{Access::Plain, i};
    a.size = extent(i);
    dims.push_back(a);
  }
  std::string body = read(v, scope);
  v.text = let("col", tabulates(extents, names, body));
  v.rest = dims;
}

void Operands::flatten_first(View& v) {
  if (v.rest.size() < 2 || !random_.percent(6)) return;
  const Access &a = v.rest[0], &b = v.rest[1];
  if (a.kind != Access::Plain || b.kind != Access::Plain) return;
  tag("operand:flattened");
  v.text = let("f", fmt::format("flatten {}", v.text));
  Access flat{Access::Flat, a.i, b.i};
  flat.inner = b.size;
  Number outer = a.size, inner = b.size;
  flat.size = {fmt::format("({}*{})", outer.text, inner.text),
               [=](const Values& values) { return outer.value(values) * inner.value(values); }};
  v.rest.erase(v.rest.begin());
  v.rest[0] = flat;
}

}  // namespace heddle::campaign
