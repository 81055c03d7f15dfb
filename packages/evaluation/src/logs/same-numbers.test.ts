import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCatalog, type LabelledQuery } from "@setwise/core";
import { shopTools } from "@setwise/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compare } from "../compare.ts";
import { measure, type Measurement } from "../measure.ts";
import { seededRandom } from "@setwise/core";
import { plainBm25, rankerPipeline } from "../rivals.ts";
import { readLogs } from "./read-logs.ts";

/*
 * The same requests as labelled queries and as the logs that an agent would have left: read back, they are the same data set, so each
 * pipeline has the same numbers on all.
 */
const catalog = createCatalog(shopTools);
const random = seededRandom(11);
const some = (count: number): readonly string[] =>
  Array.from({ length: count }, () => catalog.tools[Math.floor(random() * catalog.tools.length)]?.id ?? "");
const queries: readonly LabelledQuery[] = Array.from({ length: 40 }, (_, at) => {
  const tools = [...new Set(some(at % 4))];
  const words = tools.map((id) => catalog.tools[catalog.ordinalOf(id) ?? 0]?.description ?? "");
  return { id: `q${at}`, query: `request ${at}: ${words.join(" and ")}`, tools };
});

const asOpenAi = ({ id, query, tools }: LabelledQuery): readonly object[] => [
  {
    id,
    messages: [
      { role: "user", content: query },
      { role: "assistant", content: "", tool_calls: tools.map((name) => ({ type: "function", function: { name } })) },
    ],
  },
];
const asAnthropic = ({ id, query, tools }: LabelledQuery): readonly object[] => [
  {
    id,
    request: { messages: [{ role: "user", content: query }] },
    response: { role: "assistant", content: tools.map((name) => ({ type: "tool_use", name, input: {} })) },
  },
];
const asAiSdk = ({ id, query, tools }: LabelledQuery): readonly object[] => [
  {
    id,
    messages: [
      { role: "user", content: [{ type: "text", text: query }] },
      { role: "assistant", content: tools.map((toolName) => ({ type: "tool-call", toolName, input: {} })) },
    ],
  },
];
const asGateway = ({ id, query, tools }: LabelledQuery): readonly object[] => [
  { request: id, query, offered: tools },
  ...tools.map((called) => ({ request: id, query, offered: tools, called })),
];

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-same-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const measured = (from: AsyncIterable<LabelledQuery> | readonly LabelledQuery[]): Promise<Measurement> =>
  measure(rankerPipeline(plainBm25(catalog.tools), catalog), from, {
    toolIds: catalog.tools.map(({ id }) => id),
    now: () => 0,
  });

it.each([
  ["OpenAI", asOpenAi],
  ["Anthropic", asAnthropic],
  ["AI SDK", asAiSdk],
  ["the gateway", asGateway],
])("a log in the form of %s has the numbers of the queries it was made from", async (name, asLog) => {
  const path = join(folder, `${name}.jsonl`);
  await writeFile(path, queries.flatMap((query) => asLog(query).map((line) => `${JSON.stringify(line)}\n`)).join(""));
  const labelled = await measured(queries);
  const logged = await measured(readLogs(path, { tools: catalog.tools, withoutCalls: "nothing-fits" }));
  expect(logged).toEqual(labelled);
  const [comparison] = compare({ name: "labelled", measurement: labelled }, [{ name: "logged", measurement: logged }]);
  expect(comparison?.metrics.every(({ p }) => p === 1)).toBe(true);
});

it("a log in which one call is missing has other numbers", async () => {
  const path = join(folder, "missing.jsonl");
  const changed = queries.map((query) => (query.id === "q3" ? { ...query, tools: query.tools.slice(1) } : query));
  await writeFile(
    path,
    changed.flatMap((query) => asOpenAi(query).map((line) => `${JSON.stringify(line)}\n`)).join(""),
  );
  expect(await measured(readLogs(path, { withoutCalls: "nothing-fits" }))).not.toEqual(await measured(queries));
});
