-- Heat by alternating directions: tridiagonal systems along rows, then along columns.
def solve [n] (r: f32) (d: [n]f32) : [n]f32 =
  let (cp, dp) = loop (cp, dp) = (replicate n 0f32, replicate n 0f32) for i < n do
    let m = if i == 0 then 1 + 2*r else 1 + 2*r + r * cp[i-1]
    let c = -r / m
    let e = (d[i] + (if i == 0 then 0 else r * dp[i-1])) / m
    in (cp with [i] = c, dp with [i] = e)
  in loop x = copy dp for k < n - 1 do
       let i = n - 2 - k
       in x with [i] = dp[i] - cp[i] * x[i+1]
def main [h][w] (steps: i32) (r: f32) (u: [h][w]f32) : [h][w]f32 =
  loop u for _i < steps do
    let a = map (solve r) u
    in transpose (map (solve r) (transpose a))
