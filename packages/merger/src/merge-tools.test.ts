import { createCatalog, type MergeJudge, type Tool } from "@setwise/core";
import { describe, expect, it } from "vitest";
import { number, text, tool } from "../test/tool.ts";
import { deterministicJudge } from "./decide-pairs.ts";
import { mergeTools } from "./merge-tools.ts";

const converters: readonly Tool[] = [
  tool("convert_currency", "Convert money from one currency to another", {
    amount: number,
    from_currency: text,
    to_currency: text,
  }),
  tool(
    "currency_conversion",
    "Convert money from one currency to another",
    { value: number, from: text, to: text, date: text },
    {
      required: ["value", "from", "to"],
    },
  ),
  tool("get_weather", "Get the weather of a city", { city: text }),
  tool("send_mail", "Send a mail", { address: text, body: text }),
  tool("delete_mail", "Delete a mail", { mail_id: text }),
];

describe("mergeTools", () => {
  it("folds what does the same job, keeps the rest, and says why", async () => {
    const merged = await mergeTools(createCatalog(converters));
    expect(merged.clusters.map(({ representative, members }) => [representative, members])).toEqual([
      ["convert_currency", ["convert_currency", "currency_conversion"]],
    ]);
    expect(merged.catalog.tools.map(({ id }) => id)).toEqual([
      "convert_currency",
      "get_weather",
      "send_mail",
      "delete_mail",
    ]);
    expect(merged.clusters[0]?.reason).toContain("Both are to convert the same thing");
    expect(merged.report.before.tools).toBe(5);
    expect(merged.report.after.tools).toBe(4);
    expect(merged.report.after.tokens).toBeLessThan(merged.report.before.tokens);
  });

  it("gives the caller's own objects back where nothing was folded", async () => {
    const catalog = createCatalog(converters);
    const { catalog: after } = await mergeTools(catalog);
    expect(after.tools[1]).toBe(converters[2]);
  });

  it("picks the member by the arguments given and writes them under its own names", async () => {
    const { resolve, translateCall, translateLabels, newIdOf } = await mergeTools(createCatalog(converters));
    const dated = { value: 3, from: "EUR", to: "USD", date: "2026-01-01" };
    const call = translateCall({ tool: "currency_conversion", arguments: dated });
    expect(call).toEqual({
      tool: "convert_currency",
      arguments: { amount: 3, from_currency: "EUR", to_currency: "USD", date: "2026-01-01" },
    });
    const resolved = resolve(call);
    expect(resolved).toMatchObject({ status: "resolved", calledAs: "convert_currency", arguments: dated });
    expect(resolved.status === "resolved" && resolved.member).toBe(converters[1]);
    expect(resolve({ tool: "currency_conversion", arguments: dated })).toMatchObject({
      status: "resolved",
      calledAs: "currency_conversion",
      arguments: dated,
    });
    expect(newIdOf("currency_conversion")).toBe("convert_currency");
    expect(newIdOf("nothing")).toBeUndefined();
    expect(translateLabels(["currency_conversion", "get_weather", "convert_currency"])).toEqual([
      "convert_currency",
      "get_weather",
    ]);
  });

  it("picks among members that all take the arguments by server and by cost, and never one that is down", async () => {
    const of = (server: string): Tool =>
      tool(
        `${server}/convert`,
        "Convert units",
        { value: number, from: text, to: text },
        { name: "convert_units", server },
      );
    const { resolve } = await mergeTools(createCatalog([of("alpha"), of("beta"), of("gamma")]));
    const call = { tool: "alpha/convert", arguments: { value: 1, from: "m", to: "km" } };
    const idOf = (options: Parameters<typeof resolve>[1]): string => {
      const answer = resolve(call, options);
      return answer.status === "resolved" ? answer.member.id : answer.status;
    };
    expect(idOf({})).toBe("alpha/convert");
    expect(idOf({ server: "beta" })).toBe("beta/convert");
    expect(idOf({ cost: (id) => (id.startsWith("gamma") ? 1 : 2) })).toBe("gamma/convert");
    expect(idOf({ cost: (id) => (id.startsWith("alpha") ? Number.POSITIVE_INFINITY : 1) })).toBe("beta/convert");
    expect(idOf({ exclude: ["alpha/convert", "beta/convert", "gamma/convert"] })).toBe("no-member");
  });

  it("says what each member needs where none takes the arguments", async () => {
    const { resolve } = await mergeTools(createCatalog(converters));
    expect(resolve({ tool: "convert_currency", arguments: { amount: 1 } })).toMatchObject({
      status: "no-member",
      needs: [
        { member: "convert_currency", arguments: ["amount", "from_currency", "to_currency"] },
        { member: "currency_conversion", arguments: ["amount", "from_currency", "to_currency"] },
      ],
    });
  });

  it("refuses a call of a tool that never was", async () => {
    const { resolve } = await mergeTools(createCatalog(converters));
    expect(() => resolve({ tool: "nothing" })).toThrow(
      expect.objectContaining({ code: "unknown-tool", toolId: "nothing" }),
    );
  });

  it("gives the same clusters whatever the order of the tools", async () => {
    const forwards = await mergeTools(createCatalog(converters));
    const backwards = await mergeTools(createCatalog(converters.toReversed()));
    expect(backwards.clusters).toEqual(forwards.clusters);
    expect(backwards.rejected).toEqual(forwards.rejected);
  });

  it("changes nothing when its own catalog is merged again", async () => {
    const once = await mergeTools(createCatalog(converters));
    const twice = await mergeTools(once.catalog);
    expect(twice.clusters).toEqual([]);
    expect(twice.catalog.revision).toBe(once.catalog.revision);
  });

  it("asks again only about pairs that a change touches", async () => {
    const decisions = new Map();
    const first = await mergeTools(createCatalog(converters), { decisions });
    expect(first.report.judged).toBeGreaterThan(0);
    const again = await mergeTools(createCatalog(converters), { decisions });
    expect(again.report.judged).toBe(0);
    const asked: string[] = [];
    const judge: MergeJudge = {
      name: deterministicJudge.name,
      judge: async ([a, b]) => (asked.push(a.id, b.id), { same: false, reason: "No." }),
    };
    const added = tool("get_weather_alerts", "Get weather alerts of a city", { city: text });
    await mergeTools(createCatalog([...converters, added]), { decisions, judge });
    expect(asked.length).toBeGreaterThan(0);
    for (let pair = 0; pair < asked.length; pair += 2) expect(asked.slice(pair, pair + 2)).toContain(added.id);
  });

  it("finds candidates by vectors that share no word", async () => {
    const tools = [
      tool("film_finder", "Cinema titles", { q: text }),
      tool("movie_query", "Pictures by name", { q: text }),
    ];
    const asked: (number | undefined)[] = [];
    const judge: MergeJudge = {
      name: "yes",
      judge: async (_, options) => (asked.push(options?.cosine), { same: true, reason: "Told so." }),
    };
    const vectors = { values: Float32Array.of(1, 0, 1, 0), dimensions: 2, encoder: "test" };
    const merged = await mergeTools(createCatalog(tools), { judge, vectors });
    expect(asked).toEqual([1]);
    expect(merged.catalog.tools).toHaveLength(1);
    expect(merged.vectors?.values).toEqual(Float32Array.of(1, 0));
  });

  it("refuses vectors that are not the catalog's, and stops at a signal", async () => {
    const catalog = createCatalog(converters);
    const vectors = { values: new Float32Array(3), dimensions: 2, encoder: "test" };
    await expect(mergeTools(catalog, { vectors })).rejects.toMatchObject({ code: "invalid-argument" });
    await expect(mergeTools(catalog, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
  });

  it("follows a validator that splits, and goes on without one that fails", async () => {
    const split = await mergeTools(createCatalog(converters), {
      validator: { name: "strict", validate: async () => ({ groups: [], reason: "Never." }) },
    });
    expect(split.clusters).toEqual([]);
    const failing = await mergeTools(createCatalog(converters), {
      validator: { name: "broken", validate: async () => Promise.reject(new Error("no")) },
    });
    expect(failing.clusters).toHaveLength(1);
    expect(failing.report.problems).toEqual([expect.objectContaining({ code: "validator-fell-back" })]);
  });
});

it("Pairs that stay two are listed by how alike they are, and ties by ids", async () => {
  const { rejected } = await mergeTools(
    createCatalog([
      tool("delete_mail", "Delete a mail", { id: text }),
      tool("create_mail", "Create a mail with a subject and a body", { subject: text }),
      tool("create_mail_folder", "Create a folder", { name: text }),
    ]),
  );
  const likeness = rejected.map((pair) => pair.likeness);
  expect(likeness.length).toBeGreaterThan(1);
  expect(likeness).toEqual(likeness.toSorted((a, b) => b - a));
});

describe("pins", () => {
  const pair = { a: "convert_currency", b: "currency_conversion" };

  it("keep tools apart that a judge would fold, and join what it would not", async () => {
    const apart = await mergeTools(createCatalog(converters), { pins: [{ ...pair, decision: "different" }] });
    expect(apart.clusters).toEqual([]);
    expect(apart.rejected).toContainEqual({
      members: ["convert_currency", "currency_conversion"],
      reason: "A pin keeps them apart.",
      wouldChange: "That pin taken away.",
      likeness: expect.any(Number) as number,
    });
    const joined = await mergeTools(createCatalog(converters), {
      pins: [{ a: "send_mail", b: "delete_mail", decision: "same" }],
    });
    expect(joined.newIdOf("delete_mail")).toBe("send_mail");
  });

  it("that contradict each other, directly or through a chain, join nothing and are reported", async () => {
    const pins = [
      { a: "send_mail", b: "delete_mail", decision: "same" },
      { a: "delete_mail", b: "get_weather", decision: "same" },
      { a: "get_weather", b: "send_mail", decision: "different" },
    ] as const;
    const merged = await mergeTools(createCatalog(converters), { pins });
    expect(merged.newIdOf("delete_mail")).toBe("delete_mail");
    expect(merged.report.problems).toEqual([expect.objectContaining({ code: "contradictory-pins" })]);
  });

  it("that name no tool are reported", async () => {
    const merged = await mergeTools(createCatalog(converters), {
      pins: [{ a: "x", b: "send_mail", decision: "same" }],
    });
    expect(merged.report.problems).toEqual([expect.objectContaining({ code: "unknown-pin" })]);
  });

  it("of a tool with itself name no two tools, whatever it said when it was decided", async () => {
    const merged = await mergeTools(createCatalog(converters), {
      pins: [{ a: "send_mail", b: "send_mail", decision: "same", content: "of old" }],
    });
    expect(merged.report.problems).toEqual([expect.objectContaining({ code: "unknown-pin" })]);
    expect(merged.report.obeyed).toBe(0);
  });

  it("are counted where they were obeyed, not where they were given", async () => {
    const merged = await mergeTools(createCatalog(converters), {
      pins: [
        { a: "send_mail", b: "delete_mail", decision: "same" },
        { ...pair, decision: "different" },
        // Unknown, stale, and one against the second.
        { a: "x", b: "y", decision: "different" },
        { a: "send_mail", b: "get_weather", decision: "same", content: "of old" },
        { ...pair, decision: "same" },
      ],
    });
    expect(merged.report.obeyed).toBe(2);
  });

  it("may be many that name no tool", async () => {
    const pins = Array.from({ length: 100_000 }, (_, at) => ({ a: `a${at}`, b: `b${at}`, decision: "same" }) as const);
    const merged = await mergeTools(createCatalog(converters), { pins });
    expect(merged.report.problems).toHaveLength(100_000);
  });
});
