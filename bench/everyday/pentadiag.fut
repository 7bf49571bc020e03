-- Many pentadiagonal systems (1, -c, d, -c, 1 with varying d), solved by elimination without pivoting.
entry main [m][n] (c: f32) (ds: [m][n]f32) (fs: [m][n]f32) : [m][n]f32 =
  let solve (d: [n]f32) (f: [n]f32) : [n]f32 =
    let (al, be, z) =
      loop (al, be, z) = (replicate n 0f32, replicate n 0f32, replicate n 0f32) for i < n do
        let a1 = if i >= 1 then al[i - 1] else 0
        let b1 = if i >= 1 then be[i - 1] else 0
        let z1 = if i >= 1 then z[i - 1] else 0
        let a2 = if i >= 2 then al[i - 2] else 0
        let b2 = if i >= 2 then be[i - 2] else 0
        let z2 = if i >= 2 then z[i - 2] else 0
        let e = if i >= 2 then 1 else 0
        let g = (if i >= 1 then -c else 0) - e * a2
        let mu = d[i] + 8 - e * b2 - g * a1
        let al = al with [i] = (-c - g * b1) / mu
        let be = be with [i] = 1 / mu
        in (al, be, z with [i] = (f[i] - e * z2 - g * z1) / mu)
    in loop x = z for k < n - 1 do
         let i = n - 2 - k
         let far = if i + 2 < n then be[i] * x[i + 2] else 0
         in x with [i] = x[i] - al[i] * x[i + 1] - far
  in map2 solve ds fs
