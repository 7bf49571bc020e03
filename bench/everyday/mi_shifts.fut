-- Registration by mutual information: for every shift in a square of radius r a joint histogram of 32x32 bins over the overlap, and from it the information in nats.
def bins: i64 = 32

def joint [h][w] (a: [h][w]u8) (b: [h][w]u8) (dy: i64) (dx: i64): [bins*bins]i32 =
  let key i =
    let (y, x) = (i / w, i % w)
    let (yy, xx) = (y + dy, x + dx)
    in if yy < 0 || yy >= h || xx < 0 || xx >= w then -1
       else i64.u8 (a[y, x] >> 3) * bins + i64.u8 (b[yy, xx] >> 3)
  in hist (+) 0 (bins*bins) (map key (iota (h*w))) (replicate (h*w) 1)

def information (counts: [bins*bins]i32): f64 =
  let p = unflatten (map f64.i32 counts)
  let n = f64.sum (map f64.sum p)
  let xlogx v = if v > 0 then v / n * f64.log (v / n) else 0
  let rows = map f64.sum p
  let cols = map f64.sum (transpose p)
  in f64.sum (map (\r -> f64.sum (map xlogx r)) p) - f64.sum (map xlogx rows) - f64.sum (map xlogx cols)

entry main [h][w] (r: i64) (a: [h][w]u8) (b: [h][w]u8): ([][]f64, i32) =
  let k = 2*r + 1
  let all = tabulate_2d k k (\i j -> joint a b (i - r) (j - r))
  let mi = map (map information) all
  in (mi, i32.maximum (flatten (map (map i32.maximum) all)))
