-- Exponentials of many small matrices (scaling, a Taylor polynomial, squaring), applied to vectors.
module type ring = { type t val zero: t val one: t val +: t -> t -> t val *: t -> t -> t val scale: f32 -> t -> t }

module square_matrix (R: ring with t = f32) = {
  type mat [k] = [k][k]R.t
  def eye (k: i64) : mat [k] = map (\i -> map (\j -> if i == j then R.one else R.zero) (iota k)) (iota k)
  def add [k] (a: mat [k]) (b: mat [k]) : mat [k] = map2 (map2 (R.+)) a b
  def scale [k] (s: f32) (a: mat [k]) : mat [k] = map (map (R.scale s)) a
  def mul [k] (a: mat [k]) (b: mat [k]) : mat [k] =
    map (\i -> map (\j -> loop s = R.zero for q < k do s R.+ (a[i, q] R.* b[q, j])) (iota k)) (iota k)
}

module reals : ring with t = f32 = { type t = f32 def zero = 0f32 def one = 1f32 def (a: f32) + (b: f32) = a f32.+ b def (a: f32) * (b: f32) = a f32.* b def scale (a: f32) (b: f32) = a f32.* b }
module M = square_matrix reals

def expm [k] (squarings: i32) (a: [k][k]f32) : [k][k]f32 =
  let a = M.scale (1 / f32.i32 (1 << squarings)) a
  let p = loop p = M.eye k for i < 7i32 do
    M.add (M.eye k) (M.scale (1 / f32.i32 (7 - i)) (M.mul a p))
  in loop p for _i < squarings do M.mul p p

entry main [n][k] (squarings: i32) (a: [n][k][k]f32) (x: [n][k]f32) : ([n][k]f32, [n]f32) =
  let one a x =
    let e = expm squarings (map (map (\v -> v - 0.5)) a)
    in (map (\r -> f32.sum (map2 (*) r x)) e, f32.sum (map (\i -> e[i, i]) (iota k)))
  in unzip (map2 one a x)
