import { describe, expect, it } from "vitest";
import { elementSplitter, lineSplitter, type Piece, type Splitter, wholeText } from "./split-text.ts";

function inChunks(splitter: Splitter, text: string, size: number): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(...splitter.push(text.slice(at, at + size)));
  return [...pieces, ...splitter.end()];
}

describe.each([1, 2, 7, 1000])("in chunks of %i characters", (size) => {
  it("lines are cut at their ends, empty ones left out, and the last needs no end", () => {
    expect(inChunks(lineSplitter(100), '{"a":1}\n\n{"b":2}\r\n{"c"', size)).toEqual([
      { text: '{"a":1}', line: 1 },
      { text: '{"b":2}\r', line: 3 },
      { text: '{"c"', line: 4 },
    ]);
  });

  it("a line that is too long is given up, and the next is whole", () => {
    expect(inChunks(lineSplitter(5), "1234567890\n12345\n123456", size)).toEqual([
      { text: undefined, line: 1 },
      { text: "12345", line: 2 },
      { text: undefined, line: 3 },
    ]);
  });

  it("elements of an array are cut at their commas, whatever their texts hold", () => {
    const text = '[\n{"a":"],[\\"}"},\n  [1,[2]],\n"x,y" ,3]\n';
    expect(inChunks(elementSplitter(100), text, size)).toEqual([
      { text: '{"a":"],[\\"}"}', line: 2 },
      { text: "[1,[2]]", line: 3 },
      { text: '"x,y"', line: 4 },
      { text: "3", line: 4 },
    ]);
  });

  it("an array that is cut off gives what it had", () => {
    expect(inChunks(elementSplitter(100), '[{"a":1},{"b":', size).map(({ text }) => text)).toEqual([
      '{"a":1}',
      '{"b":',
    ]);
  });

  it("an element that is too long is given up, and the next is whole", () => {
    expect(inChunks(elementSplitter(4), "[123456,12]", size).map(({ text }) => text)).toEqual([undefined, "12"]);
  });

  it("a whole text is one piece, unless it is too long", () => {
    expect(inChunks(wholeText(10), "{\n1\n}", size)).toEqual([{ text: "{\n1\n}", line: 1 }]);
    expect(inChunks(wholeText(3), "{\n1\n}", size)).toEqual([{ text: undefined, line: 1 }]);
    expect(inChunks(wholeText(3), " ", size)).toEqual([]);
  });
});

it("an element of ten million brackets overflows nothing", () => {
  const pieces = inChunks(elementSplitter(1000), `[${"[".repeat(10_000_000)}`, 65_536);
  expect(pieces).toEqual([{ text: undefined, line: 1 }]);
});
