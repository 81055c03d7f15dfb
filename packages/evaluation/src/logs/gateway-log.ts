import { idOf, objectOf, textOf, textsOf } from "./json-shape.ts";
import type { LoggedRequest } from "./request.ts";

/**
 * The gateway's log, the smallest that says enough: one JSON line a call,
 * `{ "request": "r1", "query": "…", "offered": ["id", …], "called": "id" }`. Lines with one `request` are one request, in the order of its
 * calls; a line without `called` says that it was answered without a call, or before the first. `offered` are the ids that the agent was
 * shown. Further fields (time, session, outcome) are ignored, except that a call with `"ok": false` was refused or failed and shows no
 * right tool. `undefined` for what is no such line.
 */
export function gatewayRequests(record: unknown): readonly LoggedRequest[] | undefined {
  const { request, query, offered, called, ok } = objectOf(record) ?? {};
  const key = idOf(request);
  const text = textOf(query);
  const shown = textsOf(offered);
  if (key === undefined || text === undefined || shown === undefined) return undefined;
  const tool = ok === false ? undefined : textOf(called);
  return [
    {
      id: key,
      query: text,
      called: tool === undefined ? [] : [tool],
      offered: shown,
      answered: true,
      growth: { key: `gateway ${key}`, extent: 0, adds: true },
    },
  ];
}
