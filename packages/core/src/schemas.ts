import { z } from "zod";
import type { JsonSchema } from "./json-schema.ts";
import type { LabelledQuery } from "./labelled-query.ts";
import type { Plan } from "./plan.ts";
import type { ExplainedTool, SelectionDocument } from "./selection.ts";
import type { ToolDefinition } from "./tool.ts";

/* Schemas stand apart from the words they describe because loading zod takes as long as starting Node: whoever only selects never pays for it. */

const jsonSchema: z.ZodType<JsonSchema> = z.record(z.string(), z.unknown());

/** Zod schema of {@link ToolDefinition}, for reading tools back from files. */
export const toolDefinitionSchema: z.ZodType<ToolDefinition> = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  description: z.string(),
  inputSchema: jsonSchema,
  outputSchema: jsonSchema.exactOptional(),
  annotations: z
    .object({
      title: z.string().exactOptional(),
      readOnlyHint: z.boolean().exactOptional(),
      destructiveHint: z.boolean().exactOptional(),
      idempotentHint: z.boolean().exactOptional(),
      openWorldHint: z.boolean().exactOptional(),
    })
    .exactOptional(),
  server: z.string().exactOptional(),
  tags: z.array(z.string()).readonly().exactOptional(),
});

/** Zod schema of one entry of `select --json`'s `tools`. */
export const explainedToolSchema: z.ZodType<ExplainedTool> = z.object({
  id: z.string(),
  name: z.string(),
  score: z.number(),
  role: z.enum(["core", "spare", "required", "support"]),
  reason: z.string(),
});

/** Zod schema of {@link SelectionDocument}. */
export const selectionDocumentSchema: z.ZodType<SelectionDocument> = z.object({
  query: z.string(),
  status: z.enum(["selected", "nothing-fits"]),
  tools: z.array(explainedToolSchema),
  candidates: z.array(z.object({ id: z.string(), score: z.number() })),
  tokens: z.object({ before: z.number().int(), after: z.number().int() }),
  k: z.number().int(),
  missing: z.array(z.string()),
  timingsMs: z.record(z.string(), z.number()),
  kernels: z.object({ implementation: z.enum(["native", "typescript"]), simd: z.string() }),
});

/** Zod schema of {@link Plan}. */
export const planSchema: z.ZodType<Plan> = z.object({
  query: z.string(),
  subTasks: z.array(z.object({ goal: z.string(), tools: z.array(z.string()) })),
  tools: z.array(z.string()),
  edges: z.array(z.object({ from: z.string(), output: z.string(), to: z.string(), input: z.string() })),
  missing: z.array(z.object({ tool: z.string(), input: z.string() })),
});

/** Zod schema of {@link LabelledQuery}; further fields of a line are ignored. */
export const labelledQuerySchema: z.ZodType<LabelledQuery> = z.object({
  id: z.string(),
  query: z.string(),
  tools: z.array(z.string()),
  subset: z.string().exactOptional(),
  candidates: z.array(z.string()).exactOptional(),
});
