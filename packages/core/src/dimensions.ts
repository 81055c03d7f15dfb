/** As many as a vector index takes; no model in use has more. */
export const MOST_DIMENSIONS: number = 65_536;

/** Whether an encoder's vectors can have so many numbers: 1 to {@link MOST_DIMENSIONS}. */
export function isDimensions(given: unknown): given is number {
  return typeof given === "number" && Number.isInteger(given) && given >= 1 && given <= MOST_DIMENSIONS;
}
