-- Programs whose kernels are so short that launching them and waiting for them is what takes time. canny.fut is that of Futhark's
-- benchmarks, which `prepare` copies here.
import "canny"

-- A bright disc on rings, with noise.
entry picture (n: i64) : [n][n]i32 =
  tabulate_2d n n (\y x ->
                     let (dy, dx) = (y - n / 2, x - n / 2)
                     let r = dy * dy + dx * dx
                     let level = (if r < n * n / 16 then 80 else (r * 64 / (n * n)) % 2 * 40) + (y * 31 + x * 7919) % 11
                     let p = i32.i64 level
                     in (p << 24) | (p << 16) | (p << 8) | 255)
entry numbers (n: i64) : [n]i32 = map (\i -> i32.i64 ((i * 7919) % 1000)) (iota n)

entry canny [h] [w] (img: [h][w]i32) : []i32 = main 50 100 img

-- Twenty tiny maps.
entry chain [n] (xs: [n]i32) : [n]i32 = loop xs for i < 20 do map (\x -> x * 3 + i) xs

-- Twenty tiny maps, after each of which the host wants to know something.
entry chain_read [n] (xs: [n]i32) : ([n]i32, i32) =
  loop (xs, last) = (xs, 1) for i < 20i32 do
    let ys = map (\x -> x * 3 + i + last) xs
    in (ys, ys[i64.i32 i % n] % 5)

-- Results that only the host adds up.
entry four [n] (xs: [n]i32) : i32 =
  let product (a, b, c, d) (e, f, g, h) = (a*e + b*g, a*f + b*h, c*e + d*g, c*f + d*h)
  let (a, b, c, d) = reduce product (1, 0, 0, 1) (map (\x -> (x, 1, 1, x - 3)) xs)
  in a ^ b ^ c ^ d
entry five [n] (xs: [n]i32) : i32 =
  let a = i32.sum xs
  let b = i32.maximum (map (+ a) xs)
  let c = i32.sum (map (\x -> x ^ b) xs)
  let d = i32.minimum (map (\x -> x ^ a) (xs[1:]))
  in a ^ b ^ c ^ d ^ i32.sum (xs[2:])
