import type { LoggedRequest } from "./request.ts";

/*
 * One request in several records: each call its own line (a gateway's log), or each record the conversation so far (an agent that logs
 * every call to its model). A record belongs to an earlier one of the same key if it adds a call, or if it has seen more of the
 * conversation and its calls begin with those known before. Two equal conversations of equal length stay two.
 */

/** Requests that may still grow; the oldest is given up when there are more. Sessions that interleave are far fewer. */
const MOST_OPEN = 10_000;

/** Joins records as they come: `add` gives the requests that are known to be whole, `end` the rest, in the order of their first record. */
export function recordJoiner(mostOpen: number = MOST_OPEN): {
  add(request: LoggedRequest): readonly LoggedRequest[];
  end(): readonly LoggedRequest[];
} {
  let next = 0;
  const open = new Map<number, LoggedRequest>();
  const latest = new Map<string, number>();
  const forget = (at: number): LoggedRequest | undefined => {
    const request = open.get(at);
    open.delete(at);
    const key = request?.growth?.key;
    if (key !== undefined && latest.get(key) === at) latest.delete(key);
    return request;
  };
  return {
    add: (request) => {
      const key = request.growth?.key;
      const at = key === undefined ? undefined : latest.get(key);
      const before = at === undefined ? undefined : open.get(at);
      const joined = before === undefined ? undefined : join(before, request);
      if (at !== undefined && joined !== undefined) {
        open.set(at, joined);
        return [];
      }
      open.set(next, request);
      if (key !== undefined) latest.set(key, next);
      next += 1;
      const oldest = next - 1 - mostOpen;
      const whole = oldest < 0 ? undefined : forget(oldest);
      return whole === undefined ? [] : [whole];
    },
    end: () => {
      const rest = [...open.values()];
      open.clear();
      latest.clear();
      return rest;
    },
  };
}

/** Both as one request, or `undefined` if they are two. */
function join(before: LoggedRequest, after: LoggedRequest): LoggedRequest | undefined {
  if (before.growth === undefined || after.growth === undefined) return undefined;
  if (after.growth.adds) {
    return {
      ...before,
      called: [...before.called, ...after.called],
      offered: [...new Set([...(before.offered ?? []), ...(after.offered ?? [])])],
    };
  }
  const grew = after.growth.extent > before.growth.extent;
  const begins = before.called.every((name, index) => after.called[index] === name);
  return grew && begins ? { ...before, ...after, id: before.id ?? after.id ?? "" } : undefined;
}
