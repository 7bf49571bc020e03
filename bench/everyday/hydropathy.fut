-- Kyte-Doolittle hydropathy of proteins: prefix sums per chain, windows of 19 residues, membrane-spanning stretches and the best window.
def scale : [20]i32 = [18, -45, -35, -35, 25, -35, -35, -4, -32, 45, 38, -39, 19, 28, -16, -8, -7, -9, -13, 42]

entry main [n][m] (chains: [n][m]u8) : ([n][m]i32, [n]i64, [n]i32, [n]i64) =
  let half = 9i64
  let one (c: [m]u8) =
    let s = map (\x -> scale[i32.u8 x % 20]) c
    let ps = scan (+) 0 s
    let upto i = if i <= 0 then 0 else ps[i-1]
    let win = tabulate m (\i -> let lo = i64.max 0 (i - half)
                                let hi = i64.min m (i + half + 1)
                                in 10 * (upto hi - upto lo) / i32.i64 (hi - lo))
    let inside = map (> 100) win
    let starts = i64.sum (tabulate m (\i -> i64.bool (inside[i] && (i == 0 || !inside[i-1]))))
    let (top, at) = reduce (\(a, i) (b, j) -> if b > a then (b, j) else (a, i)) (i32.lowest, 0) (zip win (iota m))
    in (win, starts, top, at)
  in unzip4 (map one chains)
