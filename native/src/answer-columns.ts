import { KernelError } from "./errors.ts";

/** Makes room for an answer, or says that there is none: the engine's own error would not say what to do. */
export function allocateAnswer<Room>(create: () => Room): Room {
  try {
    return create();
  } catch (cause) {
    throw new KernelError("too-large", "The answer does not fit into memory; ask for less in one call.", { cause });
  }
}

/**
 * The columns of an answer, cut from one buffer. That costs a small query half of what arrays of their own do, and an array of less than
 * 64 bytes of its own would be moved out of the heap of the engine when native code first sees it (1 µs each).
 */
export class AnswerColumns {
  readonly #buffer: ArrayBuffer;
  #at = 0;

  /** Room for so many float64 and uint32 numbers. */
  constructor(doubles: number, words: number) {
    const bytes = doubles * Float64Array.BYTES_PER_ELEMENT + words * Uint32Array.BYTES_PER_ELEMENT;
    this.#buffer = allocateAnswer(() => new ArrayBuffer(bytes));
  }

  /** The next column; all of these come before the first of {@link AnswerColumns.words}, for their alignment. */
  doubles(length: number): Float64Array {
    const column = new Float64Array(this.#buffer, this.#at, length);
    this.#at += column.byteLength;
    return column;
  }

  words(length: number): Uint32Array {
    const column = new Uint32Array(this.#buffer, this.#at, length);
    this.#at += column.byteLength;
    return column;
  }
}
