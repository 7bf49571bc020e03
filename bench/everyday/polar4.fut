-- Polar decomposition of many 4x4 matrices by scaled Newton iteration with an explicit cofactor inverse.
type m4 = [4][4]f32

def minor (a: m4) (i: i64) (j: i64) : f32 =
  let r k = if k < i then k else k + 1
  let c k = if k < j then k else k + 1
  let e p q = a[r p, c q]
  in e 0 0 * (e 1 1 * e 2 2 - e 1 2 * e 2 1)
     - e 0 1 * (e 1 0 * e 2 2 - e 1 2 * e 2 0)
     + e 0 2 * (e 1 0 * e 2 1 - e 1 1 * e 2 0)

def inv_t (a: m4) : m4 =
  let cof = tabulate_2d 4 4 (\i j -> (if (i + j) % 2 == 0 then 1 else -1) * minor a i j)
  let det = f32.sum (map2 (*) a[0] cof[0])
  in map (map (/ det)) cof

def frob (a: m4) : f32 = f32.sqrt (f32.sum (flatten (map (map (** 2)) a)))
def mul (a: m4) (b: m4) : m4 = map (\r -> map (\c -> f32.sum (map2 (*) r c)) (transpose b)) a

entry main [n] (tol: f32) (raw: [n][4][4]f32) : ([n][4][4]f32, [n]f32, [n]f32) =
  let tol = 1e-5 + 1e-5 * tol
  let solve (r: m4) =
    let a = map2 (\i row -> map2 (\j x -> x - 0.5 + (if i == j then 2.5 else 0)) (iota 4) row) (iota 4) r
    let (u, _, _) = loop (u, err, k) = (a, 1, 0i32) while err > tol && k < 12 do
      let v = inv_t u
      let g = f32.sqrt (frob v / frob u)
      let w = map2 (map2 (\x y -> 0.5 * (g * x + y / g))) u v
      in (w, frob (map2 (map2 (-)) w u), k + 1)
    let p = mul (transpose u) a
    let asym = f32.maximum (flatten (map2 (map2 (\x y -> f32.abs (x - y))) p (transpose p)))
    let tr = f32.sum (map (\i -> p[i, i]) (iota 4))
    in (u, tr, f32.min 1 (asym * 100))
  let (u, tr, e) = map solve raw |> unzip3
  in (u, tr, map (\x -> if x < 0.1 then 0 else x) e)
