-- Written in the style of a library, which library/modules is.
open import "library/modules"

entry qmc_two_sequences (n: i64) (k: i64) (a: f32) : ([n]f32, [n]f32, f32) =
  let f acc (x, y) = acc + f32.exp (-a * (x * x + y * y)) * f32.cos (x - y)
  let h = halton_stream.fold f 0 n k |> map (/ f32.i64 k)
  let w = weyl_stream.fold f 0 n k |> map (/ f32.i64 k)
  in (h, w, (f32.sum h + f32.sum w) / f32.i64 n)

entry spline_resample_f32 [b][n] (ys: [b][n]f32) (q: i64) : [b][q]f32 =
  let h = 1 / f32.i64 (n - 1)
  in map (\y -> let m = spline32.second h y
                in tabulate q (\i -> spline32.eval h y m (f32.i64 i / f32.i64 q)))
         ys

entry pic_two_stream_f64 [n] (x0: [n]f64) (v0: [n]f64) (g: i64) (steps: i64) (dt: f64) : (f64, f64, [g]f64) =
  let xs = map (\x -> x * f64.i64 g) x0
  let vs = map2 (\i v -> if i % 2 == 0 then 1 + 0.1 * v else -1 + 0.1 * v) (iota n) v0
  let (vs, rho) = pic64.run g dt steps xs vs
  let (p, e) = moments (+) (*) 0 vs
  in (p / f64.i64 n, e / f64.i64 n, rho)

entry kmeans_int_l1 [n][d] (xs: [n][d]i32) (k: i64) (iters: i64) : ([k][d]i64, [k]i32, i64) =
  let xs = map (map i64.i32) xs
  let cs = tabulate k (\i -> xs[(i * 7919) % n])
  let cs = loop cs for _i < iters do lloyd_l1.update xs cs (lloyd_l1.assign xs cs)
  let as = lloyd_l1.assign xs cs
  in (cs, hist (+) 0i32 k as (replicate n 1), i64.sum (map2 (\x a -> l1_int.dist x cs[a]) xs as))

entry decay_fits_f64 [b][n] (noise: [b][n]f64) (rates: [b]f64) (iters: i64) : ([b][3]f64) =
  let ts = tabulate n (\i -> 3 * f64.i64 i / f64.i64 n)
  let model (p: [3]f64) (t: f64) = p[0] * f64.exp (-p[1] * t) + p[2]
  in map2 (\e r -> gn64.fit model iters 0.01 ts (map2 (\t w -> model [2, r, 0.5] t + 0.05 * w) ts e) [1.5, 1, 0.2])
          noise rates

entry range_bounds_f64 [n][m] (cs: [m]f64) (mids: [n]f64) (rad: f64) (pieces: i64) : ([n]f64, [n]f64, [n]f64) =
  let one x =
    let h = 2 * rad / f64.i64 pieces
    let piece p = let lo = x - rad + f64.i64 p * h
                  in poly_iv.horner cs (iv64.make lo (lo + h))
    let whole = loop a = piece 0 for p < pieces - 1 do iv64.hull a (piece (p + 1))
    let aff = poly_af.clenshaw (af64.const 2) cs (af64.make 1 (x - rad) (x + rad))
    in (whole.lo, whole.hi, af64.width aff)
  in unzip3 (map one mids)

-- Fibonacci numbers modulo 2^256, by fast doubling.
entry fib_mod_2_256 [n] (ks: [n]u32) : [n][8]u32 =
  let fib (k: u32) : big256.t =
    let (a, _) =
      loop (a, b) = (big256.of_u32 0, big256.of_u32 1) for i < 32 do
        let bit = (k >> (31 - u32.i64 i)) & 1
        let c = big256.mul a (big256.sub (big256.add b b) a)
        let d = big256.add (big256.mul a a) (big256.mul b b)
        in if bit == 1 then (d, big256.add c d) else (c, d)
    in a
  in map (\k -> fib k :> [8]u32) ks

entry svd_values_f64 [b][m][n] (as: [b][m][n]f64) (sweeps: i64) : ([b][n]f64) =
  map (\a -> jacobi64.singular sweeps (transpose a)) as

entry image_zoom_f16 [h][w] (img: [h][w]f16) (s: f16) : ([h][w]f16, [h]f16) =
  let z = image16.warp (image16.zoom s) img
  in (z, map f16.maximum z)
