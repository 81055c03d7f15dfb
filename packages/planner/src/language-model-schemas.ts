import { z } from "zod";

/* zod takes as long to load as Node to start, so this is imported only where a model is asked. */

const MOST_TASKS = 12;
const LONGEST_GOAL = 500;

/** What a model makes of a request. */
export const decompositionSchema: z.ZodType<{ readonly tasks: readonly string[] }> = z.object({
  tasks: z.array(z.string().max(LONGEST_GOAL).regex(/\p{L}/u)).min(1).max(MOST_TASKS),
});

/** Which of the links 1 to `count` hold and which do not, by a model. */
export function linkVerdicts(
  count: number,
): z.ZodType<{ readonly hold: readonly number[]; readonly fail: readonly number[] }> {
  const numbers = z.array(z.int().min(1).max(count)).max(count);
  return z.object({ hold: numbers, fail: numbers });
}
