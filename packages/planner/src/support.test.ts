import { describe, expect, test } from "vitest";
import { graphOf, testTool } from "../test/graph-of.ts";
import { supportFor, type SupportRequest } from "./support.ts";

const graph = graphOf(
  [
    testTool("get_user_token", ["name", "password"], ["token"]),
    testTool("find_contact", ["token", "text"], ["contact_id"]),
    testTool("call_contact", ["contact_id", "token"]),
    testTool("create_contact", ["name"], ["contact_id"]),
    testTool("say", ["text"], ["text"]),
  ],
  [
    ["get_user_token#out/token", "find_contact#in/token", 0.9],
    ["get_user_token#out/token", "call_contact#in/token", 0.9],
    ["find_contact#out/contact_id", "call_contact#in/contact_id", 0.75],
    ["create_contact#out/contact_id", "call_contact#in/contact_id", 0.8],
    ["say#out/text", "find_contact#in/text", 0.9],
  ],
);
const added = (chosen: readonly number[], more: Partial<SupportRequest> = {}): number[] =>
  supportFor(graph, { chosen: Uint32Array.from(chosen), ...more }).added.map(({ tool }) => tool);

describe("supportFor", () => {
  test("adds who brings ids and tokens, then what these need, and says for what", () => {
    const { added: found, missing } = supportFor(graph, { chosen: Uint32Array.of(2) });
    expect(found.map(({ tool }) => tool)).toEqual([1, 0]);
    expect(graph.nodes[found[0]?.input ?? -1]?.id).toBe("call_contact#in/contact_id");
    expect(graph.nodes[found[0]?.output ?? -1]?.id).toBe("find_contact#out/contact_id");
    expect(Array.from(missing)).toEqual([]);
  });

  test("what a person can say needs no tool", () => {
    expect(added([3])).toEqual([]);
    expect(added([0])).toEqual([]);
  });

  test("a tool that makes something is added only when that is allowed", () => {
    expect(added([2, 0], { allowMutating: true })).toEqual([3]);
    expect(added([2, 0])).toEqual([1]);
  });

  test("a permission list, exclusions and the limit hold, and what is missing then is named", () => {
    const { added: found, missing } = supportFor(graph, { chosen: Uint32Array.of(2), exclude: Uint32Array.of(1) });
    expect(found.map(({ tool }) => tool)).toEqual([0]);
    expect(Array.from(missing, (node) => graph.nodes[node]?.id)).toEqual(["call_contact#in/contact_id"]);
    expect(added([2], { allow: Uint32Array.of(1) })).toEqual([1]);
    expect(added([2], { most: 1 })).toEqual([1]);
    expect(added([2], { most: 0 })).toEqual([]);
  });

  test("weak links add nothing, nor does a tool without any relevance, and what is known needs nobody", () => {
    expect(added([2], { leastWeight: 0.78 })).toEqual([0]);
    expect(added([2], { relevance: Float32Array.of(1, 0, 1, 1, 1) })).toEqual([0]);
    const grounded = Uint32Array.of(
      graph.nodeOf("call_contact#in/contact_id") ?? -1,
      graph.nodeOf("call_contact#in/token") ?? -1,
    );
    expect(added([2], { grounded })).toEqual([]);
  });

  test("a chosen tool that brings it is enough", () => {
    expect(added([2, 0, 1])).toEqual([]);
    expect(added([])).toEqual([]);
  });
});
