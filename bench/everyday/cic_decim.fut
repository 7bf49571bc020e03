-- CIC decimator of third order: integrators as wrapping prefix sums, decimation, combs.
entry main [n] (rate: i64) (x: [n]u8) : []i32 =
  let integrate = scan (+) 0i32
  let comb [m] (y: [m]i32) : [m]i32 = tabulate m (\i -> if i == 0 then y[0] else y[i] - y[i - 1])
  let s = integrate (integrate (integrate (map (\v -> i32.u8 v - 128) x)))
  let d = tabulate (n / rate) (\i -> s[i * rate + rate - 1])
  in comb (comb (comb d))
