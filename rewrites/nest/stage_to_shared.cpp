#include "rewrites/nest/stage_to_shared.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/nest/buffers.h"
#include "ir/nest/printer.h"
#include "ir/nest/threads.h"
#include "ir/nest/uniform.h"
#include "rewrites/nest/fill.h"
#include "rewrites/nest/multiples.h"
#include "rewrites/nest/region.h"
#include "rewrites/nest/unused.h"

namespace heddle::nest {

namespace {

using prim::Type;

class Stager {
 public:
  Stager(const Kernel& kernel, const Name& before, NameSource& names)
      : kernel_(kernel),
        names_(names),
        site_(find_loop(kernel, before)),
        body_{stmt(*site_.loop)},
        facts_(names, no_definition) {
    learn_site(facts_, kernel, site_);
    for (const For* f : site_.around) {
      if (parallel(f->role) == Parallel::Threads) moving_.push_back(f);
    }
    if (moving_.empty()) refuse("there are no threads that could share a copy");
    for (const For* f : loops_in(body_)) moving_.push_back(f);
  }

  Rewritten run(const std::vector<Name>& buffers, const Substitution& row_multiples) {
    check_together();
    Block body = body_, copies;
    std::vector<Name> made;
    std::string staged;
    for (const Name& b : buffers) {
      check_constant(b);
      const Buffer& source = buffer_named(kernel_.buffers, b);
      for (const Region& region : regions_read(kernel_, body_, b, moving_, facts_)) {
        check_same_for_all(region, b);
        auto row_multiple = row_multiples.find(b);
        Buffer tile =
            tile_for(source, region, row_multiple == row_multiples.end() ? constant(int64_t{1}) : row_multiple->second);
        copies.push_back(stmt(Alloc{tile}));
        copies.push_back(copy(source, tile, region));
        made.push_back(std::get<For>(copies.back()->node).index);
        body = reading_copy(kernel_, body, {source, tile, region, true}, moving_, facts_);
      }
      staged += (staged.empty() ? "" : ", ") + b.text();
    }
    copies.push_back(stmt(Barrier{Scope::Block}));
    body.push_back(stmt(Barrier{Scope::Block}));
    body.insert(body.begin(), copies.begin(), copies.end());
    Kernel result = with_loop_replaced(kernel_, site_.loop->index, [&](const For&) { return body; });
    result.body = without_unused(result.body);
    return {result,
            fmt::format("nothing writes to {}, their indices are affine, all threads of a block come here "
                        "together, and barriers keep copying and reading apart",
                        staged),
            made};
  }

 private:
  void check_together() {
    const Varying& v = varying_;
    for (const Expr& c : site_.conditions) {
      if (v.depends(c)) refuse(fmt::format("only the threads for which {} come here", to_text(c)));
    }
    for (const For* f : site_.around) {
      if (!parallel(f->role) && v.depends(f->extent))
        refuse(fmt::format("threads come here a different number of times, {}", to_text(f->extent)));
    }
  }

  // All threads must agree where a box begins.
  void check_same_for_all(const Region& region, const Name& buffer) {
    for (const Polynomial& low : region.low) {
      if (varying_.depends(to_expr(low)))
        refuse(fmt::format("each thread reads another box of {}, at {}", buffer.text(), to_text(to_expr(low))));
    }
  }

  void check_constant(const Name& buffer) {
    if (std::ranges::none_of(kernel_.buffers, [&](const Buffer& b) { return b.name == buffer; }))
      refuse(fmt::format("{} is no parameter of the kernel", buffer.text()));
    check_only_read(kernel_, buffer);
  }

  Buffer tile_for(const Buffer& source, const Region& region, const Expr& row_multiple) {
    std::vector<Expr> dims;
    for (const Polynomial& p : region.extent) {
      Expr extent = to_expr(p), zero = constant(int64_t{0});
      bool is_size = facts_.prove_at_most(zero, extent);
      dims.push_back(is_size ? extent : operation(prim::Op(prim::Family::SMax, Type::I64), {zero, extent}));
    }
    if (!is_positive(kernel_, row_multiple, names_))
      refuse(fmt::format("rows of a multiple of {} elements may be empty", to_text(row_multiple)));
    if (!dims.empty()) dims.back() = round_up(dims.back(), row_multiple);
    std::vector<Expr> strides = dense_strides(dims);
    return {names_.fresh(source.name.base + "_tile"), source.elem, Space::Shared, std::move(dims), std::move(strides)};
  }

  Stmt copy(const Buffer& source, const Buffer& tile, const Region& region) {
    return fill(
        tile.dims, team_of(site_.around),
        [&](const std::vector<Expr>& to) {
          Block element;
          std::vector<Expr> from;
          Expr inside = constant(prim::Value::of_bool(true));
          for (size_t d = 0; d < to.size(); ++d) {
            Name at = names_.fresh("from");
            element.push_back(stmt(Let{at, add(to_expr(region.low[d]), to[d])}));
            from.push_back(var(at, Type::I64));
            if (!facts_.prove_at_most(constant(int64_t{0}), to_expr(region.low[d])))
              inside = both(inside, less(constant(int64_t{-1}), from[d]));
            if (!facts_.prove_at_most(add(to_expr(region.low[d]), tile.dims[d]), source.dims[d]))
              inside = both(inside, less(from[d], source.dims[d]));
          }
          Expr value = select(inside, load(source.name, source.elem, from), constant(prim::zero(source.elem)));
          element.push_back(stmt(Store{tile.name, to, value}));
          return element;
        },
        names_);
  }

  const Kernel& kernel_;
  NameSource& names_;
  Varying varying_ = varying(kernel_, Scope::Block);
  LoopSite site_;
  Block body_;  // the loop
  Facts facts_;
  std::vector<const For*> moving_;  // the loops over the block's threads, and those that the copy serves
};

}  // namespace

Result<Rewritten> stage_to_shared(const Kernel& kernel, const Name& before, const std::vector<Name>& buffers,
                                  NameSource& names, const Substitution& row_multiples) {
  return rewrite([&] { return Stager(kernel, before, names).run(buffers, row_multiples); });
}

}  // namespace heddle::nest
