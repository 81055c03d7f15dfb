import { z } from "zod";
import type { GivenEdge } from "./given-edges.ts";
import { linkKinds } from "./hypergraph.ts";

/* zod takes as long to load as Node to start, so this is imported only where edges are given. */

/** A list of edges, as a file has them. */
export const edgesSchema: z.ZodType<readonly GivenEdge[]> = z.array(
  z.object({
    from: z.object({ tool: z.string().min(1), output: z.string().nullish() }),
    to: z.object({ tool: z.string().min(1), input: z.string().nullish() }),
    weight: z.number().min(0).max(1).optional(),
    kind: z.enum(linkKinds).optional(),
  }),
);
