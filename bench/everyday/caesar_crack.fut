-- Caesar ciphers broken by letter frequencies: for each message the shift that scores best, and the text set back.
def english : [26]i32 =
  [82, 15, 28, 43, 127, 22, 20, 61, 70, 2, 8, 40, 24, 67, 75, 19, 1, 60, 63, 91, 28, 10, 24, 2, 20, 1]

entry main [n] [m] (texts: [n][m]u8) : ([n]i64, [n][m]u8) =
  let crack (text: [m]u8) =
    let count = loop c = replicate 26 0i32 for t in text do
                  let k = i64.u8 (t % 26)
                  in c with [k] = c[k] + 1
    let score s = i32.sum (map (\l -> english[l] * count[(l + s) % 26]) (iota 26))
    let (shift, _) = loop (b, v) = (0i64, score 0) for s in 1..<26 do
                       let u = score s in if u > v then (s, u) else (b, v)
    in (shift, map (\t -> 97 + (t % 26 + 26 - u8.i64 shift) % 26) text)
  in unzip (map crack texts)
