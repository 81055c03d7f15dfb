import { z } from "zod";
import { linkKinds } from "./hypergraph.ts";
import type { PortNode } from "./ports.ts";

/* zod takes as long to load as Node to start, so this is imported only where a graph is read. */

/** A graph as its file has it. */
export interface GraphText {
  readonly format: "setwise-hypergraph";
  readonly version: number;
  readonly revision: string;
  readonly nodes: readonly (Omit<PortNode, "type"> & { readonly type?: string | undefined })[];
  /** From, to (places in `nodes`), weight, kind (place in `linkKinds`). */
  readonly links: readonly (readonly [from: number, to: number, weight: number, kind: number])[];
  readonly problems: readonly {
    readonly code: string;
    readonly message: string;
    readonly toolId?: string | undefined;
  }[];
}

/** No schema is read this deep. */
const MOST_STEPS = 64;

const place: z.ZodNumber = z.number().int().min(0);

export const graphSchema: z.ZodType<GraphText> = z.object({
  format: z.literal("setwise-hypergraph"),
  version: z.number().int().min(1),
  revision: z.string(),
  nodes: z.array(
    z.object({
      id: z.string(),
      tool: place,
      kind: z.enum(["in", "pre", "out", "eff"]),
      path: z.array(z.string()).max(MOST_STEPS),
      description: z.string(),
      type: z.string().optional(),
      required: z.boolean(),
      opaque: z.boolean(),
      isWildcard: z.boolean(),
      told: z.enum(["name", "included"]).optional(),
    }),
  ),
  links: z.array(z.tuple([place, place, z.number().gt(0).max(1), place.max(linkKinds.length - 1)])),
  problems: z.array(z.object({ code: z.string(), message: z.string(), toolId: z.string().optional() })),
});
