-- DTMF decoding of a telephone recording: eight fixed-point Goertzel filters per overlapping frame, then digits and presses.
def coefs : [8]i64 = [27980, 26956, 25701, 24219, 19073, 16325, 13085, 9315]

def goertzel [n] (xs: [n]i64) (c: i64) : i64 =
  let (s1, s2) = loop (s1, s2) = (0, 0) for x in xs do (x + (c * s1 >> 14) - s2, s1)
  in s1 * s1 + s2 * s2 - (c * s1 >> 14) * s2

def best (ps: [4]i64) : (i64, i8) =
  reduce (\(a, i) (b, j) -> if b > a || (b == a && j < i) then (b, j) else (a, i))
         (i64.lowest, i8.highest) (zip ps (map i8.i64 (iota 4)))

def main [n] (hop: i64) (snr: i64) (audio: [n]i16) : ([]i8, i64) =
  let len = 205
  let frames = if n < len then 0 else (n - len) / hop + 1
  let digit (f: i64) =
    let xs = map (\s -> i64.i16 s >> 4) audio[f * hop : f * hop + len]
    let p = map (goertzel xs) coefs
    let (lo, i) = best (take 4 p)
    let (hi, j) = best (drop 4 p :> [4]i64)
    let total = i64.sum (map (\x -> x * x) xs)
    in if lo + hi > snr * total then i * 4 + j else -1
  let ds = tabulate frames digit
  let presses = tabulate frames (\f -> i64.bool (ds[f] >= 0 && (f == 0 || ds[f - 1] != ds[f])))
  in (ds, i64.sum presses)
