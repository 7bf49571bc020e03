-- Conjugate gradients for the five-point Laplacian.
def dot [h][w] (a: [h][w]f64) (b: [h][w]f64) = f64.sum (flatten (map2 (map2 (*)) a b))
entry main [h][w] (steps: i32) (b: [h][w]f64) : [h][w]f64 =
  let lap (x: [h][w]f64) = tabulate_2d h w (\i j ->
    let get i j = if i < 0 || j < 0 || i >= h || j >= w then 0 else x[i,j]
    in 4.1*x[i,j] - get (i-1) j - get (i+1) j - get i (j-1) - get i (j+1))
  let x = map (map (const 0f64)) b
  in (loop (x, r, p, rr) = (x, b, b, dot b b) for _i < steps do
     let ap = lap p
     let alpha = rr / dot p ap
     let x = map2 (map2 (\x p -> x + alpha*p)) x p
     let r = map2 (map2 (\r q -> r - alpha*q)) r ap
     let new = dot r r
     let p = map2 (map2 (\r p -> r + new/rr*p)) r p
     in (x, r, p, new)).0
