-- Background subtraction with a fixed-point mixture of three Gaussians per pixel over the frames of a u8 video: background, last mask and count.
type mode = {w: i32, mu: i32, var: i32}          -- weight of 65536, mean * 64, variance * 16

def update (sh: i32) (x: u8) (ms: [3]mode) : ([3]mode, bool) =
  let hit (m: mode) =
    let d = (i32.u8 x << 6) - m.mu
    in (d >> 3) * (d >> 3) < 25 * m.var          -- 64 d^2 / 64 < 6.25 * 16 var / 4
  let k = loop k = 0i64 while k < 3 && !(hit ms[k]) do k + 1
  let ms' =
    if k < 3 then
      map2 (\i (m: mode) ->
        if i == k
        then let d = (i32.u8 x << 6) - m.mu
             in {w = m.w + ((65536 - m.w) >> sh), mu = m.mu + (d >> sh),
                 var = i32.max 256 (m.var + ((((d >> 2) * (d >> 2) >> 4) - m.var) >> sh))}
        else m with w = m.w - (m.w >> sh)) (iota 3) ms
    else [ms[0], ms[1], {w = 65536 >> sh, mu = i32.u8 x << 6, var = 6400}]
  -- keep the modes sorted by weight: three compare-exchanges
  let cx (a: mode) (b: mode) = if a.w >= b.w then (a, b) else (b, a)
  let (a, b) = cx ms'[0] ms'[1]
  let (b, c) = cx b ms'[2]
  let (a, b) = cx a b
  in ([a, b, c], k == 3 || (k > 0 && ms[0].w > 45875))

entry main [t][n] (sh: i32) (video: [t][n]u8) : ([n]u8, [n]bool, i64) =
  let pixel (xs: [t]u8) =
    let start : [3]mode = map2 (\w mu -> {w, mu, var = 14400}) [39322, 19661, 6553] [4096, 8192, 12288]
    let (ms, fg, cnt) =
      loop (ms, _fg, cnt) = (start, false, 0i64) for x in xs do
        let (ms, fg) = update sh x ms
        in (ms, fg, cnt + i64.bool fg)
    in (u8.i32 (i32.max 0 (i32.min 255 (ms[0].mu >> 6))), fg, cnt)
  let (bg, fg, cnt) = unzip3 (map pixel (transpose video))
  in (bg, fg, i64.sum cnt)
