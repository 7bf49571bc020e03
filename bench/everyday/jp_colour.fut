-- Graph colouring after Jones and Plassmann on a circulant graph: local maxima of a hashed priority choose their colours, round by round.
def mix (x: u32) : u32 =
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in x ^ (x >> 16)

type node = #todo | #coloured u8

def prior (a: i64) (b: i64) : bool =
  let (x, y) = (mix (u32.i64 a), mix (u32.i64 b))
  in x > y || (x == y && a > b)

def neighbour (n: i64) (v: i64) (off: i64) : i64 = (v + off + n) % n

entry main [d] (n: i64) (offsets: [d]i32) : ([n]u8, i32, [33]i32) =
  let offs = flatten [map (\o -> i64.i32 (o & 0x7fffffff) % n) offsets, map (\o -> -(i64.i32 (o & 0x7fffffff) % n)) offsets]
  let step (col: [n]u8) (v: i64) : node =
    let c = col[v]
    in if c != 255 then #coloured c
       else let (top, used) =
              loop (top, used) = (true, 0u32) for o in offs do
                let u = neighbour n v o
                let cu = col[u]
                in if u == v then (top, used)
                   else if cu == 255 then (top && prior v u, used)
                   else (top, used | (1 << u32.u8 cu))
            in if top then #coloured (u8.i32 (u32.ctz (!used))) else #todo
  let (col, rounds) =
    loop (col, r) = (replicate n 255u8, 0i32) while any (== 255) col do
      let next = map (step col) (iota n)
      in (map (\s -> match s
                     case #todo -> 255u8
                     case #coloured c -> c) next, r + 1)
  let use = reduce_by_index (replicate 33 0i32) (+) 0 (map (\c -> i64.min 32 (i64.u8 c)) col) (replicate n 1)
  in (col, rounds, use)
