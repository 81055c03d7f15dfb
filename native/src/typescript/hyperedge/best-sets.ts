import { largestSet } from "../../hyperedge-request.ts";

/** Room at the start; it doubles as sets come in, so that a large count costs nothing where there are few sets. */
const initialRoom = 64;

/**
 * The n best sets offered so far: the higher score first, then the smaller set, then the lexicographically smaller members. The
 * worst is at the root of a heap of slots; a set stays in its slot.
 */
export class BestSets {
  /** A set of a lower score than this is not among the best; minus infinity while there is room. */
  threshold: number = Number.NEGATIVE_INFINITY;
  /** How many sets are held. */
  length = 0;
  #count = 0;
  #heap: Uint32Array = new Uint32Array(initialRoom);
  #scores: Float64Array = new Float64Array(initialRoom);
  #sizes: Uint8Array = new Uint8Array(initialRoom);
  #members: Uint16Array = new Uint16Array(initialRoom * largestSet);

  /** Starts anew for the best `count`. */
  restart(count: number): void {
    this.length = 0;
    this.#count = count;
    this.threshold = count === 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  }

  /** Whether as many sets are held as were asked for. */
  get isFull(): boolean {
    return this.length === this.#count;
  }

  /** Takes the first `size` members, ascending, in if they are among the best; minus infinity never is. */
  offer(score: number, members: Uint16Array, size: number): void {
    if (score < this.threshold || score === Number.NEGATIVE_INFINITY) return;
    if (this.length < this.#count) {
      const slot = this.length;
      if (slot === this.#heap.length) this.#grow();
      this.#heap[slot] = slot;
      this.#write(slot, score, members, size);
      this.length += 1;
      this.#rise(slot);
    } else {
      const root = this.#heap[0]!;
      if (!this.#isBetter(score, members, size, root)) return;
      this.#write(root, score, members, size);
      this.#sink(0, this.length);
    }
    if (this.length === this.#count) this.threshold = this.#scores[this.#heap[0]!]!;
  }

  /** Takes a set in that may have been offered before, where it surpasses the threshold. */
  offerOnce(score: number, members: Uint16Array, size: number): void {
    if (score > this.threshold && !this.#holds(members, size)) this.offer(score, members, size);
  }

  /** Whether these members are held, whatever their score. */
  #holds(members: Uint16Array, size: number): boolean {
    for (let slot = 0; slot < this.length; slot += 1) {
      if (this.#sizes[slot] !== size) continue;
      let same = 0;
      while (same < size && this.#members[slot * largestSet + same] === members[same]) same += 1;
      if (same === size) return true;
    }
    return false;
  }

  /** Sorts the slots, best first; nothing may be offered afterwards. */
  sort(): void {
    const heap = this.#heap;
    for (let end = this.length - 1; end > 0; end -= 1) {
      const slot = heap[end]!;
      heap[end] = heap[0]!;
      heap[0] = slot;
      this.#sink(0, end);
    }
  }

  /** The score of the set at this rank, once sorted. */
  score(rank: number): number {
    return this.#scores[this.#heap[rank]!]!;
  }

  /** The size of the set at this rank, once sorted. */
  size(rank: number): number {
    return this.#sizes[this.#heap[rank]!]!;
  }

  /** A member of the set at this rank, once sorted. */
  member(rank: number, i: number): number {
    return this.#members[this.#heap[rank]! * largestSet + i]!;
  }

  #grow(): void {
    const room = this.#heap.length * 2;
    const grown = { heap: new Uint32Array(room), scores: new Float64Array(room), sizes: new Uint8Array(room) };
    const members = new Uint16Array(room * largestSet);
    grown.heap.set(this.#heap);
    grown.scores.set(this.#scores);
    grown.sizes.set(this.#sizes);
    members.set(this.#members);
    this.#heap = grown.heap;
    this.#scores = grown.scores;
    this.#sizes = grown.sizes;
    this.#members = members;
  }

  #write(slot: number, score: number, members: Uint16Array, size: number): void {
    this.#scores[slot] = score;
    this.#sizes[slot] = size;
    for (let i = 0; i < size; i += 1) this.#members[slot * largestSet + i] = members[i]!;
  }

  #isBetter(score: number, members: Uint16Array, size: number, slot: number): boolean {
    const other = this.#scores[slot]!;
    if (score !== other) return score > other;
    const otherSize = this.#sizes[slot]!;
    if (size !== otherSize) return size < otherSize;
    const start = slot * largestSet;
    for (let i = 0; i < size; i += 1) {
      const difference = members[i]! - this.#members[start + i]!;
      if (difference !== 0) return difference < 0;
    }
    return false;
  }

  #isWorseSlot(slot: number, than: number): boolean {
    const score = this.#scores[slot]!;
    const other = this.#scores[than]!;
    if (score !== other) return score < other;
    const size = this.#sizes[slot]!;
    const otherSize = this.#sizes[than]!;
    if (size !== otherSize) return size > otherSize;
    for (let i = 0; i < size; i += 1) {
      const difference = this.#members[slot * largestSet + i]! - this.#members[than * largestSet + i]!;
      if (difference !== 0) return difference > 0;
    }
    return false;
  }

  #rise(from: number): void {
    const heap = this.#heap;
    const slot = heap[from]!;
    let child = from;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.#isWorseSlot(slot, heap[parent]!)) break;
      heap[child] = heap[parent]!;
      child = parent;
    }
    heap[child] = slot;
  }

  #sink(from: number, length: number): void {
    const heap = this.#heap;
    const slot = heap[from]!;
    let parent = from;
    for (;;) {
      let child = 2 * parent + 1;
      if (child >= length) break;
      if (child + 1 < length && this.#isWorseSlot(heap[child + 1]!, heap[child]!)) child += 1;
      if (!this.#isWorseSlot(heap[child]!, slot)) break;
      heap[parent] = heap[child]!;
      parent = child;
    }
    heap[parent] = slot;
  }
}
