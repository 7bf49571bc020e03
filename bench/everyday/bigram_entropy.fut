-- Bigram statistics of byte messages: a 2-D histogram per message class, conditional entropies and stationary surprise.
def plogp (p: f32) : f32 = if p > 0 then -p * f32.log2 p else 0

entry main [m][n] (classes: i64) (msg: [m][n]u8) : ([classes]f32, [m]f32, [m]i64) =
  let cls = map (\r -> if n == 0 then 0 else i64.u8 r[0] % classes) msg
  let sym = map (map (\c -> i64.u8 (c & (c >> 2) & 31))) msg
  let pairs = map (\r -> tabulate (n - 1) (\i -> r[i] * 32 + r[i + 1])) sym
  let keys = map2 (\c p -> map (\k -> c * 1024 + k) p) cls pairs |> flatten
  let cnt = hist (+) 0 (classes * 32 * 32) keys (map (const 1i32) keys) |> unflatten_3d
  let prob = map (map (\row -> let t = f32.i32 (i32.sum row) + 3.2 in map (\x -> (f32.i32 x + 0.1) / t) row)) cnt
  let h = map2 (\c p ->
      let tot = f32.i32 (i32.max 1 (i32.sum (flatten c)))
      in f32.sum (map2 (\cr pr -> f32.i32 (i32.sum cr) / tot * f32.sum (map plogp pr)) c p)) cnt prob
  -- bits per symbol of each message under every class model; the best class
  let score (p: [n - 1]i64) c = f32.sum (map (\k -> -f32.log2 prob[c, k / 32, k % 32]) p)
  let (bits, best) = unzip (map (\p ->
      loop (b, at) = (score p 0, 0) for c in 1..<classes do
        let s = score p c in if s < b then (s, c) else (b, at)) pairs)
  in (h, map (/ f32.i64 n) bits, best)
