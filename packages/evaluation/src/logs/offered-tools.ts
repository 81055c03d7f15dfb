import { objectOf, textOf } from "./json-shape.ts";

/**
 * The names of the tools that a request offered: `{ name }` (Anthropic, the Responses API, BFCL), `{ function: { name } }` (chat
 * completions), an AI SDK map from names to tools, or mere names; `undefined` where it says nothing of tools. Hosted tools without a
 * name of the caller's are left out.
 */
export function offeredTools(tools: unknown): readonly string[] | undefined {
  if (Array.isArray(tools)) return tools.flatMap((tool: unknown) => nameOf(tool) ?? []);
  const map = objectOf(tools);
  return map === undefined ? undefined : Object.keys(map);
}

function nameOf(tool: unknown): string | undefined {
  const object = objectOf(tool);
  return textOf(tool) ?? textOf(object?.name) ?? textOf(objectOf(object?.function)?.name);
}
