-- The likelihood of sites of an alignment on a balanced tree: pruning with transition matrices, and rates in classes.
def jukes (t: f64) : [4][4]f64 =
  let e = f64.exp (-4 * t / 3)
  in tabulate_2d 4 4 (\i j -> if i == j then 0.25 + 0.75 * e else 0.25 - 0.25 * e)

entry main [sites][leaves][edges][rates] (align: [leaves][sites]u8) (len: [edges]f64) (rate: [rates]f64) : (f64, [sites]f64) =
  let inner = leaves - 1
  -- nodes as in a heap: 0 the root, children 2i+1 and 2i+2, leaves last
  let p = map (\r -> map (\i -> jukes ((0.05 + 0.5 * r) * len[i % edges])) (iota (inner + leaves))) rate
  let site (s: i64) (p: [][4][4]f64) : f64 =
    let part = replicate inner [0, 0, 0, 0]
    let part = loop part for q < inner do
      let i = inner - 1 - q
      let child (c: i64) (x: i64) : f64 =
        if c < inner then loop acc = 0 for y < 4 do acc + p[c, x, y] * part[c, y]
        else let b = align[c - inner, s]
             in if b < 20 then 1 else p[c, x, i64.u8 (b & 3)]
      let here = map (\x -> child (2 * i + 1) x * child (2 * i + 2) x) (iota 4)
      in part with [i] = here
    in 0.25 * f64.sum part[0]
  let per = map (\s -> f64.log (f64.sum (map (site s) p) / f64.i64 rates)) (iota sites)
  in (f64.sum per, per)
