#include "ir/seg/printer.h"

#include <array>

namespace heddle::seg {

namespace {

// Appends to `out`; one overload of `put` for each kind of node, so that a kind without one does not compile.
class Printer {
 public:
  std::string out;

  // ---- Words. ----

  void put(const char* text) { out += text; }
  void put(const std::string& text) { out += text; }
  void put(int n) { out += std::to_string(n); }
  void put(const Name& n) {
    out += n.base;
    out += '_';
    out += std::to_string(n.tag);
  }
  void put(const prim::Value& v) { out += prim::to_text(v); }
  void put(const SubExp& x) { x.is_var() ? put(x.name()) : put(x.value()); }
  void put(prim::Type t) { out += prim::name(t); }

  // A template, so that an alternative without an overload of its own is not converted back into its variant.
  template <class... Alternatives>
  void put(const std::variant<Alternatives...>& v) {
    std::visit([&](const auto& x) { put(x); }, v);
  }

  template <class... Ts>
  void puts(const Ts&... parts) {
    (put(parts), ...);
  }

  template <class T>
  void commas(const std::vector<T>& xs) {
    bool first = true;
    for (const T& x : xs) {
      if (!first) out += ", ";
      first = false;
      put(x);
    }
  }
  template <class T>
  void in_braces(const std::vector<T>& xs) {
    out += '{';
    commas(xs);
    out += '}';
  }
  template <class T>
  void in_brackets(const std::vector<T>& xs) {
    out += '[';
    commas(xs);
    out += ']';
  }
  template <class T>
  void in_parens(const std::vector<T>& xs) {
    out += '(';
    commas(xs);
    out += ')';
  }
  // Each item on a line of its own.
  template <class T>
  void lines_in(char open, const std::vector<T>& xs, char close) {
    out += open;
    for (size_t i = 0; i < xs.size(); ++i) {
      if (i > 0) {
        out += ',';
        new_line();
      }
      put(xs[i]);
    }
    out += close;
  }

  void new_line() {
    out += '\n';
    out.append(static_cast<size_t>(indent_) * 2, ' ');
  }
  template <class F>
  void indented(F f) {
    ++indent_;
    f();
    --indent_;
  }
  // { on this line, the block below it, } below that.
  template <class F>
  void block(F f) {
    out += '{';
    indented([&] {
      new_line();
      f();
    });
    new_line();
    out += '}';
  }

  // ---- Types. ----

  void put_shape(const Shape& s) {
    for (const SubExp& d : s) puts("[", d, "]");
  }
  void put(const Dim& d) {
    if (d.is_ext()) {
      puts("?", d.ext().index);
    } else {
      put(d.size());
    }
  }
  void put(const Type& t) {
    if (t.unique) out += '*';
    if (t.acc) {
      puts("acc(", t.acc->cert, ", ");
      put_shape(t.acc->space);
      out += ", ";
      in_braces(t.acc->elems);
      out += ')';
      return;
    }
    for (const Dim& d : t.dims) puts("[", d, "]");
    put(t.elem);
  }
  void put(const RetType& r) {
    put(r.type);
    if (r.alias_params.empty() && r.alias_results.empty()) return;
    out += "#(";
    in_brackets(r.alias_params);
    out += ", ";
    in_brackets(r.alias_results);
    out += ')';
  }
  void put(const ValueType& t) {
    for (int i = 0; i < t.rank; ++i) out += "[]";
    std::string_view elem = prim::name(t.elem);
    if (t.is_unsigned) {
      out += 'u';
      elem.remove_prefix(1);
    }
    out += elem;
  }
  void put(const OpaqueRef& t) { puts("opaque \"", t.name, "\""); }
  void put(const RecordField& f) { puts(f.name, ": ", f.type); }
  void put(const SumPayload& p) {
    puts("(", p.type, ", ");
    in_brackets(p.slots);
    out += ')';
  }
  void put(const SumVariant& v) {
    puts("#", v.name);
    for (const SumPayload& p : v.payloads) puts(" ", p);
  }
  template <class T>
  void items(const std::vector<T>& xs) {
    out += '{';
    indented([&] {
      for (const T& x : xs) {
        new_line();
        put(x);
      }
    });
    new_line();
    out += '}';
  }
  void put(const OpaqueType& t) {
    out += "opaque ";
    items(t.values);
  }
  void put(const OpaqueRecord& t) {
    out += "record ";
    items(t.fields);
  }
  void put(const OpaqueSum& t) {
    out += "sum ";
    block([&] {
      in_brackets(t.values);
      for (const SumVariant& v : t.variants) {
        new_line();
        put(v);
      }
    });
  }
  void put(const OpaqueArray& t) {
    puts("array ", t.rank, "d \"", t.elem, "\" ");
    items(t.values);
  }
  void put(const OpaqueRecordArray& t) {
    puts("record_array ", t.rank, "d \"", t.elem, "\" ");
    items(t.fields);
  }
  void put(const OpaqueDef& d) {
    puts("type \"", d.name, "\" = ");
    put(d.def);
  }

  // ---- Pieces. ----

  void put(const Attr& a) {
    if (const int64_t* number = std::get_if<int64_t>(&a.head)) {
      out += std::to_string(*number);
      return;
    }
    out += std::get<std::string>(a.head);
    if (!a.args.empty()) in_parens(a.args);
  }
  void put(const Attrs& as) {
    for (const Attr& a : as) puts("#[", a, "] ");
  }
  void put_certs(const Certs& cs) {
    if (cs.empty()) return;
    out += '#';
    in_braces(cs);
    out += ' ';
  }
  void put(const Param& p) { puts(p.attrs, p.name, " : ", p.type); }
  void put(const PatElem& p) { puts(p.name, " : ", p.type); }
  void put(const SubExpRes& r) {
    put_certs(r.certs);
    put(r.value);
  }
  void put(const Lambda& l) {
    if (l.params.empty() && l.ret.empty() && l.body->stms.empty() && l.body->result.empty()) {
      out += "nilFn";
      return;
    }
    out += "\\ ";
    in_braces(l.params);
    out += " : ";
    in_braces(l.ret);
    out += " ->";
    if (l.body->stms.empty()) {
      puts(" ", *l.body);
      return;
    }
    indented([&] {
      new_line();
      put(*l.body);
    });
  }
  void put(const DimFix& d) { put(d.index); }
  void put(const DimSlice& d) { puts(d.start, " :+ ", d.count, " * ", d.stride); }
  void put(const FlatDim& d) { puts(d.count, " : ", d.stride); }
  void put(const FlatSlice& s) {
    puts("[", s.offset, "; ");
    commas(s.dims);
    out += ']';
  }

  // ---- Bodies. ----

  void put(const Stm& s) {
    out += "let ";
    in_braces(s.pat);
    puts(" = ", s.attrs);
    put_certs(s.certs);
    put(s.exp);
  }
  void put(const Stms& stms) {
    for (const StmPtr& s : stms) {
      put(*s);
      new_line();
    }
  }
  void put(const Body& b) {
    put(b.stms);
    if (!b.stms.empty()) out += "in ";
    in_braces(b.result);
  }
  void put(const KernelBody& b) {
    puts(b.stms, "return ");
    in_braces(b.results);
  }
  void put_branch(const Body& b) {
    if (b.stms.empty()) {
      put(b);
    } else {
      block([&] { put(b); });
    }
  }

  // ---- Expressions. ----

  void put(const Atom& e) { put(e.value); }
  void put(const Opaque& e) {
    if (e.trace) {
      puts("trace(", quote(*e.trace), ", ", e.value, ")");
    } else {
      puts("opaque(", e.value, ")");
    }
  }
  void put(const PrimOp& e) {
    switch (prim::kind(e.op)) {
      case prim::Kind::Conv:
        out += prim::conv_keyword(e.op);
        puts(" ", e.op.type, " ", e.args.at(0), " to ", e.op.to);
        return;
      case prim::Kind::Un:
        puts(prim::name(e.op), " ", e.args.at(0));
        return;
      case prim::Kind::Bin:
      case prim::Kind::Cmp:
        put(prim::name(e.op));
        in_parens(e.args);
        return;
    }
  }
  void put(const ArrayLit& e) {
    in_brackets(e.elems);
    puts(" : []", e.row_type);
  }
  void put(const ArrayVal& e) {
    in_brackets(e.elems);
    puts(" : []", e.elem_type);
  }
  void put(const ErrorVal& v) { puts(v.value, " : ", v.type); }
  void put(const ErrorPart& p) {
    if (const std::string* text = std::get_if<std::string>(&p)) {
      put(quote(*text));
    } else {
      put(std::get<ErrorVal>(p));
    }
  }
  void put(const Assert& e) {
    puts("assert(", e.condition, ", ");
    in_braces(e.message);
    puts(", ", quote(e.location), ")");
  }
  void put(const Index& e) {
    put(e.array);
    in_brackets(e.slice);
  }
  void put(const Update& e) {
    puts(e.array, e.safe ? " with? " : " with ");
    in_brackets(e.slice);
    puts(" = ", e.value);
  }
  void put(const FlatIndex& e) { puts(e.array, e.slice); }
  void put(const FlatUpdate& e) { puts(e.array, " with ", e.slice, " = ", e.value); }
  void put(const Concat& e) {
    puts("concat@", e.dim, "(", e.width, ", ");
    commas(e.arrays);
    out += ')';
  }
  void put(const Manifest& e) {
    out += "manifest(";
    in_parens(e.perm);
    puts(", ", e.array, ")");
  }
  void put(const Iota& e) {
    puts("iota", 8 * prim::size_bytes(e.elem), "(", e.count, ", ", e.start, ", ", e.stride, ")");
  }
  void put(const Replicate& e) {
    if (e.shape.empty()) {
      puts("copy(", e.value, ")");
      return;
    }
    out += "replicate(";
    put_shape(e.shape);
    puts(", ", e.value, ")");
  }
  void put(const Scratch& e) {
    puts("scratch(", e.elem);
    for (const SubExp& d : e.shape) puts(", ", d);
    out += ')';
  }
  void put(const Reshape& e) {
    out += e.coerce ? "coerce(" : "reshape(";
    put_shape(e.shape);
    puts(", ", e.array, ")");
  }
  void put(const Rearrange& e) {
    out += "rearrange(";
    in_parens(e.perm);
    puts(", ", e.array, ")");
  }
  void put(const UpdateAcc& e) {
    puts(e.safe ? "update_acc(" : "update_acc_unsafe(", e.acc, ", ");
    in_braces(e.index);
    out += ", ";
    in_braces(e.values);
    out += ')';
  }

  void put(const Arg& a) { puts(a.consumed ? "*" : "", a.value); }
  void put(const Apply& e) {
    puts(e.unsafe ? "apply <unsafe> " : "apply ", e.function);
    in_parens(e.args);
    out += " : ";
    in_braces(e.ret);
  }
  void put(MatchSort sort) {
    switch (sort) {
      case MatchSort::Normal:
        return;
      case MatchSort::Fallback:
        out += "<fallback> ";
        return;
      case MatchSort::Equiv:
        out += "<equiv> ";
        return;
    }
  }
  void put(const std::optional<prim::Value>& pattern) {
    if (pattern) {
      put(*pattern);
    } else {
      out += '_';
    }
  }
  void put(const Match& e) {
    if (e.is_if()) {
      puts("if ", e.sort, e.subjects[0], " then ");
      put_branch(*e.cases[0].body);
      out += " else ";
      put_branch(*e.otherwise);
    } else {
      puts("match ", e.sort);
      in_braces(e.subjects);
      indented([&] {
        for (const Case& c : e.cases) {
          new_line();
          out += "case ";
          in_braces(c.pattern);
          out += " -> ";
          put_branch(*c.body);
        }
        new_line();
        out += "default -> ";
        put_branch(*e.otherwise);
      });
    }
    out += " : ";
    in_braces(e.ret);
  }
  void put(const ForLoop& f) { puts("for ", f.index, ":", f.index_type, " < ", f.bound); }
  void put(const WhileLoop& f) { puts("while ", f.condition); }
  void put(const Loop& e) {
    out += "loop ";
    in_braces(e.params);
    out += " = ";
    in_braces(e.inits);
    out += ' ';
    put(e.form);
    out += " do ";
    block([&] { put(*e.body); });
  }
  void put(const WithAccInput& input) {
    out += '(';
    put_shape(input.shape);
    out += ", ";
    in_braces(input.arrays);
    if (input.op) {
      puts(", (", input.op->op, ", ");
      in_braces(input.op->neutral);
      out += ')';
    }
    out += ')';
  }
  void put(const WithAcc& e) {
    out += "with_acc(";
    indented([&] {
      lines_in('{', e.inputs, '}');
      out += ',';
      new_line();
      put(e.lambda);
    });
    out += ')';
  }

  // ---- SOACs. ----

  // keyword(width, {arrays}, and then each further argument on a line of its own.
  void soac_head(const char* keyword, const SubExp& width, const std::vector<Name>& arrays) {
    puts(keyword, "(", width, ", ");
    in_braces(arrays);
  }
  void next_line() {
    out += ',';
    new_line();
  }
  void put(const ScanOp& op) {
    puts(op.lambda, ", ");
    in_braces(op.neutral);
  }
  void put(const ReduceOp& op) {
    puts(op.commutative ? "commutative " : "", op.lambda, ", ");
    in_braces(op.neutral);
  }
  void put(const Screma& e) {
    bool scans = !e.scans.empty(), reduces = !e.reduces.empty();
    soac_head(scans && reduces ? "screma" : scans ? "scanomap" : reduces ? "redomap" : "map", e.width, e.arrays);
    indented([&] {
      next_line();
      put(e.map);
      if (scans) {
        next_line();
        lines_in('{', e.scans, '}');
      }
      if (reduces) {
        next_line();
        lines_in('{', e.reduces, '}');
      }
    });
    out += ')';
  }
  void put(const ScatterDest& d) {
    out += '(';
    put_shape(d.shape);
    puts(", ", d.num_writes, ", ", d.array, ")");
  }
  void put(const Scatter& e) {
    soac_head("scatter", e.width, e.arrays);
    out += ", ";
    commas(e.dests);
    indented([&] {
      next_line();
      put(e.lambda);
    });
    out += ')';
  }
  void put_hist_op(const HistOp& op, bool in_segop) {
    put_shape(op.shape);
    puts(", ", op.race_factor, ", ");
    in_braces(op.dests);
    out += ", ";
    in_braces(op.neutral);
    out += ", ";
    if (in_segop) {
      put_shape(op.op_shape);
      out += ", ";
    }
    put(op.op);
  }
  void put_hist_ops(char open, const std::vector<HistOp>& ops, char close, bool in_segop) {
    out += open;
    for (size_t i = 0; i < ops.size(); ++i) {
      if (i > 0) next_line();
      put_hist_op(ops[i], in_segop);
    }
    out += close;
  }
  void put(const Hist& e) {
    soac_head("hist", e.width, e.arrays);
    indented([&] {
      next_line();
      put_hist_ops('{', e.ops, '}', false);
      next_line();
      put(e.bucket);
    });
    out += ')';
  }
  void put(const Stream& e) {
    soac_head("streamSeq", e.width, e.arrays);
    out += ", ";
    in_braces(e.accs);
    indented([&] {
      next_line();
      put(e.lambda);
    });
    out += ')';
  }
  void put(const Derivative& e) {
    out += e.reverse ? "vjp(" : "jvp(";
    in_braces(e.args);
    out += ", ";
    in_braces(e.seeds);
    indented([&] {
      next_line();
      put(e.lambda);
    });
    out += ')';
  }

  // ---- The GPU form. ----

  void put(const SegLevel& l) {
    switch (l.kind) {
      case LevelKind::Thread:
        out += "(thread; ";
        break;
      case LevelKind::Block:
        out += "(block; ";
        break;
      case LevelKind::InBlock:
        out += "(inblock; ";
        break;
    }
    switch (l.virt) {
      case Virt::None:
        break;
      case Virt::Full:
        out += "full ";
        in_brackets(l.seq_dims);
        break;
      case Virt::Virtualise:
        out += "virtualise";
        break;
    }
    if (l.kind != LevelKind::InBlock) out += "; ";
    if (l.grid) puts("grid=", l.grid->num_blocks, "; blocksize=", l.grid->block_size);
    out += ')';
  }
  void put(const SegDim& d) { puts(d.index, " < ", d.size); }
  void put(const SegSpace& s) {
    in_parens(s.dims);
    puts(" (~", s.flat, ")");
  }
  void put(const SegBinOp& op) {
    in_braces(op.neutral);
    out += ", ";
    put_shape(op.shape);
    puts(", ", op.commutative ? "commutative " : "", op.lambda);
  }
  void put(const Returns& r) {
    put_certs(r.certs);
    switch (r.kind) {
      case ReturnsKind::MaySimplify:
        out += "returns ";
        break;
      case ReturnsKind::Manifest:
        out += "returns (manifest) ";
        break;
      case ReturnsKind::Private:
        out += "returns (private) ";
        break;
    }
    put(r.value);
  }
  void put(const Write& w) {
    in_brackets(w.slice);
    puts(" = ", w.value);
  }
  void put(const WriteReturns& r) {
    put_certs(r.certs);
    puts(r.array, " with ");
    in_parens(r.writes);
  }
  void put(const TileDim& d) { puts(d.dim, " / ", d.tile); }
  void put(const TileReturns& r) {
    put_certs(r.certs);
    out += "tile";
    in_parens(r.dims);
    puts(" ", r.array);
  }
  void put(const RegTileDim& d) { puts(d.dim, " / (", d.block_tile, " * ", d.reg_tile, ")"); }
  void put(const RegTileReturns& r) {
    put_certs(r.certs);
    out += "blkreg_tile";
    in_parens(r.dims);
    puts(" ", r.array);
  }
  void put(const SegOp& e) {
    switch (e.kind) {
      case SegKind::Map:
        out += "segmap";
        break;
      case SegKind::Red:
        out += "segred";
        break;
      case SegKind::Scan:
        out += "segscan";
        break;
      case SegKind::Hist:
        out += "seghist";
        break;
    }
    puts(e.level, " ", e.space);
    if (e.kind != SegKind::Map) {
      indented([&] {
        new_line();
        if (e.kind == SegKind::Hist) {
          put_hist_ops('(', e.hists, ')', true);
        } else {
          lines_in('(', e.ops, ')');
        }
      });
    }
    out += " : ";
    in_braces(e.types);
    out += ' ';
    block([&] { put(*e.body); });
  }

  void put(const PathStep& s) { puts(s.taken ? "" : "!", s.threshold); }
  void put(const SizeClass& c) {
    switch (c.kind) {
      case SizeClassKind::ThreadBlock:
        out += "thread_block_size";
        return;
      case SizeClassKind::Grid:
        out += "grid_size";
        return;
      case SizeClassKind::Tile:
        out += "tile_size";
        return;
      case SizeClassKind::RegTile:
        out += "reg_tile_size";
        return;
      case SizeClassKind::SharedMemory:
        out += "shared_memory";
        return;
      case SizeClassKind::Threshold:
        puts("threshold(", c.default_value ? std::to_string(*c.default_value) : "def", ",");
        for (const PathStep& s : c.path) puts(" ", s);
        out += ')';
        return;
      case SizeClassKind::Bespoke:
        puts("bespoke(", c.bespoke, ", ", std::to_string(c.default_value.value_or(0)), ")");
        return;
    }
  }
  void put(const GetSize& e) { puts("get_size(", e.key, ", ", e.size_class, ")"); }
  void put(const GetSizeMax& e) { puts("get_size_max(", e.size_class, ")"); }
  void put(const CmpSize& e) { puts("cmp_size(", e.key, ", ", e.size_class, ") <= ", e.value); }
  void put(const CalcNumBlocks& e) {
    puts("calc_num_tblocks(", e.width, ", ", e.max_blocks_key, ", ", e.block_size, ")");
  }
  void put(const GpuBody& e) {
    out += "gpu : ";
    in_braces(e.types);
    out += ' ';
    block([&] { put(*e.body); });
  }

  // ---- Programs. ----

  void put(const EntryParam& p) { puts(p.name, ": ", p.unique ? "*" : "", p.type); }
  void put(const EntryResult& r) { puts(r.unique ? "*" : "", r.type); }
  void put(const FunDef& f) {
    put(f.attrs);
    if (f.entry) {
      puts("entry(\"", f.entry->name, "\", ");
      in_braces(f.entry->params);
      out += ", ";
      in_braces(f.entry->results);
      out += ')';
      new_line();
    } else {
      out += "fun ";
    }
    puts(f.name, " ");
    in_parens(f.params);
    out += " : ";
    in_braces(f.ret);
    out += " = ";
    block([&] { put(*f.body); });
  }
  void put(const Program& p) {
    out += "types ";
    items(p.types);
    out += "\n\n";
    put(p.constants);
    for (const FunDef& f : p.functions) puts("\n", f, "\n");
  }

 private:
  int indent_ = 0;
};

template <class T>
std::string printed(const T& x) {
  Printer p;
  p.put(x);
  return std::move(p.out);
}

// The code point at text[i] and its length in bytes; a byte that is not UTF-8 stands for itself, with length 0.
std::pair<uint32_t, size_t> code_point(std::string_view text, size_t i) {
  auto byte = [&](size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  uint32_t first = byte(i);
  if (first < 0x80) return {first, 1};
  size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC0 || first >= 0xF8) return {first, 0};
  uint32_t c = first & (0xFFu >> (length + 1));
  for (size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xC0) != 0x80) return {first, 0};
    c = c << 6 | (byte(i + k) & 0x3F);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (c < kSmallest[length] || c > 0x10FFFF) return {first, 0};
  return {c, length};
}

}  // namespace

std::string quote(std::string_view text) {
  static constexpr std::array<const char*, 32> kControls = {
      "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "a",   "b",   "t",  "n",   "v",   "f",  "r",  "SO", "SI",
      "DLE", "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US"};
  std::string out = "\"";
  bool after_number = false, after_so = false;
  for (size_t i = 0; i < text.size();) {
    auto [c, length] = code_point(text, i);
    // `\&` keeps what follows from being read as part of the escape.
    if ((after_number && c >= '0' && c <= '9') || (after_so && c == 'H')) out += "\\&";
    after_number = after_so = false;
    if (length == 0) {
      out += text[i++];
      continue;
    }
    i += length;
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (c < 32) {
      out += '\\';
      out += kControls[c];
      after_so = c == 14;
    } else if (c == 127) {
      out += "\\DEL";
    } else if (c > 127) {
      out += "\\" + std::to_string(c);
      after_number = true;
    } else {
      out += static_cast<char>(c);
    }
  }
  return out + '"';
}

std::string print(const Program& x) { return printed(x); }
std::string print(const FunDef& x) { return printed(x); }
std::string print(const Name& x) { return printed(x); }
std::string print(const SubExp& x) { return printed(x); }
std::string print(const Type& x) { return printed(x); }
std::string print(const RetType& x) { return printed(x); }
std::string print(const Param& x) { return printed(x); }
std::string print(const PatElem& x) { return printed(x); }
std::string print(const Exp& x) { return printed(x); }
std::string print(const Stm& x) { return printed(x); }
std::string print(const Body& x) { return printed(x); }
std::string print(const KernelBody& x) { return printed(x); }
std::string print(const KernelResult& x) { return printed(x); }
std::string print(const Lambda& x) { return printed(x); }
std::string print(const SegSpace& x) { return printed(x); }
std::string print(const SegLevel& x) { return printed(x); }
std::string print(const SizeClass& x) { return printed(x); }
std::string print(const ValueType& x) { return printed(x); }
std::string print(const EntryType& x) { return printed(x); }
std::string print(const OpaqueDef& x) { return printed(x); }
std::string print(const Attr& x) { return printed(x); }

}  // namespace heddle::seg
