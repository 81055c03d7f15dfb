import type { HyperedgeRequest } from "../hyperedge-kernel.ts";

const none: Uint32Array = new Uint32Array(0);

/** The constraints in one array, since each array costs a call 50 ns: five counts, then as many numbers. Empty for none. */
export function packConstraints(
  request: Pick<HyperedgeRequest, "require" | "exclude" | "groupEnds" | "groupMembers" | "tokens">,
): Uint32Array {
  const { require, exclude, groupEnds, groupMembers, tokens } = request;
  const parts = [require, exclude, groupEnds, groupMembers, tokens];
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  if (length === 0) return none;
  const packed = new Uint32Array(parts.length + length);
  let at = parts.length;
  for (const [i, part] of parts.entries()) {
    packed[i] = part.length;
    packed.set(part, at);
    at += part.length;
  }
  return packed;
}

/** For each length, an array that is filled again for every call: a new one would cost it 1 µs. */
const kept: Float64Array[] = [];

/** c_0, the token budget, then c_1 … c_M or nothing; valid until the next call. */
export function packNumbers({ emptyScore, maxTokens, sizeOffsets }: HyperedgeRequest): Float64Array {
  const length = 2 + sizeOffsets.length;
  const packed = (kept[length] ??= new Float64Array(new ArrayBuffer(length * Float64Array.BYTES_PER_ELEMENT)));
  packed[0] = emptyScore;
  packed[1] = maxTokens;
  packed.set(sizeOffsets, 2);
  return packed;
}
