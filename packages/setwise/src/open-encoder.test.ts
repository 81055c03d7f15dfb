import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Encoder, type Problem, SetwiseError } from "@setwise/core";
import { minilmModelFolder } from "@setwise/model-minilm";
import { describeEncoder, toolListText } from "@setwise/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { choiceOfName, openEncoder } from "./open-encoder.ts";
import { createSelector } from "./create-selector.ts";

/** 26 tools; the last one shares no word with the query below. */
const refund = { name: "refund_payment", description: "Reverse a charge, reimburse a buyer.", inputSchema: {} };
const tools = [
  JSON.parse(toolListText("mcp/git.tools-list.json")),
  JSON.parse(toolListText("mcp/filesystem.tools-list.json")),
  refund,
];
const query = "put money back on the customer's card";

async function opened(...given: Parameters<typeof openEncoder>): Promise<Encoder> {
  const encoder = await openEncoder(...given);
  if (encoder === undefined) throw new Error("expected an encoder");
  return encoder;
}

/** A server that is asked for more at once refuses. */
const MOST_CHARACTERS = 1000;

/** Answers every text with its length and 1, and keeps what it was asked. */
interface EmbeddingServer {
  readonly url: string;
  readonly models: unknown[];
  readonly texts: string[];
  readonly keys: unknown[];
}
let server: Server | undefined;
let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "setwise-encoder-"));
});
afterEach(async () => {
  server?.closeAllConnections();
  server?.close();
  await rm(folder, { recursive: true, force: true });
});

async function startServer(): Promise<EmbeddingServer> {
  const asked = { url: "", models: [] as unknown[], texts: [] as string[], keys: [] as unknown[] };
  const started = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { input, model } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[]; model?: string };
    asked.models.push(model);
    asked.texts.push(...input);
    asked.keys.push(request.headers.authorization);
    if (input.join("").length > MOST_CHARACTERS) return void response.writeHead(413).end();
    const data = input.map((text, index) => ({ index, embedding: [text.length, 1] }));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data }));
  });
  server = started;
  await new Promise<void>((listening) => started.listen(0, "127.0.0.1", listening));
  return Object.assign(asked, { url: `http://127.0.0.1:${(started.address() as AddressInfo).port}` });
}

describeEncoder("the encoder `static`", () => opened("static", { onProblem: () => undefined }));

describe("openEncoder", () => {
  it("finds by `static` what shares no word with the query, and by `none` does not", async () => {
    const first = async (encoder: string): Promise<string | undefined> =>
      (await (await createSelector({ tools, encoder })).select(query, { k: 1 })).chosen[0]?.id;
    expect(await first("static")).toBe("refund_payment");
    expect(await first("none")).not.toBe("refund_payment");
    const { candidates } = await (await createSelector({ tools, encoder: "none" })).select(query);
    expect(candidates).toEqual([]);
  });

  it("opens the transformer and the table together as `minilm`, and a folder alone", async () => {
    const [table, minilm, alone] = [await opened("static"), await opened("minilm"), await opened(minilmModelFolder)];
    expect(minilm.name).toBe(`joint:${alone.name}+${table.name}`);
    expect(minilm.dimensions).toBe(384 + 256);
    const rows = await alone.encode(["reimburse a buyer", "give the customer the money back", "list the files"]);
    const cosine = (a: number, b: number): number =>
      rows.subarray(a * 384, (a + 1) * 384).reduce((sum, value, at) => sum + value * (rows[b * 384 + at] ?? 0), 0);
    expect(cosine(0, 1)).toBeGreaterThan(cosine(0, 2) + 0.2);
    expect(choiceOfName(minilm.name)).toBe("minilm");
    expect(choiceOfName(table.name)).toBe("static");
    expect(choiceOfName(alone.name)).toBeUndefined();
  });

  it("gives no encoder for `none`, and one's own as it is", async () => {
    expect(await openEncoder("none")).toBeUndefined();
    const own: Encoder = { name: "own", dimensions: 1, encode: async () => new Float32Array(1) };
    expect(await openEncoder(own)).toBe(own);
  });

  it.each([
    ["", /encoder is empty; expected none, static, minilm/],
    [null, /expected none, static, minilm/],
    [" \n", /encoder is empty/],
    [{ name: "own", dimensions: 3 }, /no name, dimensions and encode function/],
    [{ name: "own", dimensions: 0.5, encode: () => undefined }, /no name, dimensions and encode function/],
    [{ name: "own", dimensions: 0, encode: () => undefined }, /with dimensions from 1 to 65536/],
    [{ name: "own", dimensions: -1, encode: () => undefined }, /with dimensions from 1 to 65536/],
    [{ name: "own", dimensions: 65_537, encode: () => undefined }, /with dimensions from 1 to 65536/],
    [{ name: "own", dimensions: 2 ** 31, encode: () => undefined }, /with dimensions from 1 to 65536/],
    ["http://127.0.0.1:1/embed#50%off", /write % as %25/],
  ])("refuses %j as no encoder", async (choice, message) => {
    const error: unknown = await openEncoder(choice as never).catch((thrown: unknown) => thrown);
    expect(SetwiseError.isInstance(error) && error.code).toBe("invalid-argument");
    expect(String(error)).toMatch(message);
  });

  it("takes a name between blanks as the name", async () => {
    expect(await openEncoder(" none ")).toBeUndefined();
    expect((await opened(" static\n")).name).toBe((await opened("static")).name);
    expect((await opened(` ${minilmModelFolder} `)).dimensions).toBe(384);
  });

  it.each([
    ["minilim", /^There is no folder "minilim"; expected none, static, minilm, .*Did you mean minilm\?$/],
    ["Static", /Did you mean static\?$/],
    ["nowhere", /^There is no folder "nowhere"; expected none, static, minilm, [^?]*$/],
    ["./nowhere/minilm", /^There is no folder "\.\/nowhere\/minilm"; [^?]*$/],
  ])("says of %s that there is no such folder, and what there is besides", async (choice, message) => {
    const error: unknown = await openEncoder(choice).catch((thrown: unknown) => thrown);
    expect(SetwiseError.isInstance(error) && error.code).toBe("unreadable-source");
    expect((error as Error).message).toMatch(message);
  });

  it("says of a file that its folder is expected", async () => {
    const file = join(minilmModelFolder, "tokenizer.json");
    await expect(openEncoder(file)).rejects.toMatchObject({
      code: "unreadable-source",
      message: expect.stringMatching(
        /tokenizer\.json is no folder; expected one with an ONNX model .* and tokenizer\.json/,
      ),
    });
  });

  it("asks an address for the model behind #, with the key", async () => {
    const { url, models, keys } = await startServer();
    const encoder = await opened(`${url}#org%2Fsmall`, { apiKey: "sk-0123456789" });
    // [3, 1] / √10
    expect([...(await encoder.encode(["abc"]))]).toEqual([Math.fround(3 / Math.sqrt(10)), Math.fround(Math.sqrt(0.1))]);
    expect(new Set(models)).toEqual(new Set(["org/small"]));
    expect(new Set(keys)).toEqual(new Set(["Bearer sk-0123456789"]));
  });

  it("asks an address for no model where none is named", async () => {
    const { url, models } = await startServer();
    await opened(url);
    expect(models).toEqual([undefined]);
  });

  it("stops learning the size of an address's vectors when the signal fires", async () => {
    const { url } = await startServer();
    await expect(openEncoder(url, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
  });

  it("asks for a text once where there is a cache, over several openings", async () => {
    const { url, texts } = await startServer();
    const cache = join(folder, "encoded");
    const first = await (await opened(url, { cache })).encode(["one", "three"]);
    const second = await (await opened(url, { cache })).encode(["three", "one"]);
    expect([...second]).toEqual([...first.slice(2), ...first.slice(0, 2)]);
    expect(texts.filter((text) => text === "one" || text === "three")).toEqual(["one", "three"]);
  });

  it("tells of a text that was cut when it is encoded, and not again where its vector comes from the cache", async () => {
    const { url } = await startServer();
    const cache = join(folder, "encoded");
    for (const told of [1, 0]) {
      const problems: Problem[] = [];
      const encoder = await opened(url, { cache, onProblem: (problem) => problems.push(problem) });
      await encoder.encode(["x".repeat(1500)]);
      expect(problems.map(({ code }) => code)).toEqual(Array.from({ length: told }, () => "text-cut"));
    }
  });

  it("tells of a text that was cut by its beginning, not by a position", async () => {
    const problems: Problem[] = [];
    const encoder = await opened("static", { onProblem: (problem) => problems.push(problem) });
    await encoder.encode(["short", `refund ${"the order ".repeat(300)}`]);
    expect(problems).toMatchObject([
      { code: "text-cut", message: expect.stringMatching(/only the beginning of "refund the/) },
    ]);
    expect(problems[0]).not.toHaveProperty("position");
  });

  it("tells which text an address found too long, with calls at the same time told apart", async () => {
    const { url } = await startServer();
    const cut: unknown[] = [];
    const encoder = await opened(url, { onCut: ({ text, as }) => cut.push([text.length, as]) });
    const texts = ["x".repeat(1500), "y".repeat(1200)];
    const call = (place: number, as: "query" | "document") => encoder.encode(["short", texts[place] ?? ""], { as });
    await Promise.all([call(0, "document"), call(1, "query")]);
    expect(cut).toHaveLength(2);
    expect(cut).toEqual(
      expect.arrayContaining([
        [1500, "document"],
        [1200, "query"],
      ]),
    );
  });
});
