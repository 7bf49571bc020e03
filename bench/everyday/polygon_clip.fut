-- Sutherland-Hodgman: clips star-shaped hexagons to a rectangle in private arrays; areas, vertex counts, the covered share.
type pt = (f32, f32)
def cap : i64 = 32

def clip (inside: pt -> f32) (poly: [32]pt, n: i64) : ([32]pt, i64) =
  loop (out, k) = (replicate 32 (0, 0), 0) for i < n do
    let p = poly[i]
    let q = poly[if i + 1 == n then 0 else i + 1]
    let a = inside p
    let b = inside q
    let cut : pt =
      let t = if a == b then 0 else a / (a - b)
      in (p.0 + t * (q.0 - p.0), p.1 + t * (q.1 - p.1))
    let (out, k) = if a >= 0 && k < cap then (out with [k] = p, k + 1) else (out, k)
    in if (a >= 0) != (b >= 0) && k < cap then (out with [k] = cut, k + 1) else (out, k)

def area (poly: [32]pt, n: i64) : f32 =
  0.5 * f32.abs (loop s = 0 for i < n do
                   let (x, y) = poly[i]
                   let (u, v) = poly[(i + 1) % n]
                   in s + x * v - u * y)

def main [n] (left: f32) (right: f32) (low: f32) (high: f32) (centres: [n][2]f32) (radii: [n][6]f32)
    : ([n]f32, f64, f64) =
  let shape (c: [2]f32) (rs: [6]f32) : ([32]pt, i64) =
    let corner k =
      let a = 2 * f32.pi * f32.i64 k / 6
      in (c[0] + 0.3 * (0.1 + rs[k]) * f32.cos a, c[1] + 0.3 * (0.1 + rs[k]) * f32.sin a)
    in (tabulate 32 (\k -> if k < 6 then corner k else (0, 0)), 6)
  let (clipped, counts, full) =
    unzip3 (map2 (\c rs ->
                    let p = shape c rs
                    let (q, m) =
                      clip (\(x, _) -> x - left) p
                      |> clip (\(x, _) -> right - x)
                      |> clip (\(_, y) -> y - low)
                      |> clip (\(_, y) -> high - y)
                    in (area (q, m), f64.i64 m, f64.f32 (area p)))
                 centres radii)
  in (clipped, f64.sum counts / f64.i64 n, f64.sum (map f64.f32 clipped) / f64.sum full)
