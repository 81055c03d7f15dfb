import { type Encoder, SetwiseError } from "@setwise/core";
import { describe, expect, test } from "vitest";

export interface EncoderContractOptions {
  /**
   * How far a number of a vector may move when other texts stand beside its own in one call, or the call is repeated;
   * 0 by default.
   */
  readonly tolerance?: number;
  /** The encoder knows no unknown tokens (byte-level vocabularies, addresses): a text of signs has a vector too. */
  readonly knowsEveryToken?: boolean;
}

const texts = ["Refund a payment to the customer's card", "Weather forecast for a city", "List files of a folder"];

/** What every {@link Encoder} keeps; call it in a test file with a function that gives the encoder. */
export function describeEncoder(
  name: string,
  create: () => Encoder | Promise<Encoder>,
  { tolerance = 0, knowsEveryToken = false }: EncoderContractOptions = {},
): void {
  const rowsOf = async (list: readonly string[], as?: "query" | "document") => {
    const encoder = await create();
    const vectors = await encoder.encode(list, as === undefined ? {} : { as });
    expect(vectors).toBeInstanceOf(Float32Array);
    expect(vectors.length).toBe(list.length * encoder.dimensions);
    return list.map((_, row) => vectors.slice(row * encoder.dimensions, (row + 1) * encoder.dimensions));
  };
  const expectAlike = (left: Float32Array | undefined, right: Float32Array | undefined) => {
    expect(left?.length).toBe(right?.length);
    const apart = left?.map((value, index) => Math.abs(value - (right?.[index] ?? Number.NaN))) ?? [];
    expect(Math.max(...apart)).toBeLessThanOrEqual(tolerance);
  };

  describe(`the encoder contract, kept by ${name}`, () => {
    test("it has a name without spaces, a positive number of dimensions, and both stay", async () => {
      const [first, second] = [await create(), await create()];
      expect(first.name).toMatch(/^\S+$/);
      expect(Number.isInteger(first.dimensions) && first.dimensions > 0).toBe(true);
      expect([second.name, second.dimensions]).toEqual([first.name, first.dimensions]);
    });

    test("no text gives no number", async () => {
      expect(await rowsOf([])).toEqual([]);
    });

    test("rows have length 1 and stand in the order of the texts", async () => {
      const rows = await rowsOf(texts);
      for (const row of rows) expect(Math.hypot(...row)).toBeCloseTo(1, 5);
      const reversed = (await rowsOf(texts.toReversed())).toReversed();
      for (const [index, row] of rows.entries()) expectAlike(row, reversed[index]);
    });

    test("a text has one vector, whatever stands beside it", async () => {
      const long = "a much longer text with many more words in it ".repeat(12);
      const [alone] = await rowsOf(texts.slice(0, 1));
      const rows = await rowsOf([long, texts[0] ?? "", "x", texts[0] ?? ""]);
      expectAlike(rows[1], alone);
      expectAlike(rows[3], alone);
    });

    test("texts that mean alike are closer than texts that do not", async () => {
      const [refund, weather, same] = await rowsOf([...texts.slice(0, 2), "Give the customer the money back by card"]);
      expect(dot(refund, same)).toBeGreaterThan(dot(refund, weather));
    });

    test("both sides of a search can be asked for, and document is the default", async () => {
      const [plain] = await rowsOf(texts.slice(0, 1));
      expectAlike((await rowsOf(texts.slice(0, 1), "document"))[0], plain);
      expect(Math.hypot(...((await rowsOf(texts.slice(0, 1), "query"))[0] ?? []))).toBeCloseTo(1, 5);
    });

    test("a text without any known token gives a row of zeros and leaves the others alone", async () => {
      const [empty, blank, text] = await rowsOf(["", " \n\t", texts[0] ?? ""]);
      if (!knowsEveryToken) for (const row of [empty, blank]) expect(row?.every((value) => value === 0)).toBe(true);
      expectAlike(text, (await rowsOf(texts.slice(0, 1)))[0]);
    });

    test("only signs, lone surrogates, controls and a megabyte of text give finite rows", async () => {
      const rows = await rowsOf(["👍👍🏽👩‍👩‍👧", "\uD800\u0000\u0007", "word ".repeat(200_000), "x".repeat(1_000_000)]);
      for (const row of rows) {
        const length = Math.hypot(...row);
        expect(length === 0 || Math.abs(length - 1) < 1e-4).toBe(true);
      }
    });

    test("the answer is the caller's own: changing it changes no later answer", async () => {
      const encoder = await create();
      const first = await encoder.encode(texts.slice(0, 1));
      const kept = first.slice();
      first.fill(7);
      expectAlike(await encoder.encode(texts.slice(0, 1)), kept);
    });

    test("calls at the same time do not disturb each other, and each answer stays", async () => {
      const encoder = await create();
      const all = await Promise.all(texts.map((text) => encoder.encode([text])));
      const kept = all.map((rows) => rows.slice());
      for (const [index, text] of texts.entries()) expectAlike(kept[index], await encoder.encode([text]));
      expect(all).toEqual(kept);
    });

    test("a signal that fired already stops it with the code aborted", async () => {
      const encoder = await create();
      const answer = encoder.encode(texts, { signal: AbortSignal.abort() });
      expect(await codeOf(answer)).toBe("aborted");
    });

    test("what is not a list of texts is refused", async () => {
      const encoder = await create();
      for (const wrong of ["text", [3], [undefined], null])
        expect(await codeOf(encoder.encode(wrong as unknown as string[]))).toBe("invalid-argument");
    });
  });
}

function dot(left: Float32Array | undefined, right: Float32Array | undefined): number {
  return left?.reduce((sum, value, index) => sum + value * (right?.[index] ?? Number.NaN), 0) ?? Number.NaN;
}

/** The code of the SetwiseError that `promise` fails with; what else comes is given back as it is. */
async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    return SetwiseError.isInstance(error) ? error.code : error;
  }
}
