import { z } from "zod";
import type { ReviewedPair } from "./review-file.ts";

/* zod takes as long to load as Node to start, so this is imported only where a review is read. */

const decision = z.enum(["same", "different"]);

const reviewedPairSchema: z.ZodType<ReviewedPair> = z.object({
  a: z.string().min(1),
  b: z.string().min(1),
  judged: decision,
  decision,
  reviewed: z.boolean(),
  reason: z.string(),
  wouldChange: z.string().exactOptional(),
  content: z.string(),
});

/** Zod schema of a review file. */
export const reviewFileSchema: z.ZodType<{ readonly version: number; readonly pairs: readonly ReviewedPair[] }> =
  z.object({
    version: z.number().int(),
    pairs: z.array(reviewedPairSchema),
  });
