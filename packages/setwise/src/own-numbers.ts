import { refuseAborted } from "@setwise/core";

/** What is known of the memory in which an encoder or a scorer answers. */
interface Memory {
  /** By buffer the bytes from the first to the last that answers lay in: answers side by side in one buffer are not shared. */
  readonly seen: WeakMap<ArrayBufferLike, { readonly start: number; readonly end: number }>;
  answers: number;
  /** Two answers lay in the same memory: from then on its calls wait for each other. */
  isShared: boolean;
  /** Calls under way; each promise ends with its call and never fails. */
  readonly running: Set<Promise<void>>;
  /** How many calls were begun. */
  begun: number;
}

const memories = new WeakMap<object, Memory>();

/**
 * What `ask` gives, as memory that no other call writes to. An encoder or scorer of one's own may answer in one buffer every time; of two
 * calls at the same time the later one overwrites the answer to the earlier before anyone can copy it. Such a `source` is told by two
 * answers in the same memory, is then asked again, and from then on is asked one call at a time. Calls of others overlap as they come; only
 * if the very first ones do, the first answer is asked for once more, since there is nothing yet to compare its memory with.
 *
 * @throws SetwiseError `aborted` where the signal fires while it waits, and what `ask` throws.
 */
export async function ownNumbers(
  source: object,
  ask: () => Promise<Float32Array>,
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  const memory = memoryOf(source);
  for (;;) {
    while (memory.isShared && memory.running.size > 0) await Promise.all(memory.running);
    refuseAborted(signal);
    const { numbers, isSure } = await askOnce(memory, ask, signal);
    if (isSure) return numbers;
  }
}

function memoryOf(source: object): Memory {
  let memory = memories.get(source);
  if (memory === undefined) {
    memory = { seen: new WeakMap(), answers: 0, isShared: false, running: new Set(), begun: 0 };
    memories.set(source, memory);
  }
  return memory;
}

/** Asks, takes note of the memory that the answer lies in, copies it, and says whether no other call can have written to it. */
async function askOnce(
  memory: Memory,
  ask: () => Promise<Float32Array>,
  signal: AbortSignal | undefined,
): Promise<{ readonly numbers: Float32Array; readonly isSure: boolean }> {
  const { running } = memory;
  const beganAlone = running.size === 0;
  const begun = ++memory.begun;
  let settle = (): void => undefined;
  const ended = new Promise<void>((settled) => (settle = settled));
  const end = (): void => {
    running.delete(ended);
    settle();
  };
  running.add(ended);
  // Nobody waits for a call that was given up: it may never end.
  signal?.addEventListener("abort", end, { once: true });
  try {
    const numbers = await ask();
    // Whoever asked checks what came.
    if (!isFloat32Array(numbers)) return { numbers, isSure: true };
    memory.answers += 1;
    memory.isShared ||= liesInSeen(numbers, memory);
    const wasAlone = beganAlone && memory.begun === begun;
    const isFresh = memory.answers > 1 && !memory.isShared;
    return { numbers: numbers.slice(), isSure: wasAlone || isFresh };
  } finally {
    signal?.removeEventListener("abort", end);
    end();
  }
}

/** Whether an earlier answer lay in the same memory; remembers this one. */
function liesInSeen({ buffer, byteOffset, byteLength }: Float32Array, { seen }: Memory): boolean {
  const [start, end] = [byteOffset, byteOffset + byteLength];
  const before = seen.get(buffer) ?? { start: end, end: start };
  seen.set(buffer, { start: Math.min(start, before.start), end: Math.max(end, before.end) });
  return start < before.end && before.start < end;
}

/** Seen by the tag, since a Float32Array of another realm is one as well. */
function isFloat32Array(numbers: unknown): boolean {
  return Object.prototype.toString.call(numbers) === "[object Float32Array]";
}
