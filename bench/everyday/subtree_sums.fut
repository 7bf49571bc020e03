-- Subtree sums, sizes and depths of a random recursive tree by pointer doubling with histograms.
module type monoid = { type t val zero: t val add: t -> t -> t }

module subtree (M: monoid) = {
  def run [n] (parent: [n]i64) (xs: [n]M.t) : [n]M.t =
    let rounds = i64.i32 (64 - i64.clz n)
    in (loop (up, acc) = (parent, xs) for _k < rounds do
          let acc' = reduce_by_index (copy acc) M.add M.zero up acc
          let up' = map (\u -> if u < 0 then -1 else up[u]) up
          in (up', acc')).1
}
module sum_i64 = subtree { type t = i64 def zero = 0i64 def add (a: t) (b: t) = a + b }
module max_f32 = subtree { type t = f32 def zero = f32.lowest def add = f32.max }

entry main [n] (rs: [n]u32) (ws: [n]f32) : ([n]i64, [n]f32, [n]i32, i64) =
  let parent = map2 (\i r -> if i == 0 then -1 else i64.u32 r % i) (iota n) rs
  let size = sum_i64.run parent (replicate n 1)
  let heavy = max_f32.run parent ws
  let (_, depth) = loop (up, d) = (parent, map (\p -> i32.bool (p >= 0)) parent)
                   while any (>= 0) up do
    unzip (map2 (\u x -> if u < 0 then (-1, x) else (up[u], x + d[u])) up d)
  -- centroid: smallest vertex whose heaviest remaining part is at most n/2
  let child = reduce_by_index (replicate n 0) i64.max 0 parent size
  let cands = map3 (\i s c -> if i64.max c (n - s) <= n / 2 then i else n) (iota n) size child
  in (size, heavy, depth, i64.minimum cands)
