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

/** c_0, the token budget, then c_1 … c_M or nothing. */
export function packNumbers({ emptyScore, maxTokens, sizeOffsets }: HyperedgeRequest): Float64Array {
  const packed = new Float64Array(2 + sizeOffsets.length);
  packed[0] = emptyScore;
  packed[1] = maxTokens;
  packed.set(sizeOffsets, 2);
  return packed;
}
