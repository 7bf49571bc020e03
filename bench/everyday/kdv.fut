-- Korteweg-de Vries on a ring by Zabusky and Kruskal's leapfrog, many steps, double precision; mass and energy every ten steps' block.
def at [n] (u: [n]f64) (i: i64): f64 =
  let i = if i < 0 then i + n else if i >= n then i - n else i
  in u[i]

def smooth [n] (u: [n]f64): [n]f64 =
  tabulate n (\i -> 0.25 * at u (i - 1) + 0.5 * u[i] + 0.25 * at u (i + 1))

-- The slope of u.
def slope [n] (delta: f64) (u: [n]f64) (i: i64): f64 =
  let (l2, l, c, r, r2) = (at u (i - 2), at u (i - 1), u[i], at u (i + 1), at u (i + 2))
  in -(l + c + r) * (r - l) / 3 - delta * (r2 - 2 * r + 2 * l - l2)

entry main [n] (blocks: i64) (dt: f64) (delta: f64) (noise: [n]f64): ([n]f64, [blocks]f64, [blocks]f64) =
  let first: [n]f64 = loop u = noise for _i < 8 do smooth u
  let second = tabulate n (\i -> first[i] + 0.5 * dt * slope delta first i)
  let (_, u, masses, energies) =
    loop (before: [n]f64, now: [n]f64, masses, energies) = (first, second, replicate blocks 0, replicate blocks 0) for b < blocks do
      let (before, now) =
        loop (before: [n]f64, now: [n]f64) = (before, now) for _k < 10 do
          (now, tabulate n (\i -> before[i] + dt * slope delta now i))
      let mass = f64.sum now / f64.i64 n
      let energy = reduce (+) 0 (map (\x -> x * x) now) / f64.i64 n
      in (before, now, masses with [b] = mass, energies with [b] = energy)
  in (u, masses, energies)
