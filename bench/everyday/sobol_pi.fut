entry main (n: i64) : f64 =
  let van (i: i64) = f64.u32 (let x = u32.i64 i let x = (x << 16) | (x >> 16) let x = ((x & 0x00ff00ff) << 8) | ((x >> 8) & 0x00ff00ff)
    let x = ((x & 0x0f0f0f0f) << 4) | ((x >> 4) & 0x0f0f0f0f) let x = ((x & 0x33333333) << 2) | ((x >> 2) & 0x33333333) in ((x & 0x55555555) << 1) | ((x >> 1) & 0x55555555)) / 4294967296
  in 4*f64.i64 (i64.sum (map (\i -> let x = van i let y = f64.i64 i/f64.i64 n in i64.bool (x*x+y*y < 1)) (iota n)))/f64.i64 n
