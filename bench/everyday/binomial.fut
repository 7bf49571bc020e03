-- American puts by binomial trees, one a thread.
entry main [n] (steps: i64) (s0: [n]f32) (k: [n]f32) : [n]f32 =
  map2 (\s0 k ->
    let dt = 1/f32.i64 steps let u = f32.exp (0.3*f32.sqrt dt) let d = 1/u
    let p = (f32.exp (0.05*dt) - d)/(u-d) let disc = f32.exp (-0.05*dt)
    let price i j = (s0+0.5) * u**f32.i64 (2*j-i)
    let v = tabulate (steps+1) (\j -> f32.max 0 (k+0.5 - price steps j))
    let v = loop v for t < steps do
      let i = steps-1-t
      in loop v for j < i+1 do v with [j] = f32.max (k+0.5 - price i j) (disc*(p*v[j+1] + (1-p)*v[j]))
    in v[0]) s0 k
