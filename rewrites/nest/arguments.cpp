#include "rewrites/nest/arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "ir/nest/printer.h"
#include "ir/support/error.h"

namespace heddle::nest {

namespace {

[[noreturn]] void wrong(std::string_view parameter, std::string_view text, const std::string& why) {
  throw Refused{input_error(fmt::format("{}={}: {}", parameter, text, why))};
}

// "i_3, j_4", or "none".
std::string list(const std::vector<Name>& names) {
  std::vector<std::string> texts;
  for (const Name& n : names) texts.push_back(n.text());
  return texts.empty() ? "none" : fmt::format("{}", fmt::join(texts, ", "));
}

Name find(std::string_view parameter, std::string_view text, const std::vector<Name>& names, std::string_view what) {
  auto found = std::ranges::find_if(names, [&](const Name& n) { return n.text() == text; });
  if (found == names.end()) wrong(parameter, text, fmt::format("the kernel's {} are {}", what, list(names)));
  return *found;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t at; (at = text.find(separator)) != std::string_view::npos; text.remove_prefix(at + 1)) {
    parts.push_back(text.substr(0, at));
  }
  parts.push_back(text);
  return parts;
}

std::optional<int64_t> number(std::string_view text) {
  int64_t value = 0;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool ok = problem == std::errc() && end == text.data() + text.size();
  return ok ? std::optional(value) : std::nullopt;
}

}  // namespace

std::string_view placeholder(ArgumentKind kind) {
  switch (kind) {
    case ArgumentKind::Loop:
      return "LOOP";
    case ArgumentKind::Buffer:
      return "BUFFER";
    case ArgumentKind::Buffers:
      return "BUFFER,...";
    case ArgumentKind::Scalar:
      return "SCALAR";
    case ArgumentKind::Size:
      return "SIZE";
    case ArgumentKind::RowSizes:
      return "BUFFER:SIZE,...";
    case ArgumentKind::Role:
      return "ROLE";
    case ArgumentKind::Dimensions:
      return "NUMBER,...";
    case ArgumentKind::Word:
      return "WORD";
  }
  return "";
}

Arguments::Arguments(const Kernel& kernel, std::map<std::string, std::string, std::less<>> given)
    : given_(std::move(given)), sizes_(kernel.constants) {
  for (const ScalarParam& s : kernel.scalars) {
    scalars_.push_back(s.name);
    if (s.type == prim::Type::I64) sizes_.push_back(s.name);
  }
  for (const Buffer& b : kernel.buffers) buffers_.push_back(b.name);
  for_each_stmt(kernel.body, [&](const Stmt& s) {
    if (const auto* loop = std::get_if<For>(&s->node)) loops_.push_back(loop->index);
    if (const auto* alloc = std::get_if<Alloc>(&s->node)) buffers_.push_back(alloc->buffer.name);
  });
}

const std::string& Arguments::text(std::string_view parameter) const {
  auto found = given_.find(parameter);
  if (found == given_.end()) throw Refused{input_error(fmt::format("{}= is missing", parameter))};
  return found->second;
}

Name Arguments::loop(std::string_view parameter) const { return find(parameter, text(parameter), loops_, "loops"); }

Name Arguments::buffer(std::string_view parameter) const {
  return find(parameter, text(parameter), buffers_, "buffers");
}

std::vector<Name> Arguments::buffers(std::string_view parameter) const {
  std::vector<Name> names;
  for (std::string_view part : split(text(parameter), ',')) {
    names.push_back(find(parameter, part, buffers_, "buffers"));
  }
  return names;
}

Name Arguments::scalar(std::string_view parameter) const {
  return find(parameter, text(parameter), scalars_, "scalars");
}

Expr Arguments::size(std::string_view parameter) const { return size_of(parameter, text(parameter)); }

Substitution Arguments::row_sizes(std::string_view parameter) const {
  Substitution sizes;
  for (std::string_view part : split(text(parameter), ',')) {
    size_t colon = part.find(':');
    if (colon == std::string_view::npos) wrong(parameter, part, "a buffer, a colon and a size are expected");
    Name buffer = find(parameter, part.substr(0, colon), buffers_, "buffers");
    sizes.insert_or_assign(buffer, size_of(parameter, part.substr(colon + 1)));
  }
  return sizes;
}

Expr Arguments::size_of(std::string_view parameter, std::string_view text) const {
  Expr product;
  for (std::string_view part : split(text, '*')) {
    std::optional<int64_t> value = number(part);
    Expr factor = value ? constant(*value)
                        : var(find(parameter, part, sizes_, "constants and scalars of type i64"), prim::Type::I64);
    product = product ? mul(product, factor) : factor;
  }
  return product;
}

Role Arguments::role(std::string_view parameter) const {
  for (Role r : {Role::Grid, Role::Block, Role::Warp, Role::Lane}) {
    if (to_text(r) == text(parameter)) return r;
  }
  wrong(parameter, text(parameter), "a loop runs in parallel as grid, block, warp or lane");
}

std::vector<size_t> Arguments::dimensions(std::string_view parameter) const {
  std::vector<size_t> all;
  for (std::string_view part : split(text(parameter), ',')) {
    std::optional<int64_t> value = number(part);
    if (!value || *value < 0) wrong(parameter, part, "numbers of dimensions are expected, as 1,0");
    all.push_back(static_cast<size_t>(*value));
  }
  return all;
}

std::string Arguments::word(std::string_view parameter) const {
  const std::string& word = text(parameter);
  auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  bool ok = !word.empty() && is_letter(word[0]) &&
            std::ranges::all_of(word, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
  if (!ok) wrong(parameter, word, "a name of letters, digits and underscores is expected");
  return word;
}

}  // namespace heddle::nest
