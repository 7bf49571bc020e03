-- Livermore loops and loops in the manner of TSVC.

-- 1 and 12: hydro fragment and first difference, over many fragments.
entry hydro_frag [m][n] (q: f64) (r: f64) (t: f64) (y: [m][n]f64) (z: [m][n]f64) : ([m][n]f64, [m]f64) =
  let frag (y: [n]f64) (z: [n]f64) =
    tabulate n (\k -> q + y[k] * (r * z[(k + 10) % n] + t * z[(k + 11) % n]))
  let x = map2 frag y z
  let rough (x: [n]f64) = f64.maximum (map (\i -> if i + 1 < n then f64.abs (x[i+1] - x[i]) else 0) (iota n))
  in (x, map rough x)

-- 2: incomplete Cholesky, conjugate gradient: each level half as long as the one before.
entry iccg [n] (x0: [n]f32) (v: [n]f32) : [n]f32 =
  let (x, _, _) =
    loop (x, start, len) = (copy x0, 0, n / 2) while len >= 2 do
      let next = start + len
      let half = len / 2
      let new =
        map (\i ->
          let k = start + 2 * i + 1
          in x[k] - v[k] * x[k-1] - (if k + 1 < n then v[k+1] * x[k+1] else 0)) (iota half)
      in (scatter x (map (+ next) (iota half)) new, next, half)
  in x

-- 3 and 4: inner products and banded linear equations, a system per row.
entry banded [m][n] (stride: i64) (x: [m][n]f32) (y: [n]f32) : ([m][n]f32, [m]f32) =
  let bands = n / 5
  let row (x: [n]f32) =
    loop x = copy x for b in [1, 2, 3] do
      let k = b * n / 4
      let temp = f32.sum (map (\j -> x[(k + j * stride) % n] * y[(j * 5 + 4) % n]) (iota bands))
      in x with [k] = y[4 % n] * (x[k] - temp / f32.i64 n)
  let x' = map row x
  in (x', map (\r -> f32.sum (map2 (*) r y)) x')

-- 5 and 11: tridiagonal elimination below the diagonal as a scan of affine maps, and its first sum.
entry tri_elim [n] (x0: f64) (y: [n]f64) (z: [n]f64) : ([n]f64, [n]f64) =
  let compose (a1: f64, b1: f64) (a2: f64, b2: f64) = (a1 * a2, a2 * b1 + b2)
  -- x[i] = z[i] (y[i] - x[i-1])
  let maps = map2 (\y z -> (-z, z * y)) y z
  let x = scan compose (1, 0) maps |> map (\(a, b) -> a * x0 + b)
  in (x, scan (+) 0 x)

-- 6: general linear recurrence, for several right-hand sides.
entry gen_linear [m][n] (w0: [m]f64) (b: [n][n]f64) : [m][n]f64 =
  let solve s =
    let w = replicate n 0 with [0] = s
    in loop w for i in 1..<n do
         let wi = 0.01 + reduce (+) 0 (map (\k -> b[k, i] * w[i - k - 1]) (iota i)) / f64.i64 n
         in w with [i] = wi
  in map solve w0

-- 7: equation of state fragment, with its derivative in the direction of du.
entry eos_jvp [n] (q: f32) (r: f32) (t: f32) (u: [n]f32) (du: [n]f32) (y: [n]f32) (z: [n]f32) : ([n]f32, [n]f32) =
  let at (u: [n]f32) (k: i64) = u[k % n]
  let eos (u: [n]f32) =
    map3 (\k y z ->
      u[k] + r * (z + r * y)
      + t * (at u (k+3) + r * (at u (k+2) + r * at u (k+1))
             + t * (at u (k+6) + q * (at u (k+5) + q * at u (k+4))))) (iota n) y z
  in (eos u, jvp eos u du)

-- 8: ADI integration: three coupled fields, old and new.
entry adi_int [n][m] (sig: f64) (a: [3][3]f64) (u1: [n][m]f64) (u2: [n][m]f64) (u3: [n][m]f64)
    : ([n][m]f64, [n][m]f64, [n][m]f64) =
  let inner k l = k >= 1 && k < n - 1 && l >= 1 && l < m - 1
  let du (u: [n][m]f64) k l = u[k, l+1] - u[k, l-1]
  let step (u: [n][m]f64) (c: [3]f64) =
    tabulate_2d n m (\k l ->
      if !(inner k l) then u[k, l]
      else u[k, l] + c[0] * du u1 k l + c[1] * du u2 k l + c[2] * du u3 k l
           + sig * (u[k+1, l] - 2 * u[k, l] + u[k-1, l]))
  in (step u1 a[0], step u2 a[1], step u3 a[2])

-- 13: 2-D particle in cell: gather, push, gather once more and count.
entry pic2d [n][g] (b: [g][g]f64) (c: [g][g]f64) (off: [g]i32) (px: [n]f64) (py: [n]f64) (vx: [n]f64) (vy: [n]f64)
    : ([n]f64, [n]f64, [n]f64, [n]f64, [g][g]i32) =
  let wrap (i: i64) = i % g
  let cell x = wrap (i64.f64 (f64.floor x))
  let push x y vx vy =
    let (i, j) = (cell x, cell y)
    let (vx, vy) = (vx + b[i, j], vy + c[i, j])
    let (x, y) = (x + vx, y + vy)
    let (i2, j2) = (cell x, cell y)
    let shift = f64.i32 off[i2] + f64.i32 off[j2]
    in (x + shift, y - shift, (vx, vy), (wrap (i2 + i64.i32 off[i2]), wrap (j2 - i64.i32 off[j2])))
  let (xs, ys, vs, cells) = unzip4 (map4 push px py vx vy)
  let (vxs, vys) = unzip vs
  let h = hist (+) 0i32 (g * g) (map (\(i, j) -> i * g + j) cells) (replicate n 1)
  in (xs, ys, vxs, vys, unflatten h)

-- 15: casual Fortran: flow with branches on neighbouring values.
entry casual [n][m] (vf: [n][m]f32) (vg: [n][m]f32) (vh: [n][m]f32) : ([n][m]f32, [n][m]f32) =
  let (ar, br) = (0.053f32, 0.073f32)
  let vy j k =
    if j + 1 >= n then 0
    else let t = if vh[j+1, k] > vh[j, k] then ar else br
         let (r, s) =
           if vf[j, k] < vf[j, i64.max 0 (k-1)]
           then (f32.max vh[j, i64.max 0 (k-1)] vh[j+1, i64.max 0 (k-1)], vf[j, i64.max 0 (k-1)])
           else (f32.max vh[j, k] vh[j+1, k], vf[j, k])
         in f32.sqrt (vg[j, k] * vg[j, k] + r * r) * t / s
  let vs j k =
    if k + 1 >= m then 0
    else let (r, s, t) =
           if vf[j, k] < vf[i64.max 0 (j-1), k]
           then (f32.max vg[i64.max 0 (j-1), k] vg[i64.max 0 (j-1), k+1], vf[i64.max 0 (j-1), k], br)
           else (f32.max vg[j, k] vg[j, k+1], vf[j, k], ar)
         in f32.sqrt (vh[j, k] * vh[j, k] + r * r) * t / s
  in (tabulate_2d n m vy, tabulate_2d n m vs)

-- 18: 2-D explicit hydrodynamics: pressures and densities, then velocities, then positions.
entry hydro2d [n][m] (steps: i32) (zp: [n][m]f64) (zq: [n][m]f64) (zr: [n][m]f64) (zm: [n][m]f64)
    : ([n][m]f64, [n][m]f64, [n][m]f64) =
  let (s, t) = (0.0041, 0.0037)
  let cl lim i = i64.max 0 (i64.min (lim - 1) i)
  let g (a: [n][m]f64) i j = a[cl n i, cl m j]
  let step (zr, zu, zv) : ([n][m]f64, [n][m]f64, [n][m]f64) =
    let za = tabulate_2d n m (\k j ->
      (g zp k (j-1) + g zq k (j-1) - zp[k, j] - zq[k, j]) * (zr[k, j] + g zr k (j-1)) / (g zm k (j-1) + zm[k, j]))
    let zb = tabulate_2d n m (\k j ->
      (g zp (k-1) j + g zq (k-1) j - zp[k, j] - zq[k, j]) * (zr[k, j] + g zr (k-1) j) / (g zm (k-1) j + zm[k, j]))
    let flux (z: [n][m]f64) k j =
      za[k, j] * (z[k, j] - g z k (j+1)) - g za k (j-1) * (z[k, j] - g z k (j-1))
      - zb[k, j] * (z[k, j] - g z (k-1) j) + g zb (k+1) j * (z[k, j] - g z (k+1) j)
    let zu' = tabulate_2d n m (\k j -> zu[k, j] + s * flux zr k j)
    let zv' = tabulate_2d n m (\k j -> zv[k, j] + s * flux zq k j)
    in (map2 (map2 (\r u -> r + t * u)) zr zu', zu', zv')
  let zero = replicate n (replicate m 0)
  in loop st = (zr, zero, zero) for _i < steps do step st

-- 20: discrete ordinates transport, a line for each direction.
entry ordinates [m][n] (dk: f64) (s: f64) (t: f64) (y: [m][n]f64) (g: [m][n]f64) (v: [n]f64) (u: [n]f64)
    : ([m][n]f64, [m]f64) =
  let line (y: [n]f64) (g: [n]f64) =
    loop (x, xx) = (replicate n 0, 0.5) for k < n do
      let di = y[k] - g[k] / (xx + dk)
      let dn = if di == 0 then 0.2 else f64.max s (f64.min t (0.3 / f64.abs di))
      let xk = ((0.4 + v[k] * dn) * xx + u[k]) / (1 + v[k] * dn)
      in (x with [k] = xk, (xk - xx) * dn * 0.5 + xx)
  in unzip (map2 line y g)

-- 22 and 24: Planckian distribution and where each row first is least.
entry planck_min [m][n] (u: [m][n]f32) (v: [m][n]f32) (x: [m][n]f32) : ([m][n]f32, [m]i64, [m]f32, i64) =
  let w = map3 (map3 (\u v x -> x / (f32.exp (u / v) - 1))) u v x
  let least (a: f32, i: i64) (b: f32, j: i64) =
    if b < a || (b == a && j < i) then (b, j) else (a, i)
  let first [k] (r: [k]f32) = reduce_comm least (f32.inf, i64.highest) (zip r (iota k))
  let (vals, locs) = unzip (map first x)
  in (w, locs, vals, (first vals).1)

-- TSVC: packing, search, reverse, stride, indirect saxpy and runs above a threshold.
entry tsvc_mix [n] (limit: i32) (a: [n]i32) (b: [n]i32) (ip: [n]i64)
    : ([]i32, i64, [n]i32, []i32, i32) =
  -- s341: pack the positive ones
  let packed = map (.1) (filter (\(a, _) -> a > 0) (zip a b))
  -- s332: the first that exceeds
  let found = reduce i64.min n (map2 (\i x -> if x > limit then i else n) (iota n) a)
  -- s1112, s4112: reversed, gathered
  let mixed = map2 (\x i -> x + 3 * b[i % n]) (reverse a) ip
  -- s111, s127: every other one
  let h = n / 2
  let strided = map2 (\x y -> x * 2 - y) (a[0:2*h:2] :> [h]i32) (b[1:2*h:2] :> [h]i32)
  -- longest run above the threshold
  let run (l1: i32, r1: i32, best1: i32, len1: i32) (l2, r2, best2, len2) =
    ( if l1 == len1 then len1 + l2 else l1
    , if r2 == len2 then r1 + len2 else r2
    , i32.max (r1 + l2) (i32.max best1 best2), len1 + len2)
  let one x = let h = i32.bool (x > limit) in (h, h, h, 1)
  let (_, _, longest, _) = reduce run (0, 0, 0, 0) (map one a)
  in (packed, found, mixed, strided, longest)
