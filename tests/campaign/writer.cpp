#include "tests/campaign/writer.h"

namespace heddle::campaign {

std::string Writer::let(const char* base, const std::string& value) {
  std::string name = fresh(base);
  lets_.push_back(fmt::format("  let {} = {}\n", name, value));
  return name;
}

std::string Writer::at_depth(size_t depth, const std::string& f, const std::string& array) {
  std::string function = f;
  for (size_t d = 0; d < depth; ++d) function = fmt::format("(map {})", function);
  return fmt::format("({} {})", function, array);
}

std::string Writer::array_type(const std::vector<Access>& dims, const std::string& type) {
  std::string text;
  for (const Access& a : dims) text += fmt::format("[{}]", a.size.text);
  return text + type;
}

std::string Writer::tabulates(const std::vector<std::string>& extents, const std::vector<std::string>& names,
                              const std::string& body) {
  std::string text = body;
  size_t left = names.size();
  while (left > 0) {
    size_t k = std::min<size_t>(left, static_cast<size_t>(random_.between(1, 3)));
    std::string head = k == 1 ? "tabulate" : fmt::format("tabulate_{}d", k);
    std::string ns, es;
    for (size_t i = left - k; i < left; ++i) {
      es += " " + extents[i];
      ns += " " + names[i];
    }
    text = fmt::format("({}{} (\\{} -> {}))", head, es, ns.substr(1), text);
    left -= k;
  }
  return text;
}

std::string Writer::scaled(const std::string& index, const Number& by) {
  if (by.text == "1") return index;
  return random_.percent(50) ? fmt::format("{}*{}", index, by.text) : fmt::format("{}*{}", by.text, index);
}

std::string Writer::index_text(const Access& a, const Scope& scope) {
  switch (a.kind) {
    case Access::Plain:
      return scope.scalars.at(a.i);
    case Access::Reversed:
      return fmt::format("{} - 1 - {}", a.size.text, scope.scalars.at(a.i));
    case Access::Fixed:
      return std::to_string(a.constant);
    case Access::Flat:
      return fmt::format("{}*{} + {}", scope.scalars.at(a.i), a.inner.text, scope.scalars.at(a.j));
    case Access::Window:
      break;
  }
  std::string j = scope.scalars.at(a.j);
  if (a.turned) j = fmt::format("({} - 1 - {})", extent(a.j).text, j);
  std::string place = scaled(scope.scalars.at(a.i), a.stride), step = scaled(j, a.dilation);
  std::string text = random_.percent(70) ? place + " + " + step : step + " + " + place;
  if (a.padding.text != "0") text += " - " + a.padding.text;
  return text;
}

Writer::Guarded Writer::element(const View& v, const Scope& scope) {
  Guarded g;
  std::vector<std::string> at;
  for (const Access& a : v.rest) {
    std::string text = index_text(a, scope);
    if (a.padded()) {
      std::string name = fresh("u");
      g.lets += fmt::format("let {} = {} in ", name, text);
      g.inside.emplace_back(name, a.size.text);
      text = name;
    }
    at.push_back(text);
  }
  const char* separator = random_.percent(85) ? ", " : "][";
  g.element = v.rest.empty() ? v.text : fmt::format("{}[{}]", v.text, fmt::join(at, separator));
  return g;
}

std::string Writer::conditions(const Guarded& g, const char* low, const char* high, const char* join) {
  std::vector<std::string> list;
  for (const auto& [index, size] : g.inside) {
    list.push_back(fmt::format(fmt::runtime(low), index));
    list.push_back(fmt::format(fmt::runtime(high), index, size));
  }
  return fmt::format("{}", fmt::join(list, join));
}

std::string Writer::read(const View& v, const Scope& scope) {
  Guarded g = element(v, scope);
  if (g.inside.empty()) return g.element;
  return guarded(g, g.element, v.type == c_.type ? c_.outside : zero(v.type));
}

std::string Writer::guarded(const Guarded& g, const std::string& value, const std::string& otherwise) {
  switch (random_.below(4)) {
    case 0:
    case 1:
      return fmt::format("({}if {} then {} else {})", g.lets, conditions(g, "{} >= 0", "{} < {}", " && "), value,
                         otherwise);
    case 2:
      return fmt::format("({}if {} then {} else {})", g.lets, conditions(g, "{} < 0", "{} >= {}", " || "), otherwise,
                         value);
    default: {
      std::string text = value;
      for (const auto& [index, size] : g.inside) {
        text = fmt::format("if 0 <= {} && {} < {} then {} else {}", index, index, size, text, otherwise);
      }
      return fmt::format("({}{})", g.lets, text);
    }
  }
}

}  // namespace heddle::campaign
