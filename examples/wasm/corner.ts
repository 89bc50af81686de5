// A player of tic-tac-toe that takes the centre, then corners, then any square.

@external("arena", "random")
declare function random(n: i32): i32;

const text = new StaticArray<u8>(65536);

export function buffer(length: i32): usize {
  return length <= text.length ? changetype<usize>(text) : 0;
}

export function choose(place: usize, length: i32): i32 {
  let end = 0; // of the first line: squares of one digit, with blanks between them
  while (end < length && load<u8>(place + end) != 10) end++;
  const best = [53, 49, 51, 55, 57]; // 5 1 3 7 9
  for (let i = 0; i < best.length; i++) {
    for (let at = 0; at < end; at += 2) {
      if (load<u8>(place + at) == best[i]) return at / 2;
    }
  }
  return random((end + 1) / 2);
}
