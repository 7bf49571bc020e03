// SOACs and the operations of the GPU form.
#include "frontend_bridge/futhark/reader_parser.h"

namespace heddle::futhark {

using namespace seg;

// ---- SOACs. ----

template <bool scans, bool reduces>
Exp Parser::screma() {
  expect('(');
  Screma e;
  e.width = sub_exp();
  expect(',');
  e.arrays = names();
  expect(',');
  e.map = lambda();
  if constexpr (scans) {
    expect(',');
    e.scans = braces([&] {
      ScanOp op;
      op.lambda = lambda();
      expect(',');
      op.neutral = sub_exps();
      return op;
    });
  }
  if constexpr (reduces) {
    expect(',');
    e.reduces = braces([&] {
      ReduceOp op;
      op.commutative = accept_word("commutative");
      op.lambda = lambda();
      expect(',');
      op.neutral = sub_exps();
      return op;
    });
  }
  if (at(',')) {
    reject(ErrorKind::Unsupported,
           "a second lambda here was introduced by Futhark 0.25.37; heddle reads what Futhark 0.25.27 prints");
  }
  expect(')');
  return e;
}

Exp Parser::scatter() {
  expect('(');
  Scatter e;
  e.width = sub_exp();
  expect(',');
  e.arrays = names();
  expect(',');
  while (accept('(')) {
    ScatterDest d;
    d.shape = shape();
    expect(',');
    d.num_writes = small_int();
    expect(',');
    d.array = name();
    expect(')');
    expect(',');
    e.dests.push_back(std::move(d));
  }
  e.lambda = lambda();
  expect(')');
  return e;
}

HistOp Parser::hist_op(bool in_segop) {
  HistOp op;
  op.shape = shape();
  expect(',');
  op.race_factor = sub_exp();
  expect(',');
  op.dests = names();
  expect(',');
  op.neutral = sub_exps();
  expect(',');
  if (in_segop) {
    op.op_shape = shape();
    expect(',');
  }
  op.op = lambda();
  return op;
}

Exp Parser::hist() {
  expect('(');
  Hist e;
  e.width = sub_exp();
  expect(',');
  e.arrays = names();
  expect(',');
  e.ops = braces([&] { return hist_op(false); });
  expect(',');
  e.bucket = lambda();
  expect(')');
  return e;
}

Exp Parser::stream() {
  expect('(');
  Stream e;
  e.width = sub_exp();
  expect(',');
  e.arrays = names();
  expect(',');
  e.accs = sub_exps();
  expect(',');
  e.lambda = lambda();
  expect(')');
  return e;
}

template <bool reverse>
Exp Parser::derivative() {
  expect('(');
  Derivative e;
  e.reverse = reverse;
  e.args = sub_exps();
  expect(',');
  e.seeds = sub_exps();
  expect(',');
  e.lambda = lambda();
  expect(')');
  return e;
}

// ---- Segops. ----

template <SegKind kind>
Exp Parser::seg_op() {
  SegOp e;
  e.kind = kind;
  e.level = level();
  e.space = space();
  if constexpr (kind == SegKind::Red || kind == SegKind::Scan) {
    e.ops = list('(', ')', [&] { return seg_bin_op(); });
  } else if constexpr (kind == SegKind::Hist) {
    e.hists = list('(', ')', [&] { return hist_op(true); });
  }
  expect(':');
  e.types = types();
  expect('{');
  e.body = kernel_body();
  expect('}');
  return e;
}

SegLevel Parser::level() {
  SegLevel l;
  expect('(');
  if (at(')')) {
    reject(ErrorKind::Unsupported,
           "segops without a level belong to the multicore form (.fut_mc); heddle reads .fut_soacs and .fut_gpu");
  }
  if (at_word("group") || at_word("ingroup")) {
    reject(ErrorKind::Unsupported,
           "this level's name was replaced by Futhark 0.25.11; heddle reads what Futhark 0.25.27 prints");
  }
  if (accept_word("thread")) {
    l.kind = LevelKind::Thread;
  } else if (accept_word("block")) {
    l.kind = LevelKind::Block;
  } else if (accept_word("inblock")) {
    l.kind = LevelKind::InBlock;
  } else {
    fail("`thread`, `block` or `inblock`");
  }
  expect(';');
  if (accept_word("full")) {
    l.virt = Virt::Full;
    l.seq_dims = list('[', ']', [&] { return small_int(); });
  } else if (accept_word("virtualise")) {
    l.virt = Virt::Virtualise;
  }
  if (l.kind != LevelKind::InBlock) {
    expect(';');
    if (accept_prefix("grid=")) {
      KernelGrid grid;
      grid.num_blocks = sub_exp();
      expect(';');
      if (!accept_prefix("blocksize=")) fail("`blocksize=`");
      grid.block_size = sub_exp();
      l.grid = std::move(grid);
    }
  }
  expect(')');
  return l;
}

SegSpace Parser::space() {
  SegSpace s;
  s.dims = list('(', ')', [&] {
    SegDim d;
    d.index = name();
    expect_word("<");
    d.size = sub_exp();
    return d;
  });
  expect('(');
  expect('~');
  s.flat = name();
  expect(')');
  return s;
}

SegBinOp Parser::seg_bin_op() {
  SegBinOp op;
  op.neutral = sub_exps();
  expect(',');
  op.shape = shape();
  expect(',');
  op.commutative = accept_word("commutative");
  op.lambda = lambda();
  return op;
}

KernelBodyPtr Parser::kernel_body() {
  Level level(*this);
  auto b = std::make_shared<KernelBody>();
  b->stms = stms();
  if (!accept_word("return")) fail("`let` or `return`");
  b->results = braces([&] { return kernel_result(); });
  return b;
}

KernelResult Parser::kernel_result() {
  Certs cs = certs();
  if (accept_word("returns")) {
    Returns r;
    r.certs = std::move(cs);
    if (accept('(')) {
      if (accept_word("manifest")) {
        r.kind = ReturnsKind::Manifest;
      } else if (accept_word("private")) {
        r.kind = ReturnsKind::Private;
      } else if (accept(')')) {
        r.value = prim::Value::unit();
        return r;
      } else {
        fail("`manifest` or `private`");
      }
      expect(')');
    }
    r.value = sub_exp();
    return r;
  }
  if (accept_word("tile")) {
    TileReturns r;
    r.certs = std::move(cs);
    r.dims = list('(', ')', [&] {
      TileDim d;
      d.dim = sub_exp();
      expect_word("/");
      d.tile = sub_exp();
      return d;
    });
    r.array = name();
    return r;
  }
  if (accept_word("blkreg_tile")) {
    RegTileReturns r;
    r.certs = std::move(cs);
    r.dims = list('(', ')', [&] {
      RegTileDim d;
      d.dim = sub_exp();
      expect_word("/");
      expect('(');
      d.block_tile = sub_exp();
      expect_word("*");
      d.reg_tile = sub_exp();
      expect(')');
      return d;
    });
    r.array = name();
    return r;
  }
  std::optional<Name> array = try_name();
  if (!array) fail("`returns`, `tile`, `blkreg_tile` or the name of an array to write to");
  WriteReturns r;
  r.certs = std::move(cs);
  r.array = *std::move(array);
  expect_word("with");
  r.writes = list('(', ')', [&] {
    Write w;
    w.slice = slice();
    expect_word("=");
    w.value = sub_exp();
    return w;
  });
  return r;
}

// ---- Sizes. ----

SizeClass Parser::size_class() {
  SizeClass c;
  if (accept_word("thread_block_size")) {
    c.kind = SizeClassKind::ThreadBlock;
  } else if (accept_word("grid_size")) {
    c.kind = SizeClassKind::Grid;
  } else if (accept_word("tile_size")) {
    c.kind = SizeClassKind::Tile;
  } else if (accept_word("reg_tile_size")) {
    c.kind = SizeClassKind::RegTile;
  } else if (accept_word("shared_memory")) {
    c.kind = SizeClassKind::SharedMemory;
  } else if (accept_word("threshold")) {
    c.kind = SizeClassKind::Threshold;
    expect('(');
    if (!accept_word("def")) c.default_value = integer();
    expect(',');
    while (!accept(')')) {
      PathStep step;
      step.taken = !accept_prefix("!");
      step.threshold = word("a threshold's name or `)`");
      c.path.push_back(std::move(step));
    }
  } else if (accept_word("bespoke")) {
    c.kind = SizeClassKind::Bespoke;
    expect('(');
    c.bespoke = word("the size's name");
    expect(',');
    c.default_value = integer();
    expect(')');
  } else {
    fail("a size class, such as `thread_block_size` or `threshold`");
  }
  return c;
}

Exp Parser::get_size() {
  expect('(');
  GetSize e;
  e.key = word("the parameter's name");
  expect(',');
  e.size_class = size_class();
  expect(')');
  return e;
}

Exp Parser::get_size_max() {
  expect('(');
  GetSizeMax e{size_class()};
  expect(')');
  return e;
}

Exp Parser::cmp_size() {
  expect('(');
  CmpSize e;
  e.key = word("the parameter's name");
  expect(',');
  e.size_class = size_class();
  expect(')');
  expect_word("<=");
  e.value = sub_exp();
  return e;
}

Exp Parser::calc_num_blocks() {
  expect('(');
  CalcNumBlocks e;
  e.width = sub_exp();
  expect(',');
  e.max_blocks_key = word("the parameter's name");
  expect(',');
  e.block_size = sub_exp();
  expect(')');
  return e;
}

Exp Parser::gpu_body() {
  GpuBody e;
  expect(':');
  e.types = types();
  expect('{');
  e.body = body();
  expect('}');
  return e;
}

template Exp Parser::screma<false, false>();
template Exp Parser::screma<false, true>();
template Exp Parser::screma<true, false>();
template Exp Parser::screma<true, true>();
template Exp Parser::derivative<false>();
template Exp Parser::derivative<true>();
template Exp Parser::seg_op<SegKind::Map>();
template Exp Parser::seg_op<SegKind::Red>();
template Exp Parser::seg_op<SegKind::Scan>();
template Exp Parser::seg_op<SegKind::Hist>();

}  // namespace heddle::futhark
