-- Brian's Brain on a torus: ready, firing and resting cells; the firing cells are counted each step.
def ready : u8 = 0
def firing : u8 = 1
def resting : u8 = 2

entry main [h] [w] (steps: i64) (seed: [h][w]u8) : ([h][w]u8, [steps]i64) =
  let start = map (map (\s -> if s < 60 then firing else if s < 90 then resting else ready)) seed
  let next (g: [h][w]u8) y x =
    let c = g[y, x]
    in if c == firing then resting else if c == resting then ready
       else let (u, d) = ((y + h - 1) % h, (y + 1) % h)
            let (l, r) = ((x + w - 1) % w, (x + 1) % w)
            let n = i32.sum (map (\v -> i32.bool (v == firing))
                                 [g[u, l], g[u, x], g[u, r], g[y, l], g[y, r], g[d, l], g[d, x], g[d, r]])
            in if n == 2 then firing else ready
  in loop (g, counts) = (start, replicate steps 0) for i < steps do
       let g = tabulate_2d h w (next g)
       in (g, counts with [i] = i64.sum (map (\row -> i64.sum (map (\c -> i64.bool (c == firing)) row)) g))
