-- Parses fixed-width text fields into f64 by a small state machine; sums per column and the number of malformed fields.
type st = #sign | #int | #frac | #esign | #exp | #bad

def parse [w] (s: [w]u8) : (bool, f64) =
  let (state, neg, mant, scale, eneg, ex, digits) =
    loop (state: st, neg, mant, scale, eneg, ex, digits) = (#sign, false, 0i64, 0i32, false, 0i32, 0i32)
    for c in s do
      let isd = c >= '0' && c <= '9'
      let d = i64.u8 (c - '0')
      in match state
         case #sign ->
           if c == ' ' then (#sign, neg, mant, scale, eneg, ex, digits)
           else if c == '-' then (#int, true, mant, scale, eneg, ex, digits)
           else if isd then (#int, neg, d, scale, eneg, ex, 1)
           else (#bad, neg, mant, scale, eneg, ex, digits)
         case #int ->
           if isd then (#int, neg, mant * 10 + d, scale, eneg, ex, digits + 1)
           else if c == '.' then (#frac, neg, mant, scale, eneg, ex, digits)
           else if c == 'e' then (#esign, neg, mant, scale, eneg, ex, digits)
           else (#bad, neg, mant, scale, eneg, ex, digits)
         case #frac ->
           if isd then (#frac, neg, mant * 10 + d, scale + 1, eneg, ex, digits + 1)
           else if c == 'e' then (#esign, neg, mant, scale, eneg, ex, digits)
           else (#bad, neg, mant, scale, eneg, ex, digits)
         case #esign ->
           if c == '-' then (#exp, neg, mant, scale, true, ex, digits)
           else if isd then (#exp, neg, mant, scale, eneg, i32.i64 d, digits)
           else (#bad, neg, mant, scale, eneg, ex, digits)
         case #exp ->
           if isd then (#exp, neg, mant, scale, eneg, i32.min 20 (ex * 10 + i32.i64 d), digits)
           else (#bad, neg, mant, scale, eneg, ex, digits)
         case #bad -> (#bad, neg, mant, scale, eneg, ex, digits)
  let e = (if eneg then -ex else ex) - scale
  let p = loop p = 1f64 for _i < i32.abs e do p * 10
  let v = if e < 0 then f64.i64 mant / p else f64.i64 mant * p
  let good = match state case #bad -> false case #sign -> false case _ -> digits > 0
  in (good, if good then (if neg then -v else v) else 0)

def main [n] [m] [w] (raw: [n][m][w]u8) : ([n][m]f64, [m]f64, i64) =
  let char (k: i64) (x: u8) : u8 =
    let y = x % 64
    in if k == 0 && y < 20 then '-' else if k > 1 && y == 60 then '.' else if k > 3 && y == 61 then 'e'
       else if y == 63 && k > 6 then 'x' else '0' + y % 10
  let text = map (map (\s -> map2 char (iota w) s)) raw
  let (ok, vals) = unzip (map (\row -> unzip (map parse row)) text)
  let bad = i64.sum (map (\r -> i64.sum (map (\b -> i64.bool (!b)) r)) ok)
  let squash v = v / (1 + f64.abs v)
  in (vals, map (\col -> f64.sum (map squash col)) (transpose vals), bad)
