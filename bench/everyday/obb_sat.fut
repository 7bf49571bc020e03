-- Oriented box collisions: sweep of neighbours in a grid order, separating-axis test on 15 axes, contact counts per box.
type v3 = (f64, f64, f64)
type box = {c: v3, h: v3, ax: v3, ay: v3, az: v3}

def dot (a: v3) (b: v3) = a.0 * b.0 + a.1 * b.1 + a.2 * b.2
def sub (a: v3) (b: v3) : v3 = (a.0 - b.0, a.1 - b.1, a.2 - b.2)
def cross (a: v3) (b: v3) : v3 =
  (a.1 * b.2 - a.2 * b.1, a.2 * b.0 - a.0 * b.2, a.0 * b.1 - a.1 * b.0)

def extent (b: box) (l: v3) =
  b.h.0 * f64.abs (dot b.ax l) + b.h.1 * f64.abs (dot b.ay l) + b.h.2 * f64.abs (dot b.az l)

def overlap (a: box) (b: box) : bool =
  let d = sub b.c a.c
  let hit (l: v3) = dot l l < 1e-8 || f64.abs (dot d l) <= extent a l + extent b l
  let as = [a.ax, a.ay, a.az]
  let bs = [b.ax, b.ay, b.az]
  in all hit as && all hit bs && all (\u -> all (\w -> hit (cross u w)) bs) as

def mk (p: [9]f64) : box =
  let (sa, ca) = (f64.sin (6 * p[6]), f64.cos (6 * p[6]))
  let (sb, cb) = (f64.sin (6 * p[7]), f64.cos (6 * p[7]))
  in { c = (p[0], p[1], p[2])
     , h = (0.02 + 0.1 * p[3], 0.02 + 0.1 * p[4], 0.02 + 0.1 * p[5] * p[8])
     , ax = (ca, sa, 0), ay = (-sa * cb, ca * cb, sb), az = (sa * sb, -ca * sb, cb) }

def main [n] (reach: i64) (params: [n][9]f32) : ([n]i32, i64) =
  let boxes = map (\p -> mk (map f64.f32 p)) params
  let count (i: i64) =
    let lo = i64.max 0 (i - reach)
    let hi = i64.min n (i + reach + 1)
    in loop k = 0i32 for j in lo..<hi do
         if j != i && overlap (if j < i then boxes[j] else boxes[i]) (if j < i then boxes[i] else boxes[j])
         then k + 1 else k
  let hits = tabulate n count
  in (hits, i64.sum (map i64.i32 hits) / 2)
