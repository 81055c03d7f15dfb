import { SetwiseError } from "@setwise/core";

/**
 * A name without the blanks around it, which no one means.
 *
 * @throws SetwiseError `invalid-argument` where nothing is left.
 */
export function trimmedName(option: "encoder" | "reranker", name: string, expected: string): string {
  const trimmed = name.trim();
  if (trimmed !== "") return trimmed;
  throw new SetwiseError("invalid-argument", `${option} is empty; ${expected}.`);
}
