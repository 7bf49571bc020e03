-- Life in bits: 32 cells a word.
entry main [h][w] (steps: i32) (a: [h][w]u32) : [h][w]u32 =
  let step (a: [h][w]u32) = tabulate_2d h w (\y x ->
    let row yy = let yy = (yy+h)%h
                 let c = a[yy,x] let l = a[yy,(x+w-1)%w] let r = a[yy,(x+1)%w]
                 in ((c << 1) | (l >> 31), c, (c >> 1) | (r << 31))
    let add (s0,s1,s2) b = let c0 = s0 & b let s0 = s0 ^ b let c1 = s1 & c0 let s1 = s1 ^ c0 in (s0, s1, s2 | c1)
    let (nl,nc,nr) = row (y-1) let (cl,c,cr) = row y let (sl,sc,sr) = row (y+1)
    let (s0,s1,s2) = add (add (add (add (add (add (add (add (0,0,0) nl) nc) nr) cl) cr) sl) sc) sr
    in s1 & !s2 & (s0 | c))
  in iterate steps step a
