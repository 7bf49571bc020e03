-- Euler's totient of many numbers by trial division, and the number of distinct primes of each.
entry main [n] (xs: [n]i32) : ([n]i32, [n]i32) =
  let phi (x: i32) =
    let m0 = 2 + (x & 0x1ffff)
    let (m, t, d, _) =
      loop (m, t, d, p) = (m0, m0, 0, 2) while p * p <= m do
        if m % p == 0
        then let m' = loop m = m while m % p == 0 do m / p
             in (m', t / p * (p - 1), d + 1, if p == 2 then 3 else p + 2)
        else (m, t, d, if p == 2 then 3 else p + 2)
    in if m > 1 then (t / m * (m - 1), d + 1) else (t, d)
  in map phi xs |> unzip
