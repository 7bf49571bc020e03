-- Wireworld: circuits of wire, electron heads and tails as a sum type; and the number of heads per generation.
type cell = #empty | #head | #tail | #wire

def read (b: u8): cell = if b < 80 then #empty else if b < 90 then #head else if b < 100 then #tail else #wire
def write (c: cell): u8 = match c case #empty -> 0 case #head -> 1 case #tail -> 2 case #wire -> 3

def is_head (c: cell): i64 = match c case #head -> 1 case _ -> 0

def generation [h][w] (g: [h][w]cell): [h][w]cell =
  let next y x =
    match g[y, x]
    case #empty -> #empty
    case #head -> #tail
    case #tail -> #wire
    case #wire ->
      let n = loop n = 0 for i in (i64.max 0 (y-1))..<(i64.min h (y+2)) do
                loop n for j in (i64.max 0 (x-1))..<(i64.min w (x+2)) do n + is_head g[i, j]
      in if n == 1 || n == 2 then #head else #wire
  in tabulate_2d h w next

entry main [h][w] (steps: i64) (start: [h][w]u8): ([h][w]u8, [steps]i64) =
  let (g, counts) =
    loop (g, counts) = (map (map read) start, replicate steps 0) for i < steps do
      let g = generation g
      in (g, counts with [i] = i64.sum (map is_head (flatten g)))
  in (map (map write) g, counts)
