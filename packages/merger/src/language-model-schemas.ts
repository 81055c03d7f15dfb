import { z } from "zod";

/* zod takes as long to load as Node to start, so this is imported only where a model is asked. */

const LONGEST_REASON = 1_000;
const LONGEST_DESCRIPTION = 4_000;
const reason = z.string().min(1).max(LONGEST_REASON);

/** What a model answers about two tools. */
export const judgementSchema: z.ZodType<{
  readonly same: boolean;
  readonly reason: string;
  readonly wouldChange: string;
}> = z.object({ same: z.boolean(), reason, wouldChange: reason });

/** What a model makes of a cluster: groups of ids. */
export const auditSchema: z.ZodType<{ readonly groups: readonly (readonly string[])[]; readonly reason: string }> =
  z.object({
    groups: z.array(z.array(z.string())),
    reason,
  });

/** How a model words a unified tool. */
export const wordingSchema: z.ZodType<{ readonly description: string }> = z.object({
  description: z.string().min(1).max(LONGEST_DESCRIPTION),
});
