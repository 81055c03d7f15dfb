import { createCatalog, type Encoder } from "@setwise/core";
import { buildIndex, embedTools } from "@setwise/retriever";
import { describe, expect, it } from "vitest";
import { calibrateFromLog, type FoundRequest } from "./calibrate-from-log.ts";
import { openEncoder } from "./open-encoder.ts";

const encoder: Encoder = {
  name: "of-one's-own",
  dimensions: 1,
  encode: async (texts) => new Float32Array(texts.length),
};

const index = buildIndex(
  createCatalog([
    {
      id: "a",
      name: "read_mail",
      description: "Reads mail.",
      inputSchema: { type: "object" },
      original: undefined,
    },
  ]),
);

const requests = (count: number, tools: readonly number[]): FoundRequest[] =>
  Array.from({ length: count }, () => ({
    retrieval: {
      ids: Uint32Array.of(7, 3, 5, 1),
      scores: Float32Array.of(1, 0.9, 0.5, 0.4),
      clauses: ["ask"],
      requests: 1,
      evidence: { queryCoverage: 1, nameCoverage: 1, matchedWords: 2, queryWords: 2, namesTool: false },
      bestCosine: 0.4,
      wordEvidence: 3,
    },
    vectors: new Float32Array(256),
    tools: Uint32Array.from(tools),
  }));

describe("calibrateFromLog", () => {
  it("fits sizes to where the right tools stand among the candidates", async () => {
    const calibration = await calibrateFromLog(index, encoder, requests(30, [3, 7]));
    expect(calibration).toMatchObject({ used: 30, gate: undefined });
    expect(calibration?.changes[0]).toMatch(/of 30 requests have 2\.0 tools on average/);
  });

  it("moves the gate of an encoder that foreign tools were encoded by", async () => {
    const table = (await openEncoder("static")) as Encoder;
    const calibration = await calibrateFromLog(await embedTools(index, table), table, requests(20, [7]));
    expect(calibration?.gate?.margin).toBeGreaterThan(0);
    expect(calibration?.changes).toHaveLength(2);
  });

  it("leaves all as it is where fewer than twenty requests have a right tool in sight", async () => {
    const lost = requests(30, [99]);
    expect(await calibrateFromLog(index, encoder, [...requests(19, [7]), ...lost])).toBeUndefined();
    expect(await calibrateFromLog(index, encoder, [])).toBeUndefined();
  });
});
