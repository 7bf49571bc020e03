-- Binary morphology by 512-entry tables over 3x3 neighbourhoods (bwmorph): clean, bridge, majority and spur in turn, a few rounds.
type op = #clean | #bridge | #majority | #spur

def bit (i: i64) (k: i64) : i64 = (i >> k) & 1

-- Bits 0..8 are the neighbourhood row by row; bit 4 is the middle.
def rule (o: op) (i: i64) : bool =
  let me = bit i 4 == 1
  let around = reduce (+) 0 (map (bit i) [0, 1, 2, 3, 5, 6, 7, 8])
  in match o
     case #clean -> me && around > 0
     case #majority -> around + (if me then 1 else 0) >= 5
     case #spur -> me && !(around == 1)
     case #bridge ->
       let opposite a b = bit i a == 1 && bit i b == 1
       let adjacent = bit i 1 + bit i 3 + bit i 5 + bit i 7
       in me || (adjacent == 2 && (opposite 1 7 || opposite 3 5)) || (adjacent == 0 && (opposite 0 8 || opposite 2 6))

def table (o: op) : [512]bool = tabulate 512 (rule o)

def apply [h] [w] (lut: [512]bool) (img: [h][w]bool) : [h][w]bool =
  tabulate_2d h w (\y x ->
    let idx = loop acc = 0i64 for k < 9 do
      let yy = y + k / 3 - 1
      let xx = x + k % 3 - 1
      let on = if yy < 0 || yy >= h || xx < 0 || xx >= w then false else img[yy, xx]
      in acc | (if on then 1 << k else 0)
    in lut[idx])

entry main [h] [w] (rounds: i64) (img: [h][w]bool) : ([h][w]bool, []i64) =
  let (clean, bridge, majority, spur) = (table #clean, table #bridge, table #majority, table #spur)
  in loop (cur, counts) = (img, replicate rounds 0i64)
     for r < rounds do
       let next = cur |> apply clean |> apply bridge |> apply majority |> apply spur
       let changed = i64.sum (flatten (map2 (map2 (\a b -> i64.bool (a != b))) cur next))
       in (next, counts with [r] = changed)
