/** Of texts from tool servers so much is shown to a model. */
const LONGEST_TOOL = 4_000;

/** A tool as a model is shown it: cut, and marked off as data. */
export function shownTool(tool: {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}): string {
  const { id, name, description, inputSchema } = tool;
  return JSON.stringify({
    id,
    name,
    description: description.slice(0, LONGEST_TOOL / 2),
    arguments: inputSchema,
  }).slice(0, LONGEST_TOOL);
}
