import { expect, test } from "vitest";
import { plainResult } from "./plain-result.ts";

const texts = (...parts: readonly string[]): object => ({ content: parts.map((text) => ({ type: "text", text })) });

test("the envelope of a protocol's answer is taken off", () => {
  expect(plainResult(texts('{"id": "u1"}'), false)).toEqual({ value: { id: "u1" } });
  expect(plainResult(texts("sara_doe_496"), false)).toEqual({ value: "sara_doe_496" });
  expect(plainResult({ ...texts("x"), structuredContent: { id: 1 } }, false)).toEqual({ value: { id: 1 } });
  expect(plainResult({ ...texts("no such user"), isError: true }, false)).toEqual({ error: "no such user" });
  expect(plainResult({ content: [], structuredContent: { id: 1 } }, false)).toEqual({ value: { id: 1 } });
  expect(plainResult({ content: [], isError: true }, false)).toEqual({
    error: "The server says that the call failed.",
  });
});

test("a text that is JSON is read, unless a text is what is given", () => {
  expect(plainResult('[{"id": 1}]', false)).toEqual({ value: [{ id: 1 }] });
  expect(plainResult('{"id": 1}', true)).toEqual({ value: '{"id": 1}' });
  expect(plainResult("{not json", false)).toEqual({ value: "{not json" });
});

test("anything else stays as it is", () => {
  for (const value of [undefined, null, 7, "ok", [], { content: "text" }, { content: [] }, { content: [{ no: 1 }] }]) {
    expect(plainResult(value, false)).toEqual({ value });
  }
  const own = { id: 1, content: [{ type: "text", text: "a document of its own" }] };
  expect(plainResult(own, false)).toEqual({ value: own });
  const page = { content: [{ type: "paragraph", text: "hello" }] };
  expect(plainResult(page, false)).toEqual({ value: page });
  const picture = { content: [{ type: "image", data: "" }] };
  expect(plainResult(picture, false)).toEqual({ value: picture });
});
