#include "ir/nest/reader.h"

#include <fmt/format.h>

#include <charconv>

#include "ir/nest/printer.h"
#include "ir/nest/reader_parser.h"
#include "ir/support/located.h"

namespace heddle::nest {

using prim::Type;

namespace {

// Deeper than what people or the compiler nest, and shallow enough for the stack of whoever walks over it, sanitizers
// included.
constexpr int kMaxDepth = 1000;

constexpr Role kRoles[] = {Role::Grid, Role::Block, Role::Warp, Role::Lane, Role::Serial, Role::Unrolled, Role::Vector};
constexpr Space kSpaces[] = {Space::Global, Space::Shared, Space::Register};

// The one whose text the token is.
template <class All>
std::optional<std::decay_t<decltype(*std::begin(std::declval<All&>()))>> named(const Token& token, const All& all) {
  for (auto x : all) {
    if (token.is_word(to_text(x))) return x;
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<Kernel>> read(std::string_view text, std::string_view file_name) {
  try {
    return Parser(text).file();
  } catch (const SyntaxError& e) {
    return located(ErrorKind::Input, text, e.offset, file_name, e.message);
  }
}

Result<Kernel> read_kernel(std::string_view text, std::string_view file_name) {
  Result<std::vector<Kernel>> all = read(text, file_name);
  if (!all) return all.error();
  if (all->size() != 1) {
    return input_error(fmt::format("{}: expected one kernel, but found {}", file_name, all->size()));
  }
  return std::move(all->front());
}

// ---- Tokens. ----

Token Parser::take() {
  Token t = token();
  if (t.kind != TokenKind::End) ++next_;
  return t;
}

bool Parser::accept(std::string_view punct) {
  if (!token().is(punct)) return false;
  ++next_;
  return true;
}

bool Parser::accept_word(std::string_view word) {
  if (!token().is_word(word)) return false;
  ++next_;
  return true;
}

void Parser::expect(std::string_view punct) {
  if (!accept(punct)) fail(fmt::format("`{}`", punct));
}

void Parser::expect_word(std::string_view word) {
  if (!accept_word(word)) fail(fmt::format("`{}`", word));
}

void Parser::fail(std::string_view expected) const {
  std::string found;
  switch (token().kind) {
    case TokenKind::End:
      found = "the end of the text";
      break;
    case TokenKind::OpenQuote:
      found = "a backquote without another one on its line";
      break;
    default:
      found = fmt::format("`{}`", shown(token().text));
  }
  reject(token(), fmt::format("expected {}, but found {}", expected, found));
}

void Parser::reject(const Token& at, std::string message) const { throw SyntaxError{at.offset, std::move(message)}; }

Parser::Nested::Nested(Parser& p) : parser(p) {
  if (parser.depth_ == kMaxDepth) {
    parser.reject(parser.token(), fmt::format("nested deeper than {} levels", kMaxDepth));
  }
  ++parser.depth_;
}

// ---- Names. ----

bool Parser::at_name() const {
  return token().kind == TokenKind::Name || (token().kind == TokenKind::Quoted && token().tag >= 0);
}

Name Parser::name() {
  if (!at_name()) fail("a name with its tag");
  Token t = take();
  if (t.kind == TokenKind::Quoted) return {unquoted(t.text), t.tag};
  return {std::string(t.text.substr(0, t.text.rfind('_'))), t.tag};
}

std::string Parser::identifier() {
  if (token().kind == TokenKind::Quoted && token().tag < 0) return unquoted(take().text);
  if (token().kind != TokenKind::Word && token().kind != TokenKind::Name) fail("an identifier");
  return std::string(take().text);
}

int Parser::number(std::string_view expected) {
  std::string_view digits = token().text;
  int value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (token().kind != TokenKind::Number || error != std::errc() || end != digits.data() + digits.size()) fail(expected);
  take();
  return value;
}

std::vector<Name> Parser::names() {
  std::vector<Name> all;
  expect("(");
  do {
    all.push_back(name());
  } while (accept(","));
  expect(")");
  return all;
}

Type Parser::type() {
  std::optional<Type> t = token().kind == TokenKind::Word ? prim::parse_type(token().text) : std::nullopt;
  if (!t) fail("a type");
  take();
  return *t;
}

std::optional<Role> Parser::role_of(const Token& token) { return named(token, kRoles); }

void Parser::bind(const Name& name, Binding binding) {
  auto [it, is_new] = scope_.try_emplace(name.tag, binding);
  bound_.push_back({name.tag, is_new ? std::nullopt : std::optional(it->second)});
  it->second = binding;
}

Parser::Scope::~Scope() {
  while (parser.bound_.size() > depth) {
    const Bound& last = parser.bound_.back();
    if (last.before) {
      parser.scope_.at(last.tag) = *last.before;
    } else {
      parser.scope_.erase(last.tag);
    }
    parser.bound_.pop_back();
  }
}

// ---- Kernels. ----

std::vector<Kernel> Parser::file() {
  std::vector<Kernel> all;
  while (token().kind != TokenKind::End) all.push_back(kernel());
  return all;
}

Kernel Parser::kernel() {
  Scope scope(*this);
  Kernel k;
  expect_word("kernel");
  k.name = identifier();
  expect("(");
  if (!accept(")")) {
    do {
      parameter(k);
    } while (accept(","));
    expect(")");
  }
  if (accept_word("address_scalars")) k.address_scalars = names();
  if (accept_word("launch")) {
    expect("(");
    Expr threads = expr();
    expect_word("threads");
    expect(",");
    Expr registers = expr();
    expect_word("registers");
    expect(")");
    k.bounds = {threads, registers};
  }
  k.keeps_loops = accept_word("keeps_loops");
  k.body = block();
  return k;
}

// So that a kernel has one text only, the lists of parameters follow each other.
void Parser::parameter(Kernel& k) {
  const Token first = token();
  Name n = name();
  expect(":");
  if (named(token(), kSpaces)) {
    k.buffers.push_back(buffer(n));
    return;
  }
  if (!k.buffers.empty()) reject(first, "constants and scalars stand before buffers");
  if (accept_word("constant")) {
    if (!k.scalars.empty()) reject(first, "constants stand before scalars");
    k.constants.push_back(n);
    bind(n, {Type::I64, false});
  } else {
    k.scalars.push_back({n, type()});
    bind(n, {k.scalars.back().type, false});
  }
}

Buffer Parser::buffer(const Name& n) {
  std::optional<Space> space = named(token(), kSpaces);
  if (!space) fail("`global`, `shared` or `register`");
  take();
  bool exchanged = accept_word("exchanged"), read_once = accept_word("read_once");
  Buffer b{n, type(), *space, {}, {}, exchanged, read_once};
  while (accept("[")) {
    const Token at = token();
    b.dims.push_back(expr());
    if (b.dims.back()->type != Type::I64) reject(at, "sizes are of type i64");
    expect("]");
  }
  b.strides = accept_word("strides") ? list() : dense_strides(b.dims);
  bind(n, {b.elem, true});
  return b;
}

// ---- Statements. ----

Block Parser::block() {
  Nested nested(*this);
  Scope scope(*this);
  Block b;
  expect("{");
  while (!accept("}")) b.push_back(statement());
  return b;
}

Stmt Parser::statement() {
  if (at_name()) return store();
  if (accept_word("let")) return let();
  if (accept_word("alloc")) return alloc();
  if (accept_word("for")) return for_loop();
  if (accept_word("while")) return while_loop();
  if (accept_word("if")) return if_else();
  if (accept_word("atomic")) return atomic_update();
  if (accept_word("locked")) return locked();
  if (accept_word("copy")) return async_copy();
  if (accept_word("commit")) {
    expect_word("copies");
    expect(";");
    return stmt(AsyncCommit{});
  }
  if (accept_word("wait")) return async_wait();
  if (accept_word("barrier")) return barrier();
  if (accept_word("shuffle")) return shuffle();
  if (accept_word("fail")) return failure();
  fail("a statement or `}`");
}

Parser::Declared Parser::declared() {
  const Token first = token();
  Name n = name();
  expect(":");
  Type said = type();
  expect("=");
  Expr value = expr();
  if (value->type != said) {
    reject(first,
           fmt::format("the value of {} is {}, not {}", shown(first.text), prim::name(value->type), prim::name(said)));
  }
  return {n, value};
}

Stmt Parser::let() {
  const auto [n, value] = declared();
  expect(";");
  bind(n, {value->type, false});
  return stmt(Let{n, value});
}

Stmt Parser::alloc() {
  Name n = name();
  expect(":");
  Buffer b = buffer(n);
  expect(";");
  return stmt(Alloc{b});
}

Stmt Parser::store() {
  Element to = element();
  expect(":=");
  Expr value = expr();
  expect(";");
  return stmt(Store{to.buffer, to.index, value});
}

Stmt Parser::for_loop() {
  Name index = name();
  expect_word("in");
  Expr extent = expr();
  expect("(");
  std::optional<Role> role = role_of(token());
  if (!role) fail("the role of the loop");
  take();
  expect(")");
  Scope scope(*this);
  bind(index, {Type::I64, false});
  return stmt(For{index, extent, *role, block()});
}

Stmt Parser::while_loop() {
  Expr condition = expr();
  int rest = accept_word("rest") ? number("how many nanoseconds threads rest") : 0;
  return stmt(While{condition, block(), rest});
}

Stmt Parser::if_else() {
  Expr condition = expr();
  Block then_body = block();
  return stmt(If{condition, then_body, accept_word("else") ? block() : Block{}});
}

Stmt Parser::atomic_update() {
  Element at = element();
  expect_word("as");
  Scope scope(*this);
  Name old = name();
  bind(old, {at.type, false});
  Block compute;
  if (accept("{")) {
    Nested nested(*this);
    while (!accept("}")) compute.push_back(statement());
  }
  expect(":=");
  Expr value = expr();
  expect(";");
  return stmt(AtomicUpdate{at.buffer, at.index, old, compute, value});
}

Stmt Parser::locked() {
  Element at = element();
  return stmt(Locked{at.buffer, at.index, block()});
}

Stmt Parser::async_copy() {
  const bool is_kept = accept_word("kept");
  Expr elems = expr();
  expect_word("elements");
  Element to = element();
  expect(":=");
  Element from = element();
  expect_word("if");
  Expr valid = expr();
  expect(";");
  return stmt(AsyncCopy{to.buffer, to.index, from.buffer, from.index, elems, valid, is_kept});
}

Stmt Parser::async_wait() {
  expect_word("for");
  expect_word("copies");
  expect_word("but");
  Expr pending = expr();
  expect(";");
  return stmt(AsyncWait{pending});
}

Stmt Parser::barrier() {
  nest::Scope scope = nest::Scope::Block;
  if (accept("(")) {
    expect_word("warp");
    expect(")");
    scope = nest::Scope::Warp;
  }
  expect(";");
  return stmt(Barrier{scope});
}

Stmt Parser::shuffle() {
  const auto [n, value] = declared();
  expect_word("of");
  expect_word("lane");
  Expr lane = expr();
  expect(";");
  bind(n, {value->type, false});
  return stmt(Shuffle{n, value, lane});
}

Stmt Parser::failure() {
  int id = number("the number of a failure");
  std::vector<Expr> args = list();
  expect(";");
  return stmt(Fail{id, args});
}

}  // namespace heddle::nest
