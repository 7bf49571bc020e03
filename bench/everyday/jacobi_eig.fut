-- Sweeps of cyclic Jacobi rotations for batches of small symmetric matrices.
entry main [b][n] (sweeps: i32) (a: [b][n][n]f32) : [b][n]f32 =
  map (\m ->
    let m = tabulate_2d n n (\i j -> (m[i,j]+m[j,i])/2)
    let m = loop m for _s < sweeps do loop m for p < n-1 do loop m for k < n-1-p do
      let q = p+1+k
      let apq = m[p,q]
      in if f32.abs apq < 1e-9 then m else
      let th = (m[q,q]-m[p,p])/(2*apq)
      let t = f32.sgn th/(f32.abs th + f32.sqrt (th*th+1))
      let c = 1/f32.sqrt (t*t+1) let s = t*c
      let m = loop m for i < n do let x = m[i,p] let y = m[i,q] in (m with [i,p] = c*x - s*y) with [i,q] = s*x + c*y
      in loop m for i < n do let x = m[p,i] let y = m[q,i] in (m with [p,i] = c*x - s*y) with [q,i] = s*x + c*y
    in map (\i -> m[i,i]) (iota n)) a
