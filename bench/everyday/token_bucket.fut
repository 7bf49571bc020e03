-- Leaky buckets of many flows in one packet list: segmented scan of clamp functions x -> min hi (max lo (x+a)), overflow per flow.
module clamp = {
  type t = {a: i32, lo: i32, hi: i32}
  def far : i32 = 1 << 28
  def ident : t = {a = 0, lo = -far, hi = far}
  def bound lo hi (x: i32) = i32.min hi (i32.max lo x)
  def apply (f: t) (x: i32) = bound f.lo f.hi (bound (-far) far (x + f.a))
  -- first f, then g
  def seq (f: t) (g: t) : t =
    {a = bound (-far) far (f.a + g.a), lo = apply g f.lo, hi = apply g f.hi}
}

def main [n] (rate: i32) (cap0: i32) (gap: [n]u8) (bytes: [n]u16) =
  let cap = 1500 + cap0 % 60000
  let first = map2 (\i g -> i == 0 || g == 255) (iota n) gap
  let size = map (\b -> 40 + i32.u16 b % 1460) bytes
  let leak = map (\g -> i32.u8 g * (1 + rate % 32)) gap
  -- the level right after a packet: drain, not below zero; fill, not above the capacity
  let drain = map (\l -> {a = -l, lo = 0, hi = clamp.far}) leak
  let fill = map (\s -> {a = s, lo = -clamp.far, hi = cap}) size
  let step = map2 clamp.seq drain fill
  let op (h1, f) (h2, g) = if h2 then (true, g) else (h1, clamp.seq f g)
  let level = map (\(_, f) -> clamp.apply f 0) (scan op (false, clamp.ident) (zip first step))
  let over = tabulate n (\i ->
    let before = if first[i] then 0 else level[i - 1]
    let wet = i32.max 0 (before - leak[i])
    in i32.max 0 (wet + size[i] - cap))
  let flow = map (\k -> k - 1) (scan (+) 0 (map i64.bool first))
  let flows = i64.sum (map i64.bool first)
  let lost = reduce_by_index (replicate flows 0i64) (+) 0 flow (map i64.i32 over)
  let peak = reduce_by_index (replicate flows 0i32) i32.max 0 flow level
  let hit = i64.sum (map (\o -> i64.bool (o > 0)) over)
  in (level, lost, peak, hit)
