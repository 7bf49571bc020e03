-- Generalised winding numbers of query points about a closed wavy surface, as sums of triangle solid angles.
type p3 = [3]f32
def sub (a: p3) (b: p3) : p3 = map2 (-) a b
def dot (a: p3) (b: p3) : f32 = f32.sum (map2 (*) a b)
def len (a: p3) : f32 = f32.sqrt (dot a a)
def cross (a: p3) (b: p3) : p3 =
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

def solid (q: p3) (a: p3) (b: p3) (c: p3) : f32 =
  let a = sub a q
  let b = sub b q
  let c = sub c q
  let num = dot a (cross b c)
  let den = len a * len b * len c + dot a b * len c + dot b c * len a + dot c a * len b
  in if num == 0 && den == 0 then 0 else 2 * f32.atan2 num den

entry main [n] (nu: i64) (nv: i64) (qs: [n][3]f32) : ([n]f32, i64, f32) =
  let at i j : p3 =
    let th = f32.pi * f32.i64 i / f32.i64 nu
    let ph = 2 * f32.pi * f32.i64 (j % nv) / f32.i64 nv
    let r = 0.7 + 0.15 * f32.sin (3 * th) * f32.cos (4 * ph)
    in [r * f32.sin th * f32.cos ph, r * f32.sin th * f32.sin ph, r * f32.cos th]
  let quads = flatten (tabulate_2d nu nv (\i j -> (at i j, at (i + 1) j, at (i + 1) (j + 1), at i (j + 1))))
  let wind = map (\r ->
      let q = map (\x -> 2 * x - 1) r
      in f32.sum (map (\(a, b, c, d) -> solid q a b c + solid q a c d) quads) / (4 * f32.pi)) qs
  let inside = i64.sum (map (\w -> i64.bool (w > 0.5)) wind)
  in (wind, inside, 8 * f32.i64 inside / f32.i64 n)
