import { idOf, objectOf, objectsOf, textOf } from "./json-shape.ts";
import type { LoggedRequest } from "./request.ts";

/*
 * ToolBench's own query files (github.com/OpenBMB/ToolBench, data/test_instruction and data/instruction): an array of
 * `{ query_id, query, api_list: [{ tool_name, api_name }], "relevant APIs": [[tool_name, api_name], …] }`. An id is `tool.endpoint`
 * in ToolBench's normalised form. Its conversations are read as conversations are.
 */

/** A question with its relevant endpoints. `undefined` for anything else. */
export function toolBenchRequests(record: unknown): readonly LoggedRequest[] | undefined {
  const { query, query_id: id, api_list: list, "relevant APIs": relevant } = objectOf(record) ?? {};
  const text = textOf(query);
  if (text === undefined || !Array.isArray(list)) return undefined;
  const key = idOf(id);
  return [
    {
      ...(key === undefined ? {} : { id: key }),
      query: text,
      called: Array.isArray(relevant) ? relevant.flatMap(relevantId) : [],
      offered: objectsOf(list).map(({ tool_name: tool, api_name: api }) => toolBenchId(String(tool), String(api))),
      answered: Array.isArray(relevant),
      labelled: true,
    },
  ];
}

function relevantId(pair: unknown): readonly string[] {
  if (!Array.isArray(pair)) return [];
  const [tool, api] = pair as readonly unknown[];
  return typeof tool === "string" && typeof api === "string" ? [toolBenchId(tool, api)] : [];
}

/** `tool.endpoint`: lower case, runs of other characters to one underscore, a `get_` that ToolBench puts before a digit taken off again. */
export function toolBenchId(tool: string, endpoint: string): string {
  return `${normalised(tool)}.${normalised(endpoint).replace(/^get_(?=\d)/, "")}`;
}

function normalised(name: string): string {
  return name
    .replace(/[^A-Za-z0-9_]+/g, "_")
    .replace(/_+/g, "_")
    .replace(/^_|_$/g, "")
    .toLowerCase();
}
