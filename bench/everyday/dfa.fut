-- A finite automaton of six states run over a text by composing its steps: numbers, words and spaces.
type state6 = [6]u8
def compose (a: state6) (b: state6) : state6 = map (\s -> b[i64.u8 s]) a
def step (c: u8) : state6 =
  let k = c % 64
  in if k < 10 then [1,1,3,3,5,5] else if k < 40 then [2,3,2,3,4,5] else if k < 50 then [0,0,0,0,4,4] else [4,5,4,5,0,0]
def main [n] (text: [n]u8) : (i64, i64) =
  let states = scan compose [0,1,2,3,4,5] (map step text)
  let at = map (\s -> s[0]) states
  in (i64.sum (map (\s -> i64.bool (s == 3)) at), i64.sum (map (\s -> i64.bool (s == 5)) at))
