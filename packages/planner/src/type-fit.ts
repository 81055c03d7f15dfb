import type { PortNode } from "./ports.ts";

/** How well a value of one type serves where another is wanted: 1 for the same, 0 for never. */
export function typeFit(
  from: Pick<PortNode, "type" | "isWildcard">,
  to: Pick<PortNode, "type" | "isWildcard">,
): number {
  const [given, wanted] = [from.type, to.type];
  if (from.isWildcard || given === undefined || wanted === undefined || given === wanted) return 1;
  if (wanted === "boolean" || given === "boolean" || given === "null") return 0.1;
  if (given === "number" && wanted === "string") return 0.8;
  if (given === "string" && wanted === "number") return 0.6;
  // One item of a list, or a list of one.
  if (given === "array" || wanted === "array") return 0.6;
  return 0.2;
}
