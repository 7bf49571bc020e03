-- The hodgepodge machine (Gerhardt and Schuster): healthy, infected and ill cells on a grid, byte states, a fixed number of generations.
def q : i32 = 100
entry main [h][w] (gens: i64) (k1: u8) (k2: u8) (g: u8) (cells: [h][w]u8) : ([h][w]u8, [gens]i64) =
  let (k1, k2) = (1 + i32.u8 k1 % 4, 1 + i32.u8 k2 % 4)
  let g = 5 + i32.u8 g % 40
  let init = map (map (\c -> if c < 150 then 0 else u8.i32 (i32.u8 c - 150) % 101)) cells
  let rule s (ns: [8]i32) =
    let ill = i32.sum (map (\x -> i32.bool (x == q)) ns)
    let inf = i32.sum (map (\x -> i32.bool (x > 0 && x < q)) ns)
    in if s == q then 0
       else if s == 0 then i32.min q (inf / k1 + ill / k2)
       else i32.min q ((i32.sum ns + s) / (inf + ill + 1) + g)
  let next (a: [h][w]u8) : [h][w]u8 =
    tabulate_2d h w (\i j ->
      let (u, d) = ((i + h - 1) % h, (i + 1) % h)
      let (l, r) = ((j + w - 1) % w, (j + 1) % w)
      let ns = map i32.u8 [a[u,l], a[u,j], a[u,r], a[i,l], a[i,r], a[d,l], a[d,j], a[d,r]]
      in u8.i32 (rule (i32.u8 a[i,j]) ns))
  in loop (a, ill) = (init, replicate gens 0) for t < gens do
       let b = next a
       in (b, ill with [t] = i64.sum (flatten (map (map (\c -> i64.bool (i32.u8 c == q))) b)))
