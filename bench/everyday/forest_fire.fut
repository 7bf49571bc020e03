-- Forest fire as a cellular automaton of sum types: growth and lightning by a counter-based hash, embers cool; a census after each step.
type cell = #bare | #tree i8 | #fire | #ember i8

def decode (c: u8): cell =
  match c % 4
  case 0 -> #bare
  case 1 -> #tree (i8.u8 (c / 64))
  case 2 -> #ember 2
  case _ -> if c < 16 then #fire else #tree 0

def class (c: cell): i64 =
  match c
  case #bare -> 0
  case #tree _ -> 1
  case #fire -> 2
  case #ember _ -> 3

def encode (c: cell): u8 =
  match c
  case #bare -> 0
  case #tree a -> 16 + u8.i8 a
  case #fire -> 1
  case #ember k -> 2 + u8.i8 k

def hash (seed: u32) (i: u32): u32 =
  let x = (i * 0x9E3779B1) ^ (seed * 0x85EBCA77)
  let x = (x ^ (x >> 15)) * 0x2C1B3C6D
  let x = (x ^ (x >> 12)) * 0x297A2D39
  in x ^ (x >> 15)

def burning [h][w] (g: [h][w]cell) (y: i64) (x: i64): i32 =
  let on y x = match g[(y + h) % h, (x + w) % w] case #fire -> 1i32 case _ -> 0
  in on (y - 1) x + on (y + 1) x + on y (x - 1) + on y (x + 1)

def step [h][w] (seed: u32) (g: [h][w]cell): [h][w]cell =
  tabulate_2d h w (\y x ->
    let chance = hash seed (u32.i64 (y * w + x))
    in match g[y, x]
       case #bare -> if chance < 0x0CCCCCCC then #tree 0 else #bare
       case #tree age -> let heat = burning g y x
                         let dry = chance >> 28 < u32.i32 heat * 4 + u32.i8 (age / 4)
                         in if (heat > 0 && dry) || chance < 0x00010000 then #fire
                            else #tree (i8.min 15 (age + 1))
       case #fire -> #ember 3
       case #ember k -> if k == 0 then #bare else #ember (k - 1))

entry main [h][w] (n: i64) (grid: [h][w]u8): ([h][w]u8, [n][4]i32) =
  let (final, census) =
    loop (g, log) = (map (map decode) grid, replicate n (replicate 4 0i32)) for i < n do
      let g = step (u32.i64 i) g
      let counts = reduce_by_index (replicate 4 0i32) (+) 0 (map class (flatten g)) (replicate (h * w) 1)
      in (g, log with [i] = counts)
  in (map (map encode) final, census)
