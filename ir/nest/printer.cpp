#include "ir/nest/printer.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "ir/nest/infix.h"
#include "ir/nest/lexer.h"
#include "ir/nest/operator_text.h"

namespace heddle::nest {

namespace {

using prim::Family;

// A word of the text as it is, or between backquotes where it could be taken for something else.
std::string word(std::string_view base) { return is_plain(base) ? std::string(base) : quoted(base); }

std::string list_of(const std::vector<Name>& names) {
  std::vector<std::string> texts;
  for (const Name& n : names) texts.push_back(to_text(n));
  return fmt::format("({})", fmt::join(texts, ", "));
}

Piece piece(const Expr& e);

std::string list(const std::vector<Expr>& exprs, std::string_view open, std::string_view separator,
                 std::string_view close) {
  std::vector<std::string> texts;
  for (const Expr& e : exprs) texts.push_back(to_text(e));
  return fmt::format("{}{}{}", open, fmt::join(texts, separator), close);
}

std::string element(const Name& buffer, const std::vector<Expr>& index) {
  return to_text(buffer) + list(index, "[", "][", "]");
}

Piece piece(const Const& c, const Expr& e) {
  std::string text = e->type == prim::Type::I64 ? std::to_string(c.value.i) : prim::to_text(c.value);
  return {text, text.starts_with('-') ? Level::Unary : Level::Primary};
}

Piece piece(const Var& v, const Expr&) { return {to_text(v.name)}; }

Piece piece(const Operation& o, const Expr&) {
  if (o.op.family == Family::SDivUp) {
    return {fmt::format("ceil({})", binary(piece(o.args[0]), "/", piece(o.args[1])).text)};
  }
  std::optional<OperatorText> written = operator_text(o.op);
  if (!written) return {list(o.args, prim::name(o.op) + "(", ", ", ")")};
  switch (written->fix) {
    case Fix::Infix:
      return binary(piece(o.args[0]), written->text, piece(o.args[1]));
    case Fix::Prefix:
      return unary(written->text, piece(o.args[0]));
    case Fix::Function:
      return {list(o.args, std::string(written->text) + "(", ", ", ")")};
  }
  return {};
}

Piece piece(const Call& c, const Expr&) { return {list(c.args, c.function->name + "(", ", ", ")")}; }

Piece piece(const Select& s, const Expr&) { return choice(piece(s.condition), piece(s.if_true), piece(s.if_false)); }

Piece piece(const Load& l, const Expr&) { return {element(l.buffer, l.index)}; }

Piece piece(const Expr& e) {
  return std::visit([&](const auto& node) { return piece(node, e); }, e->node);
}

bool is_dense(const Buffer& b) {
  if (b.strides.size() != b.dims.size()) return false;
  std::vector<Expr> dense = dense_strides(b.dims);
  for (size_t i = 0; i < dense.size(); ++i) {
    if (!equal(dense[i], b.strides[i])) return false;
  }
  return true;
}

class Writer {
 public:
  void block(const Block& b) {
    for (const Stmt& s : b) std::visit([&](const auto& node) { stmt(node); }, s->node);
  }

  void kernel(const Kernel& k) {
    std::vector<std::string> params;
    for (const Name& c : k.constants) params.push_back(fmt::format("{}: constant", to_text(c)));
    for (const ScalarParam& p : k.scalars) params.push_back(fmt::format("{}: {}", to_text(p.name), prim::name(p.type)));
    for (const Buffer& b : k.buffers) params.push_back(to_text(b));
    std::string separator = ",\n    ";
    std::string head = fmt::format("kernel {}({}{})", k.name.empty() ? quoted(k.name) : word(k.name),
                                   params.empty() ? "" : "\n    ", fmt::join(params, separator));
    if (!k.address_scalars.empty()) head += "\n  address_scalars " + list_of(k.address_scalars);
    if (k.bounds) {
      head += fmt::format("\n  launch ({} threads, {} registers)", to_text(k.bounds->threads),
                          to_text(k.bounds->registers));
    }
    if (k.keeps_loops) head += "\n  keeps_loops";
    braces(head, k.body);
  }

  std::string take() { return std::move(text_); }

 private:
  void line(std::string_view s) {
    text_.append(2 * static_cast<size_t>(depth_), ' ');
    text_ += s;
    text_ += '\n';
  }

  void inner(const Block& b) {
    ++depth_;
    block(b);
    --depth_;
  }

  void braces(std::string_view head, const Block& b) {
    line(fmt::format("{} {{", head));
    inner(b);
    line("}");
  }

  void stmt(const Let& s) {
    line(fmt::format("let {}: {} = {};", to_text(s.name), prim::name(s.value->type), to_text(s.value)));
  }
  void stmt(const Alloc& s) { line(fmt::format("alloc {};", to_text(s.buffer))); }
  void stmt(const Store& s) { line(fmt::format("{} := {};", element(s.buffer, s.index), to_text(s.value))); }
  void stmt(const For& s) {
    braces(fmt::format("for {} in {} ({})", to_text(s.index), to_text(s.extent), to_text(s.role)), s.body);
  }
  void stmt(const While& s) {
    std::string rest = s.rest > 0 ? fmt::format(" rest {}", s.rest) : "";
    braces(fmt::format("while {}{}", to_text(s.condition), rest), s.body);
  }
  void stmt(const If& s) {
    if (s.else_body.empty()) return braces(fmt::format("if {}", to_text(s.condition)), s.then_body);
    line(fmt::format("if {} {{", to_text(s.condition)));
    inner(s.then_body);
    line("} else {");
    inner(s.else_body);
    line("}");
  }
  void stmt(const AtomicUpdate& s) {
    std::string head = fmt::format("atomic {} as {}", element(s.buffer, s.index), to_text(s.old));
    if (s.compute.empty()) return line(fmt::format("{} := {};", head, to_text(s.value)));
    line(head + " {");
    inner(s.compute);
    line(fmt::format("}} := {};", to_text(s.value)));
  }
  void stmt(const Locked& s) { braces(fmt::format("locked {}", element(s.lock, s.index)), s.body); }
  void stmt(const AsyncCopy& s) {
    line(fmt::format("copy {}{} elements {} := {} if {};", s.is_kept ? "kept " : "", to_text(s.elems),
                     element(s.to, s.to_index), element(s.from, s.from_index), to_text(s.valid)));
  }
  void stmt(const AsyncCommit&) { line("commit copies;"); }
  void stmt(const AsyncWait& s) { line(fmt::format("wait for copies but {};", to_text(s.pending))); }
  void stmt(const Barrier& s) { line(s.scope == Scope::Block ? "barrier;" : "barrier (warp);"); }
  void stmt(const Shuffle& s) {
    line(fmt::format("shuffle {}: {} = {} of lane {};", to_text(s.name), prim::name(s.value->type), to_text(s.value),
                     to_text(s.lane)));
  }
  void stmt(const Fail& s) { line(fmt::format("fail {}{};", s.id, list(s.args, "(", ", ", ")"))); }

  std::string text_;
  int depth_ = 0;
};

}  // namespace

std::string_view to_text(Role role) {
  switch (role) {
    case Role::Grid:
      return "grid";
    case Role::Block:
      return "block";
    case Role::Warp:
      return "warp";
    case Role::Lane:
      return "lane";
    case Role::Serial:
      return "serial";
    case Role::Unrolled:
      return "unrolled";
    case Role::Vector:
      return "vector";
  }
  return "";
}

std::string_view to_text(Space space) {
  switch (space) {
    case Space::Global:
      return "global";
    case Space::Shared:
      return "shared";
    case Space::Register:
      return "register";
  }
  return "";
}

std::string to_text(const Name& name) { return fmt::format("{}_{}", word(name.base), name.tag); }

std::string to_text(const Expr& e) { return piece(e).text; }

std::string to_text(const Buffer& b) {
  std::string dims = b.dims.empty() ? "" : list(b.dims, "[", "][", "]");
  std::string strides = is_dense(b) ? "" : list(b.strides, " strides (", ", ", ")");
  return fmt::format("{}: {}{}{} {}{}{}", to_text(b.name), to_text(b.space), b.exchanged ? " exchanged" : "",
                     b.read_once ? " read_once" : "", prim::name(b.elem), dims, strides);
}

std::string to_text(const Block& block) {
  Writer w;
  w.block(block);
  return w.take();
}

std::string to_text(const Kernel& kernel) {
  Writer w;
  w.kernel(kernel);
  return w.take();
}

}  // namespace heddle::nest
