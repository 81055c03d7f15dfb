import { createCatalog, type Tool } from "@setwise/core";
import { expect, test } from "vitest";
import { buildHypergraph } from "./build-hypergraph.ts";
import { DeficitExpansion } from "./expand-deficit.ts";
import { planTools } from "./plan-tools.ts";

const tool = (name: string, takes: readonly string[], described: Readonly<Record<string, string>> = {}): Tool => ({
  id: name,
  name,
  description: "",
  inputSchema: {
    type: "object",
    properties: Object.fromEntries(
      takes.map((argument) => [argument, { type: "string", description: described[argument] ?? "" }]),
    ),
    required: takes,
  },
  original: undefined,
});

/** What the only tool there is gets from a request; `?` for what is asked of the user. */
function given(only: Tool, query: string): Readonly<Record<string, unknown>> {
  const expansion = new DeficitExpansion(buildHypergraph(createCatalog([only])));
  const subTasks = [{ goal: query, ids: Uint32Array.of(0), scores: Float32Array.of(1) }];
  const [call] = planTools(expansion, { query, subTasks }).calls;
  return Object.fromEntries(
    (call?.inputs ?? []).map(({ input, source }) => [
      expansion.graph.nodes[input]?.path.join(".") ?? "",
      source.kind === "request" ? source.value : "?",
    ]),
  );
}

const commit = tool("git_commit", ["repo_path", "message"]);
const write = tool("write_file", ["path", "content"]);
const mail = tool("send_mail", ["to", "subject", "body"], { to: "Mail address of the recipient" });
const cancel = tool("cancel_order", ["order_id"]);

test.each([
  [commit, "Commit everything with the message 'fix typo'", { repo_path: "?", message: "fix typo" }],
  [write, "Write 'hello' to the file '/tmp/a.txt'", { path: "/tmp/a.txt", content: "hello" }],
  [tool("read_file", ["path"]), "Read the file /tmp/a.txt", { path: "/tmp/a.txt" }],
  [tool("read_file", ["path"]), "Read ./notes/today.md please", { path: "./notes/today.md" }],
  [mail, 'Send a mail to ada@example.com with subject "Late"', { to: "ada@example.com", subject: "Late", body: "?" }],
  [tool("mail", ["to"]), "Mail ada@example.com that her order is late", { to: "ada@example.com" }],
])("one value goes to one input, the one that it fits: %#", (only, query, wanted) => {
  expect(given(only, query)).toEqual(wanted);
});

test.each([
  ["Cancel order W123", "W123"],
  ["Cancel order 4711", "4711"],
  ["Cancel order #W2378156", "W2378156"],
  ["Cancel my order number 12", "12"],
  ["Cancel my 3 orders", "?"],
  ["Cancel the order of Ada from 2024", "?"],
])("an id stands behind what it is the id of: %s", (query, order) => {
  expect(given(cancel, query)).toEqual({ order_id: order });
});
