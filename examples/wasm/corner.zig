//! A player of tic-tac-toe that takes the centre, then corners, then any square.

extern "arena" fn random(n: i32) i32;

var text: [65536]u8 = undefined;

export fn buffer(length: i32) ?[*]u8 {
    return if (length <= text.len) &text else null;
}

export fn choose(place: [*]const u8, length: i32) i32 {
    const all = place[0..@intCast(length)];
    var end: usize = 0;
    while (end < all.len and all[end] != '\n') end += 1;
    const moves = all[0..end]; // squares of one digit, with blanks between them
    for ("51379") |best| {
        var number: i32 = 0;
        for (moves) |letter| {
            if (letter == best) return number;
            if (letter == ' ') number += 1;
        }
    }
    return random(@intCast((moves.len + 1) / 2));
}
