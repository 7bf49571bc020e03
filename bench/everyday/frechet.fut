-- Discrete Frechet distances between all pairs of two sets of random-walk curves, by row-wise dynamic programming.
def curve [l] (dx: [l]f32) (dy: [l]f32) : [l](f32, f32) =
  zip (scan (+) 0 (map (\d -> d - 0.45) dx)) (scan (+) 0 (map (\d -> d - 0.5) dy))

def dist (a: (f32, f32)) (b: (f32, f32)) : f32 = f32.hypot (a.0 - b.0) (a.1 - b.1)

def frechet [l][k] (p: [l](f32, f32)) (q: [k](f32, f32)) : f32 =
  let row0 = scan f32.max 0 (map (dist p[0]) q)
  let last =
    loop row = row0 for i in 1..<l do
      let (_, row) =
        loop (diag, row) = (row[0], row with [0] = f32.max row[0] (dist p[i] q[0])) for j in 1..<k do
          let up = row[j]
          let best = f32.min (f32.min up diag) row[j - 1]
          in (up, row with [j] = f32.max best (dist p[i] q[j]))
      in row
  in last[k - 1]

entry main [a][b][l][k] (ax: [a][l]f32) (ay: [a][l]f32) (bx: [b][k]f32) (by: [b][k]f32) : ([a][b]f32, [a]i64) =
  let ps = map2 curve ax ay
  let qs = map2 curve bx by
  let d = map (\p -> map (frechet p) qs) ps
  let arg r = (reduce (\(x, i) (y, j) -> if y < x || (y == x && j < i) then (y, j) else (x, i))
                      (f32.inf, i64.highest) (zip r (iota b))).1
  in (d, map arg d)
