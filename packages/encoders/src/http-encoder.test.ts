import { SetwiseError } from "@setwise/core";
import { describeEncoder } from "@setwise/testkit";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type Answerer,
  DIMENSIONS,
  type EmbeddingServer,
  openAiAnswer,
  properAnswer,
  rawVector,
  sendJson,
  startEmbeddingServer,
  unitVector,
} from "../test/embedding-server.ts";
import { createHttpEncoder, type HttpEncoderOptions, type HttpTextCut } from "./http-encoder.ts";

let server: EmbeddingServer;
beforeEach(async () => {
  server = await startEmbeddingServer();
});
afterEach(() => server.close());

const encoderWith = (options: Partial<HttpEncoderOptions> = {}) =>
  createHttpEncoder({ url: server.url, dimensions: DIMENSIONS, retryDelayMs: 0, maxRetryDelayMs: 2, ...options });

const rowOf = (vectors: Float32Array, row: number) => vectors.slice(row * DIMENSIONS, (row + 1) * DIMENSIONS);

/** The error that `promise` fails with. */
async function failureOf(promise: Promise<unknown>): Promise<SetwiseError> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (SetwiseError.isInstance(outcome)) return outcome;
  throw new Error(`expected a SetwiseError, got ${String(outcome)}`);
}

const answering =
  (status: number, body: string, headers: Record<string, string> = {}): Answerer =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

const answeringData =
  (change: (data: { index: number; embedding: unknown }[]) => unknown): Answerer =>
  ({ texts }, response) =>
    sendJson(response, { data: change(openAiAnswer(texts).data) });

describeEncoder("an HTTP encoder", () => encoderWith({ maxBatchTexts: 2 }), { tolerance: 0 });

describe("what is asked", () => {
  test("an OpenAI-compatible server gets input and model, and its key", async () => {
    const encoder = await encoderWith({ model: "small", apiKey: "sk-0123456789abcdef\n" });
    const vectors = await encoder.encode(["send a mail"]);
    expect(server.requests.map(({ path, body }) => [path, body])).toEqual([
      ["/v1/embeddings", { input: ["send a mail"], model: "small" }],
    ]);
    expect(server.requests[0]?.headers.authorization).toBe("Bearer sk-0123456789abcdef");
    expect(vectors).toEqual(unitVector("send a mail"));
  });

  test("text-embeddings-inference gets inputs, and cuts what is too long for it", async () => {
    const encoder = await encoderWith({ url: `${server.url}/embed`, model: "ignored" });
    expect(await encoder.encode(["a", "b c"])).toEqual(Float32Array.from([...unitVector("a"), ...unitVector("b c")]));
    expect(server.requests.map(({ path, body }) => [path, body])).toEqual([
      ["/embed", { inputs: ["a", "b c"], truncate: true }],
    ]);
  });

  test("prompts, more fields, a form and fewer dimensions are sent as the options say", async () => {
    const encoder = await encoderWith({
      prompts: { query: "query: " },
      parameters: { query: { input_type: "search_query" } },
      encodingFormat: "base64",
      shorten: true,
      headers: { "api-key": "0123456789" },
    });
    await encoder.encode(["x"], { as: "query" });
    await encoder.encode(["x"]);
    const shared = { encoding_format: "base64", dimensions: DIMENSIONS };
    expect(server.requests.map(({ body }) => body)).toEqual([
      { input: ["query: x"], input_type: "search_query", ...shared },
      { input: ["x"], ...shared },
    ]);
    expect(server.requests[0]?.headers["api-key"]).toBe("0123456789");
  });

  test("blank texts are not sent and give zeros; without any other text nothing is sent", async () => {
    const encoder = await encoderWith();
    const vectors = await encoder.encode(["", "a", " \n"]);
    expect(server.requests.map(({ texts }) => texts)).toEqual([["a"]]);
    expect(rowOf(vectors, 0)).toEqual(new Float32Array(DIMENSIONS));
    expect(rowOf(vectors, 1)).toEqual(unitVector("a"));
    await encoder.encode([" "]);
    expect(server.requests).toHaveLength(1);
  });

  test("batches keep to both limits, and the rows stand in the order of the texts", async () => {
    const encoder = await encoderWith({ maxBatchTexts: 3, maxBatchCharacters: 10, maxInFlight: 8 });
    // By hand: 4 + 4 = 8 characters, 4 more would be 12; 12 alone is over the limit, so it goes alone; then three of 1.
    const texts = ["aaaa", "bbbb", "cccc", "dddddddddddd", "e", "f", "g", "h"];
    const vectors = await encoder.encode(texts);
    const batches = server.requests
      .map((request) => request.texts)
      .toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
    expect(batches).toEqual([["aaaa", "bbbb"], ["cccc"], ["dddddddddddd"], ["e", "f", "g"], ["h"]]);
    for (const [row, text] of texts.entries()) expect(rowOf(vectors, row)).toEqual(unitVector(text));
  });

  test("never more requests at a time than allowed, over all calls", async () => {
    let inFlight = 0;
    let most = 0;
    server.answers = [
      async (request, response) => {
        most = Math.max(most, ++inFlight);
        await new Promise((resolve) => setTimeout(resolve, 5));
        inFlight -= 1;
        await properAnswer(request, response);
      },
    ];
    const encoder = await encoderWith({ maxBatchTexts: 1, maxInFlight: 3 });
    const texts = Array.from({ length: 10 }, (_, number) => `text ${number}`);
    await Promise.all([encoder.encode(texts), encoder.encode(texts)]);
    expect(server.requests).toHaveLength(20);
    expect(most).toBe(3);
  });
});

test("many batches in one call make no warning of the process, with a signal of the caller's or without", async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): void => void warnings.push(name);
  process.on("warning", onWarning);
  try {
    const encoder = await encoderWith({ maxBatchTexts: 1, maxInFlight: 12 });
    const texts = Array.from({ length: 40 }, (_, number) => `text ${number}`);
    await encoder.encode(texts);
    await encoder.encode(texts, { signal: new AbortController().signal });
    // Warnings come in a later turn than what they warn of.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off("warning", onWarning);
  }
  expect(warnings).toEqual([]);
});

describe("what is understood", () => {
  test("embeddings out of order are put in order by their index", async () => {
    server.answers = [answeringData((data) => data.toReversed())];
    const vectors = await (await encoderWith()).encode(["a", "b", "c"]);
    expect([0, 1, 2].map((row) => rowOf(vectors, row))).toEqual(["a", "b", "c"].map(unitVector));
  });

  test("embeddings without any index are taken in order", async () => {
    server.answers = [answeringData((data) => data.map(({ embedding }) => ({ embedding })))];
    const vectors = await (await encoderWith()).encode(["a", "b"]);
    expect(rowOf(vectors, 1)).toEqual(unitVector("b"));
  });

  test("the base64 form is read", async () => {
    server.answers = [
      answeringData((data) =>
        data.map(({ index, embedding }) => ({
          index,
          embedding: Buffer.from(Float32Array.from(embedding as number[]).buffer).toString("base64"),
        })),
      ),
    ];
    const vectors = await (await encoderWith()).encode(["a b"]);
    const expected = unitVector("a b");
    for (const [column, value] of vectors.entries()) expect(value).toBeCloseTo(expected[column] ?? Number.NaN, 6);
  });

  test("huge and tiny numbers are scaled without overflow, and zeros stay zeros", async () => {
    const row = (value: number) => Array.from({ length: 4 }, () => value);
    server.answers = [
      answeringData(() => [1e300, 1e-300, 0].map((value, index) => ({ index, embedding: row(value) }))),
    ];
    const vectors = await (await encoderWith({ dimensions: 4 })).encode(["a", "b", "c"]);
    // Four equal numbers: each is 1 / √4.
    expect([...vectors]).toEqual([...row(0.5), ...row(0.5), ...row(0)]);
  });

  test("the dimensions are learned from one short text when they are not given", async () => {
    const encoder = await createHttpEncoder({ url: server.url });
    expect(encoder.dimensions).toBe(DIMENSIONS);
    expect(server.requests.map(({ texts }) => texts.length)).toEqual([1]);
  });

  test("the name changes with what a vector means, and not with how it is asked for", async () => {
    const nameOf = async (options: Partial<HttpEncoderOptions>) => (await encoderWith(options)).name;
    const plain = await nameOf({ model: "m" });
    expect(plain).toMatch(/^http:m-48:[0-9a-f]{8}$/);
    for (const same of [{ apiKey: "sk-0123456789" }, { maxBatchTexts: 7 }, { timeoutMs: 5 }])
      expect(await nameOf({ model: "m", ...same })).toBe(plain);
    const others = [{ model: "n" }, { dimensions: 4 }, { prompts: { query: "q: " } }, { url: `${server.url}/v2` }];
    for (const other of others) expect(await nameOf({ model: "m", ...other })).not.toBe(plain);
    const named = { name: "our model", model: "m" };
    expect(await nameOf({ ...named, url: "http://elsewhere/v1" })).toBe(await nameOf(named));
  });
});

describe("texts that are too long", () => {
  test("only the beginning is sent, with a notice, and no pair of surrogates is split", async () => {
    const cuts: HttpTextCut[] = [];
    const encoder = await encoderWith({ maxTextCharacters: 5, onCut: (cut) => cuts.push(cut) });
    await encoder.encode(["short", "abcd🙂efgh"]);
    expect(server.requests[0]?.texts).toEqual(["short", "abcd"]);
    expect(cuts).toEqual([{ by: encoder.name, position: 1, characters: 4 }]);
  });

  test("what the server finds too much is sent in halves, then cut, until it takes it", async () => {
    const most = 1000;
    server.answers = [
      (request, response) => {
        if (request.texts.length > 2)
          return sendJson(response, { error: "batch size 4 > maximum allowed batch size 2" }, 422);
        if (request.texts.some((text) => text.length > most))
          return sendJson(response, { error: { message: "This model's maximum context length is 512 tokens" } }, 400);
        return properAnswer(request, response);
      },
    ];
    const cuts: HttpTextCut[] = [];
    const encoder = await encoderWith({ onCut: (cut) => cuts.push(cut) });
    const texts = ["a", "b", "c", "long ".repeat(600)];
    const vectors = await encoder.encode(texts);
    // 3,000 characters become 1,500, then 750.
    expect(cuts.map(({ position, characters }) => [position, characters])).toEqual([
      [3, 1500],
      [3, 750],
    ]);
    expect([0, 1, 2].map((row) => rowOf(vectors, row))).toEqual(["a", "b", "c"].map(unitVector));
    expect(rowOf(vectors, 3)).toEqual(unitVector("long ".repeat(150)));
  });

  test("a server that finds everything too long is an error", async () => {
    server.answers = [answering(413, "Payload Too Large")];
    const error = await failureOf((await encoderWith()).encode(["a", "b"]));
    expect(error.code).toBe("server-failed");
    expect(error.message).toContain("413");
  });
});

describe("retries", () => {
  test.each([429, 500, 502, 503, 504, 529])("a %i is tried again until it is mended", async (status) => {
    server.answers = [answering(status, "busy", { "retry-after": "3600" }), answering(status, ""), properAnswer];
    expect(await (await encoderWith()).encode(["a"])).toEqual(unitVector("a"));
    expect(server.requests).toHaveLength(3);
  });

  test("a connection that is cut, before or in the middle of the answer, is tried again", async () => {
    server.answers = [
      (_, response) => void response.socket?.destroy(),
      (_, response) => {
        response.writeHead(200, { "content-length": "1000" }).write('{"data": [');
        setImmediate(() => response.socket?.destroy());
      },
      properAnswer,
    ];
    expect(await (await encoderWith()).encode(["a"])).toEqual(unitVector("a"));
  });

  test("429 for ever is an error after the last retry, which says what to do", async () => {
    server.answers = [answering(429, "slow down", { "retry-after": "1" })];
    const error = await failureOf((await encoderWith({ maxRetries: 3 })).encode(["a"]));
    expect(server.requests).toHaveLength(4);
    expect(error).toMatchObject({ code: "server-failed", source: `${server.url}/v1/embeddings` });
    expect(error.message).toMatch(/answered 429.*try later.*`maxInFlight` of createHttpEncoder.*It says: "slow down"/);
  });

  test.each([401, 403])("a %i says where the key is given, in code and on the command line", async (status) => {
    server.answers = [answering(status, "no")];
    const error = await failureOf((await encoderWith()).encode(["a"]));
    expect(error.message).toMatch(/`apiKey`.*SETWISE_ENCODER_KEY/);
  });

  test.each([400, 401, 403, 404, 501])("a %i is final", async (status) => {
    server.answers = [answering(status, "no")];
    const error = await failureOf((await encoderWith()).encode(["a"]));
    expect(server.requests).toHaveLength(1);
    expect(error.code).toBe("server-failed");
    expect(error.message).toContain(`answered ${status}`);
  });

  test("after one batch fails, the waiting ones are not sent", async () => {
    server.answers = [answering(401, "no")];
    const encoder = await encoderWith({ maxBatchTexts: 1, maxInFlight: 1 });
    await failureOf(encoder.encode(["a", "b", "c", "d"]));
    server.answers = [properAnswer];
    await encoder.encode(["e"]);
    expect(server.requests.map(({ texts }) => texts)).toEqual([["a"], ["e"]]);
  });

  test("a server that is not there is an error that names the address", async () => {
    const { url } = server;
    server.close();
    const error = await failureOf((await encoderWith({ url })).encode(["a"]));
    expect(error.code).toBe("unreadable-source");
    expect(error.message).toMatch(/127\.0\.0\.1.*ECONNREFUSED.*Check that the server runs/);
  });
});

describe("time", () => {
  test("an answer that does not come is a timeout after one retry, however many there may be for other faults", async () => {
    server.answers = [() => undefined];
    const error = await failureOf((await encoderWith({ timeoutMs: 20 })).encode(["a"]));
    expect(error.code).toBe("timeout");
    expect(error.message).toMatch(/within 20 ms.*`timeoutMs`, or --timeout/);
    expect(server.requests).toHaveLength(2);
  });

  test("retries stop, and the last attempt is cut, where the time for all of them ends", async () => {
    server.answers = [() => undefined];
    // The first attempt takes all the time there is: without the bound, four more would follow.
    const hanging = await encoderWith({ timeoutMs: 30_000, maxRequestMs: 50 });
    expect(await failureOf(hanging.encode(["a"]))).toMatchObject({ code: "timeout" });
    expect(server.requests).toHaveLength(1);
    // A wait of a minute is longer than the time there is: nothing is waited for.
    server.answers = [answering(503, "busy", { "retry-after": "60" })];
    const busy = await encoderWith({ maxRetryDelayMs: 60_000, maxRequestMs: 5_000 });
    expect(await failureOf(busy.encode(["a"]))).toMatchObject({
      code: "server-failed",
      message: expect.stringMatching(/answered 503.*wait of 6\d{4} ms.*`maxRequestMs`, or --timeout/),
    });
    expect(server.requests).toHaveLength(2);
  });

  test("an answer that begins and never ends is a timeout too", async () => {
    server.answers = [(_, response) => void response.writeHead(200).write("[")];
    const error = await failureOf((await encoderWith({ timeoutMs: 50, maxRetries: 0 })).encode(["a"]));
    expect(error.code).toBe("timeout");
  });

  test("the signal stops a request under way, a wait before a retry, and calls in the queue", async () => {
    const stop = new AbortController();
    server.answers = [() => stop.abort(new Error("enough"))];
    const encoder = await encoderWith({ maxBatchTexts: 1, maxInFlight: 1 });
    expect((await failureOf(encoder.encode(["a", "b"], { signal: stop.signal }))).code).toBe("aborted");

    const waiting = new AbortController();
    server.answers = [
      (_, response) => {
        response.writeHead(503).end();
        setTimeout(() => waiting.abort(), 20);
      },
    ];
    const patient = await encoderWith({ retryDelayMs: 60_000, maxRetryDelayMs: 60_000 });
    expect((await failureOf(patient.encode(["a"], { signal: waiting.signal }))).code).toBe("aborted");
    server.answers = [properAnswer];
    expect(await encoder.encode(["c"])).toEqual(unitVector("c"));
  });

  test("the signal stops learning the dimensions", async () => {
    const stop = new AbortController();
    server.answers = [() => stop.abort()];
    expect((await failureOf(createHttpEncoder({ url: server.url, signal: stop.signal }))).code).toBe("aborted");
  });
});

describe("bad answers say what was expected, what came and what to do", () => {
  const cases: [string, Answerer, RegExp][] = [
    [
      "another dimension",
      answeringData((data) => data.map((item) => ({ ...item, embedding: [1, 2, 3] }))),
      /of 48 numbers.*3 numbers in embedding 0/,
    ],
    [
      "rows of different lengths",
      answeringData(([first]) => [first, { index: 1, embedding: [1] }]),
      /1 numbers in embedding 1/,
    ],
    ["half a batch", answeringData((data) => data.slice(1)), /expected 2 embeddings.*got 1 embeddings/],
    ["more than was asked", answeringData((data) => [...data, ...data]), /got 4 embeddings/],
    ["one index twice", answeringData((data) => data.map((item) => ({ ...item, index: 0 }))), /name each text once/],
    [
      "an index out of range",
      answeringData((data) => data.map((item) => ({ ...item, index: item.index + 1 }))),
      /name each text once/,
    ],
    [
      "null for a number",
      answeringData((data) => data.map((item) => ({ ...item, embedding: [...rawVector("a").slice(1), null] }))),
      /null in place of a number/,
    ],
    [
      "a number without end",
      answering(200, `{"data":[{"embedding":[${"1e999,".repeat(47)}1]},{"embedding":[]}]}`),
      /Infinity in place of a number/,
    ],
    [
      "NaN as Python writes it",
      answering(200, '{"data":[{"embedding":[NaN, 1]}]}'),
      /NaN or Infinity in place of a number/,
    ],
    [
      "text for an embedding",
      answeringData((data) => data.map((item) => ({ ...item, embedding: "AAAA!" }))),
      /a string in place of embedding 0/,
    ],
    [
      "NaN in base64",
      answeringData((data) =>
        data.map((item) => ({
          ...item,
          embedding: Buffer.from(new Float32Array(48).fill(Number.NaN).buffer).toString("base64"),
        })),
      ),
      /NaN in place of a number/,
    ],
    [
      "an embedding that is missing",
      answeringData((data) => data.map(({ index }) => ({ index }))),
      /nothing in place of embedding 0/,
    ],
    ["items that are null", answeringData((data) => data.map(() => null)), /nothing in place of embedding 0/],
    [
      "an error with status 200",
      answering(200, '{"error":{"message":"no such model"}}'),
      /an object without a list of embeddings.*no such model/,
    ],
    ["null", answering(200, "null"), /null without a list/],
    [
      "HTML",
      answering(200, "<!doctype html><title>Sign in</title>", { "content-type": "text/html" }),
      /a page of HTML.*Check the address.*Sign in/,
    ],
    ["nothing", answering(200, ""), /an empty answer/],
    ["an answer cut short", answering(200, '{"data":[{"embedding":[0.1,'), /something else/],
  ];
  test.each(cases)("%s", async (_, answer, message) => {
    server.answers = [answer];
    const error = await failureOf((await encoderWith()).encode(["a", "b"]));
    expect(error.code).toBe("server-failed");
    expect(error.message).toMatch(message);
    expect(server.requests).toHaveLength(1);
  });

  test("a body without end is left as soon as it is too large", async () => {
    let closed: () => void;
    const isClosed = new Promise<void>((resolve) => (closed = resolve));
    server.answers = [
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const more = (): void =>
          void response.write(" ".repeat(65_536), (error) => (error ? undefined : setImmediate(more)));
        response.on("close", () => closed());
        more();
      },
    ];
    const error = await failureOf((await encoderWith({ maxAnswerBytes: 1_000_000 })).encode(["a"]));
    expect(error.code).toBe("too-large");
    expect(error.message).toMatch(/longer than 1000000 bytes.*`maxBatchTexts` of createHttpEncoder/);
    await isClosed;
  });

  test("an error page without end is not read to its end", async () => {
    server.answers = [
      (_, response) => {
        response.writeHead(403);
        const more = (): void =>
          void response.write("no ".repeat(20_000), (error) => (error ? undefined : setImmediate(more)));
        more();
      },
    ];
    const error = await failureOf((await encoderWith()).encode(["a"]));
    expect(error.message).toMatch(/answered 403/);
    expect(error.message.length).toBeLessThan(600);
  });
});

describe("keys", () => {
  const apiKey = "sk-Proj_0123456789abcdefghij";
  const header = "Token 99887766554433221100";
  const inQuery = "queryKey-5551234567";
  const everything = (error: unknown): string => {
    const texts: string[] = [];
    for (let next = error; next instanceof Error; next = next.cause)
      texts.push(
        next.message,
        next.stack ?? "",
        JSON.stringify(next),
        JSON.stringify(Object.getOwnPropertyDescriptors(next)),
      );
    return texts.join("\n").toLowerCase();
  };
  const expectNoKey = (error: unknown): void => {
    const text = everything(error);
    for (const secret of [apiKey, header.slice(6), inQuery])
      for (let start = 0; start + 8 <= secret.length; start++)
        expect(text).not.toContain(secret.slice(start, start + 8).toLowerCase());
  };
  const secretive = (options: Partial<HttpEncoderOptions> = {}) =>
    encoderWith({
      url: `${server.url}/v1/embeddings?key=${inQuery}`,
      apiKey,
      headers: { "x-token": header },
      ...options,
    });

  test("are in no error when the server echoes them, whole, in part or in capitals", async () => {
    const echo = `Incorrect key ${apiKey.toUpperCase()} (${apiKey.slice(0, 14)}…), x-token ${header}, ${inQuery}`;
    const answers = [
      answering(401, echo),
      answering(200, echo),
      answering(200, JSON.stringify({ error: echo })),
      answering(302, "", { location: `/login?k=${apiKey}` }),
      answering(302, "", { location: `/${apiKey}/` }),
    ];
    for (const answer of answers) {
      server.answers = [answer];
      const error = await failureOf((await secretive()).encode(["a"]));
      expect(error.code).toBe("server-failed");
      expectNoKey(error);
    }
  });

  test("are in no error when `fetch` throws them", async () => {
    const fetch = () => Promise.reject(new TypeError("failed", { cause: new Error(`Bearer ${apiKey} refused`) }));
    const error = await failureOf((await secretive({ fetch })).encode(["a"]));
    expect(error.message).toContain("[redacted] refused");
    expectNoKey(error);
  });

  test("that are no header value are refused without being shown", async () => {
    for (const bad of [`${apiKey}\n${apiKey}`, `${apiKey}é`])
      for (const options of [{ apiKey: bad }, { headers: { "x-token": bad } }]) {
        const error = await failureOf(secretive(options));
        expect(error.code).toBe("invalid-argument");
        expectNoKey(error);
      }
    const error = await failureOf(encoderWith({ url: `http://user:${apiKey}@127.0.0.1/` }));
    expect(error.code).toBe("invalid-argument");
    expectNoKey(error);
  });

  test("do not follow a redirect, to another host or the same", async () => {
    const other = await startEmbeddingServer();
    try {
      for (const status of [301, 302, 303, 307, 308])
        for (const location of [`${other.url}/v1/embeddings`, "/v1/embeddings/"]) {
          server.answers = [answering(status, "", { location })];
          const error = await failureOf((await secretive()).encode(["a"]));
          expect(error.code).toBe("server-failed");
          expect(error.message).toContain(new URL(location, server.url).href);
          expect(error.message).toContain("Give that address if you trust it");
        }
      expect(other.requests).toEqual([]);
    } finally {
      other.close();
    }
  });

  test("are not to be found on the encoder", async () => {
    const encoder = await secretive();
    expect(Object.keys(encoder)).toEqual(["name", "dimensions", "encode"]);
    expect(encoder.name).not.toContain(inQuery);
  });
});

describe("options", () => {
  test.each([
    ["no address", { url: "not an address" }],
    ["another protocol", { url: "ftp://host/v1" }],
    ["a path that says nothing", { url: "http://host/api" }],
    ["no dimensions to shorten to", { shorten: true, dimensions: undefined }],
    ["a batch of nothing", { maxBatchTexts: 0 }],
    ["half a request at a time", { maxInFlight: 0.5 }],
    ["a timeout beyond what timers count", { timeoutMs: 2 ** 31 }],
    ["dimensions of NaN", { dimensions: Number.NaN }],
    ["a header with a colon in its name", { headers: { "a:b": "c" } }],
    ["an empty key", { apiKey: " " }],
  ])("%s is refused before anything is sent", async (_, options) => {
    const error = await failureOf(
      createHttpEncoder({ url: server.url, dimensions: 4, ...(options as object) } as never),
    );
    expect(error.code).toBe("invalid-argument");
    expect(server.requests).toEqual([]);
  });
});
