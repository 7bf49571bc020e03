-- Pan-Tompkins beat detection on a batch of i16 signals: integer low- and high-pass, derivative, squaring, moving window by scan, threshold, refractory period.
def tap [n] (x: [n]i64) (i: i64) : i64 = if i < 0 then 0 else x[i]

def beats [n] (win: i64) (hold: i64) (sig: [n]i16) : (i32, f32, [n]i64) =
  let x = map (\v -> i64.i16 (v >> 5)) sig
  -- y = (1 - z^-6)^2 / (1 - z^-1)^2 as two running sums
  let d6 v = tabulate n (\i -> tap v i - 2 * tap v (i-6) + tap v (i-12))
  let low = x |> d6 |> scan (+) 0 |> scan (+) 0 |> map (/ 32)
  let pre = scan (+) 0 low
  let high = tabulate n (\i -> tap low (i-16) - (pre[i] - tap pre (i-32)) / 32)
  let der = tabulate n (\i -> (2 * tap high i + tap high (i-1) - tap high (i-3) - 2 * tap high (i-4)) / 8)
  let acc = scan (+) 0 (map (\v -> v*v) der)
  let mwi = tabulate n (\i -> (acc[i] - tap acc (i-win)) / win)
  let thr = reduce i64.max 0 mwi * 2 / 5
  let peak i = i > 0 && i < n-1 && mwi[i] > thr && mwi[i] >= mwi[i-1] && mwi[i] > mwi[i+1]
  let (cnt, _, tot) = loop (cnt, lst, tot) = (0i32, -1, 0) for i < n do
    if peak i && (lst < 0 || i - lst > hold)
    then (cnt + 1, i, if lst < 0 then 0 else tot + i - lst)
    else (cnt, lst, tot)
  in (cnt, if cnt > 1 then f32.i64 tot / f32.i32 (cnt - 1) else 0, mwi)

entry main [b][n] (win: i64) (hold: i64) (sigs: [b][n]i16) : ([b]i32, [b]f32, [n]i64) =
  let (c, rr, m) = unzip3 (map (beats win hold) sigs)
  in (c, rr, map (reduce i64.max 0) (transpose m))
