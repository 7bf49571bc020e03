// Expressions: basic operations, control, SOACs, and the GPU form.
#include "ir/seg/printer_nodes.h"

namespace heddle::seg {

// ---- Expressions. ----

void Printer::put(const Atom& e) { put(e.value); }

void Printer::put(const Opaque& e) {
  if (e.trace) {
    puts("trace(", quote(*e.trace), ", ", e.value, ")");
  } else {
    puts("opaque(", e.value, ")");
  }
}

void Printer::put(const PrimOp& e) {
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

void Printer::put(const ArrayLit& e) {
  in_brackets(e.elems);
  puts(" : []", e.row_type);
}

void Printer::put(const ArrayVal& e) {
  in_brackets(e.elems);
  puts(" : []", e.elem_type);
}

void Printer::put(const ErrorVal& v) { puts(v.value, " : ", v.type); }

void Printer::put(const ErrorPart& p) {
  if (const std::string* text = std::get_if<std::string>(&p)) {
    put(quote(*text));
  } else {
    put(std::get<ErrorVal>(p));
  }
}

void Printer::put(const Assert& e) {
  puts("assert(", e.condition, ", ");
  in_braces(e.message);
  puts(", ", quote(e.location), ")");
}

void Printer::put(const Index& e) {
  put(e.array);
  in_brackets(e.slice);
}

void Printer::put(const Update& e) {
  puts(e.array, e.safe ? " with? " : " with ");
  in_brackets(e.slice);
  puts(" = ", e.value);
}

void Printer::put(const FlatIndex& e) { puts(e.array, e.slice); }
void Printer::put(const FlatUpdate& e) { puts(e.array, " with ", e.slice, " = ", e.value); }

void Printer::put(const Concat& e) {
  puts("concat@", e.dim, "(", e.width, ", ");
  commas(e.arrays);
  out += ')';
}

void Printer::put(const Manifest& e) {
  out += "manifest(";
  in_parens(e.perm);
  puts(", ", e.array, ")");
}

void Printer::put(const Iota& e) {
  puts("iota", 8 * prim::size_bytes(e.elem), "(", e.count, ", ", e.start, ", ", e.stride, ")");
}

void Printer::put(const Replicate& e) {
  if (e.shape.empty()) {
    puts("copy(", e.value, ")");
    return;
  }
  out += "replicate(";
  put_shape(e.shape);
  puts(", ", e.value, ")");
}

void Printer::put(const Scratch& e) {
  puts("scratch(", e.elem);
  for (const SubExp& d : e.shape) puts(", ", d);
  out += ')';
}

void Printer::put(const Reshape& e) {
  out += e.coerce ? "coerce(" : "reshape(";
  put_shape(e.shape);
  puts(", ", e.array, ")");
}

void Printer::put(const Rearrange& e) {
  out += "rearrange(";
  in_parens(e.perm);
  puts(", ", e.array, ")");
}

void Printer::put(const UpdateAcc& e) {
  puts(e.safe ? "update_acc(" : "update_acc_unsafe(", e.acc, ", ");
  in_braces(e.index);
  out += ", ";
  in_braces(e.values);
  out += ')';
}

void Printer::put(const Arg& a) { puts(a.consumed ? "*" : "", a.value); }

void Printer::put(const Apply& e) {
  puts(e.unsafe ? "apply <unsafe> " : "apply ", e.function);
  in_parens(e.args);
  out += " : ";
  in_braces(e.ret);
}

void Printer::put(MatchSort sort) {
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

void Printer::put(const std::optional<prim::Value>& pattern) {
  if (pattern) {
    put(*pattern);
  } else {
    out += '_';
  }
}

void Printer::put(const Match& e) {
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

void Printer::put(const ForLoop& f) { puts("for ", f.index, ":", f.index_type, " < ", f.bound); }
void Printer::put(const WhileLoop& f) { puts("while ", f.condition); }

void Printer::put(const Loop& e) {
  out += "loop ";
  in_braces(e.params);
  out += " = ";
  in_braces(e.inits);
  out += ' ';
  put(e.form);
  out += " do ";
  block([&] { put(*e.body); });
}

void Printer::put(const WithAccInput& input) {
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

void Printer::put(const WithAcc& e) {
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

void Printer::soac_head(const char* keyword, const SubExp& width, const std::vector<Name>& arrays) {
  puts(keyword, "(", width, ", ");
  in_braces(arrays);
}

void Printer::next_line() {
  out += ',';
  new_line();
}

void Printer::put(const ScanOp& op) {
  puts(op.lambda, ", ");
  in_braces(op.neutral);
}

void Printer::put(const ReduceOp& op) {
  puts(op.commutative ? "commutative " : "", op.lambda, ", ");
  in_braces(op.neutral);
}

void Printer::put(const Screma& e) {
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

void Printer::put(const ScatterDest& d) {
  out += '(';
  put_shape(d.shape);
  puts(", ", d.num_writes, ", ", d.array, ")");
}

void Printer::put(const Scatter& e) {
  soac_head("scatter", e.width, e.arrays);
  out += ", ";
  commas(e.dests);
  indented([&] {
    next_line();
    put(e.lambda);
  });
  out += ')';
}

void Printer::put_hist_op(const HistOp& op, bool in_segop) {
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

void Printer::put_hist_ops(char open, const std::vector<HistOp>& ops, char close, bool in_segop) {
  out += open;
  for (size_t i = 0; i < ops.size(); ++i) {
    if (i > 0) next_line();
    put_hist_op(ops[i], in_segop);
  }
  out += close;
}

void Printer::put(const Hist& e) {
  soac_head("hist", e.width, e.arrays);
  indented([&] {
    next_line();
    put_hist_ops('{', e.ops, '}', false);
    next_line();
    put(e.bucket);
  });
  out += ')';
}

void Printer::put(const Stream& e) {
  soac_head("streamSeq", e.width, e.arrays);
  out += ", ";
  in_braces(e.accs);
  indented([&] {
    next_line();
    put(e.lambda);
  });
  out += ')';
}

void Printer::put(const Derivative& e) {
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

void Printer::put(const SegLevel& l) {
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

void Printer::put(const SegDim& d) { puts(d.index, " < ", d.size); }

void Printer::put(const SegSpace& s) {
  in_parens(s.dims);
  puts(" (~", s.flat, ")");
}

void Printer::put(const SegBinOp& op) {
  in_braces(op.neutral);
  out += ", ";
  put_shape(op.shape);
  puts(", ", op.commutative ? "commutative " : "", op.lambda);
}

void Printer::put(const Returns& r) {
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

void Printer::put(const Write& w) {
  in_brackets(w.slice);
  puts(" = ", w.value);
}

void Printer::put(const WriteReturns& r) {
  put_certs(r.certs);
  puts(r.array, " with ");
  in_parens(r.writes);
}

void Printer::put(const TileDim& d) { puts(d.dim, " / ", d.tile); }

void Printer::put(const TileReturns& r) {
  put_certs(r.certs);
  out += "tile";
  in_parens(r.dims);
  puts(" ", r.array);
}

void Printer::put(const RegTileDim& d) { puts(d.dim, " / (", d.block_tile, " * ", d.reg_tile, ")"); }

void Printer::put(const RegTileReturns& r) {
  put_certs(r.certs);
  out += "blkreg_tile";
  in_parens(r.dims);
  puts(" ", r.array);
}

void Printer::put(const SegOp& e) {
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

void Printer::put(const PathStep& s) { puts(s.taken ? "" : "!", s.threshold); }

void Printer::put(const SizeClass& c) {
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

void Printer::put(const GetSize& e) { puts("get_size(", e.key, ", ", e.size_class, ")"); }
void Printer::put(const GetSizeMax& e) { puts("get_size_max(", e.size_class, ")"); }
void Printer::put(const CmpSize& e) { puts("cmp_size(", e.key, ", ", e.size_class, ") <= ", e.value); }

void Printer::put(const CalcNumBlocks& e) {
  puts("calc_num_tblocks(", e.width, ", ", e.max_blocks_key, ", ", e.block_size, ")");
}

void Printer::put(const GpuBody& e) {
  out += "gpu : ";
  in_braces(e.types);
  out += ' ';
  block([&] { put(*e.body); });
}

}  // namespace heddle::seg
