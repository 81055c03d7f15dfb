import { isDimensions } from "@setwise/core";

/** Rows of unit length in the order of the request, or what is wrong with the answer, as the second half of a sentence. */
export type AnswerRows = { readonly rows: Float32Array; readonly dimensions: number } | { readonly fault: string };

export interface ExpectedAnswer {
  readonly texts: number;
  /** `undefined`: to be learned from this answer. */
  readonly dimensions: number | undefined;
}

/**
 * Reads `{ data: [{ index, embedding }] }` (OpenAI; an embedding may be numbers or base64 of little-endian f32) or
 * `[[…], …]` (text-embeddings-inference).
 */
export function readAnswer(answer: unknown, expected: ExpectedAnswer): AnswerRows {
  const list = Array.isArray(answer) ? answer : dataOf(answer);
  if (list === undefined) return { fault: `${describe(answer)} without a list of embeddings` };
  if (list.length !== expected.texts) return { fault: `${list.length} embeddings` };
  const ordered = Array.isArray(answer) ? answer : byIndex(list);
  if (ordered === undefined) return { fault: "embeddings whose `index` fields do not name each text once" };
  return readRows(ordered, expected.dimensions);
}

function dataOf(answer: unknown): unknown[] | undefined {
  const data = typeof answer === "object" && answer !== null ? (answer as { data?: unknown }).data : undefined;
  return Array.isArray(data) ? data : undefined;
}

/** The embeddings in the order of their `index`; servers that leave all of them out answer in order. */
function byIndex(items: readonly unknown[]): unknown[] | undefined {
  const entries = items.map((item) => (item ?? {}) as { index?: unknown; embedding?: unknown });
  if (entries.every((entry) => entry.index === undefined)) return entries.map((entry) => entry.embedding);
  const ordered: unknown[] = [];
  const seen = new Set<number>();
  for (const { index, embedding } of entries) {
    if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= items.length) return undefined;
    seen.add(index);
    ordered[index] = embedding;
  }
  return seen.size === items.length ? ordered : undefined;
}

function readRows(embeddings: readonly unknown[], known: number | undefined): AnswerRows {
  let rows: Float32Array | undefined;
  let dimensions = known;
  for (const [position, embedding] of embeddings.entries()) {
    const numbers = typeof embedding === "string" ? fromBase64(embedding) : embedding;
    if (!Array.isArray(numbers) && !(numbers instanceof Float32Array))
      return { fault: `${describe(embedding)} in place of embedding ${position}` };
    if (!isDimensions(numbers.length) || (dimensions ?? numbers.length) !== numbers.length)
      return { fault: `${numbers.length} numbers in embedding ${position}` };
    dimensions = numbers.length;
    rows ??= new Float32Array(embeddings.length * dimensions);
    const fault = writeUnitRow(numbers, rows.subarray(position * dimensions, (position + 1) * dimensions));
    if (fault !== undefined) return { fault: `${fault} in embedding ${position}` };
  }
  return { rows: rows ?? new Float32Array(), dimensions: dimensions ?? 0 };
}

function fromBase64(text: string): Float32Array | undefined {
  const bytes = Buffer.from(text, "base64");
  if (bytes.length % 4 !== 0) return undefined;
  return Float32Array.from({ length: bytes.length / 4 }, (_, position) => bytes.readFloatLE(position * 4));
}

/** row = numbers / |numbers|, zeros for zeros. Scaled by the largest number first: squares of 1e200 would overflow. */
function writeUnitRow(numbers: ArrayLike<unknown>, row: Float32Array): string | undefined {
  let largest = 0;
  for (let position = 0; position < numbers.length; position++) {
    const number = numbers[position];
    if (typeof number !== "number" || !Number.isFinite(number)) return `${describe(number)} in place of a number`;
    largest = Math.max(largest, Math.abs(number));
  }
  if (largest === 0) return undefined;
  let squares = 0;
  for (let position = 0; position < numbers.length; position++)
    squares += ((numbers[position] as number) / largest) ** 2;
  const length = Math.sqrt(squares);
  for (let position = 0; position < numbers.length; position++)
    row[position] = (numbers[position] as number) / largest / length;
  return undefined;
}

/** What a value is, in words that hold nothing of its content. */
function describe(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
