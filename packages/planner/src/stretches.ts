/** What stands one behind the other in two lists: `count` places from `old` in that of before, or −1 for what is new, and from `now` on. */
export interface Stretch {
  readonly old: number;
  readonly now: number;
  readonly count: number;
}

/**
 * A list of distinct numbers below `size` as stretches of another one, which cover it in its order.
 *
 * `[1, 2, 3, 4]` has become `[2, 9, 3, 4]`: one number from place 1, a new one, two numbers from place 2.
 */
export function stretchesOf(before: Uint32Array, numbers: Uint32Array, size: number): readonly Stretch[] {
  const places = new Int32Array(size).fill(-1);
  markPlaces(before, places);
  const stretches: Stretch[] = [];
  for (let now = 0, end = 0; now < numbers.length; now = end) {
    end = endOfStretch(places, numbers, now);
    stretches.push({ old: places[numbers[now]!]!, now, count: end - now });
  }
  return stretches;
}

// Loops over whole lists are functions of their own: they are compiled once, and well, however seldom lists change.

function markPlaces(numbers: Uint32Array, places: Int32Array): void {
  for (let place = 0; place < numbers.length; place++) places[numbers[place]!] = place;
}

function endOfStretch(places: Int32Array, numbers: Uint32Array, now: number): number {
  let old = places[numbers[now]!]!;
  const step = old < 0 ? 0 : 1;
  let end = now + 1;
  while (end < numbers.length && places[numbers[end]!] === old + step) {
    old += step;
    end++;
  }
  return end;
}

/** Writes `first`, `first + 1` and so on to `count` places from `place` on. */
export function fillRising(into: Int32Array, place: number, count: number, first: number): void {
  for (let step = 0; step < count; step++) into[place + step] = first + step;
}

/** Copies numbers to a place in another list, all larger by `shift`, or smaller. */
export function copyShifted(numbers: Uint32Array, shift: number, into: Uint32Array, first: number): void {
  if (shift === 0) into.set(numbers, first);
  else for (let place = 0; place < numbers.length; place++) into[first + place] = numbers[place]! + shift;
}
