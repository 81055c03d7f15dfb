import { idOf, objectOf, textOf, textsOf } from "./json-shape.ts";
import type { LoggedRequest } from "./request.ts";

/** A line of our own `queries.jsonl`: `{ id?, query, tools: [ids], subset?, candidates? }`. `undefined` for anything else. */
export function labelledRequests(record: unknown): readonly LoggedRequest[] | undefined {
  const { id, query, tools, subset, candidates } = objectOf(record) ?? {};
  const text = textOf(query);
  const called = textsOf(tools);
  if (text === undefined || called === undefined) return undefined;
  const offered = textsOf(candidates);
  return [
    {
      ...(idOf(id) === undefined ? {} : { id: idOf(id)! }),
      query: text,
      called,
      ...(offered === undefined ? {} : { offered }),
      ...(typeof subset === "string" ? { subset } : {}),
      answered: true,
      labelled: true,
    },
  ];
}
