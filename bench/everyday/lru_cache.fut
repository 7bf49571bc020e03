-- Set associative caches with LRU replacement, one trace a thread: tags moved to the front in place, write-backs, misses by kind.
def main [m][k] (ways0: i64) (setbits0: i32) (traces: [m][k]u32) =
  let ways = i64.max 1 (i64.min 8 ways0)
  let setbits = i32.max 0 (i32.min 4 setbits0)
  let sets = 1i64 << i64.i32 setbits
  let simulate (tr: [k]u32) =
    let tags0 = replicate (sets * ways) (-1i32)
    let (_, _, hits, wb, depth) =
      loop (tags, dirty, hits, wb, depth) = (tags0, replicate (sets * ways) false, 0i32, 0i32, 0i64) for r in tr do
        let write = r >> 30 == 0
        -- a walk through lines with some far jumps
        let line = i32.u32 (if (r >> 28) & 3 < 3 then r & 63 else (r >> 4) & 4095)
        let base = i64.i32 (line & i32.i64 (sets - 1)) * ways
        let tag = line >> setbits
        let at = loop w = 0 while w < ways && tags[base + w] != tag do w + 1
        let hit = at < ways
        let victim = i64.min at (ways - 1)
        let was = dirty[base + victim]
        let (tags, dirty) =
          loop (tags, dirty) for q < victim do
            let w = base + victim - q
            let (t, d) = (tags[w - 1], dirty[w - 1])
            in (tags with [w] = t, dirty with [w] = d)
        in (tags with [base] = tag,
            dirty with [base] = if hit then was || write else write,
            hits + i32.bool hit,
            wb + i32.bool (not hit && was),
            depth + (if hit then at else 0))
    in (hits, wb, depth)
  let (hits, wb, depth) = unzip3 (map simulate traces)
  in (hits, wb, map i32.i64 depth, i64.sum (map i64.i32 hits), i64.sum (map i64.i32 wb))
