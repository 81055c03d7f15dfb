import { createHash } from "node:crypto";
import { type Catalog, SetwiseError, type Tool, toolDefinition, wrongRow } from "@setwise/core";
import { descriptionFault, type IndexDescription, postingsFault } from "./check-index.ts";
import { exactNames } from "./exact-names.ts";
import { type ResolvedLexicalOptions, resolveLexicalOptions } from "./lexical-options.ts";
import { isPlainJson } from "./plain-json.ts";
import type { Postings, ToolIndex } from "./tool-index.ts";

/*
 * The file, little-endian:
 *
 *   bytes 0..7    "SETWISE\0"
 *   bytes 8..11   version
 *   bytes 12..15  length of the JSON part
 *   bytes 16..47  SHA-256 of everything from byte 48 on
 *   bytes 48..    JSON part, padded with spaces to a multiple of 4, then the columns in the order of `columnsOf`
 */
const MAGIC = "SETWISE\0";
const VERSION = 2;
const HEADER_BYTES = 48;
const WHAT_TO_DO = "Build the index again from its sources.";

/** The index with its catalog as bytes, for {@link deserializeIndex}; same index, same bytes. */
export function serializeIndex(index: ToolIndex): Uint8Array {
  const { catalog } = index;
  const part: IndexDescription = {
    options: index.options,
    revision: catalog.revision,
    tools: catalog.tools.map(toolDefinition),
    originals: catalog.tools.map(keptOriginal),
    vocabulary: [...index.vocabulary.keys()].join("\n"),
    tokens: catalog.tokens.length,
    textPostings: index.text.ordinals.length,
    namePostings: index.names.ordinals.length,
    ...(index.embeddings === undefined
      ? {}
      : { encoder: { name: index.embeddings.encoder, dimensions: index.embeddings.dimensions } }),
  };
  const json = Buffer.from(JSON.stringify(part));
  const padding = Buffer.alloc((4 - (json.length % 4)) % 4, " ");
  const columns = columnsOf(index).map((column) => Buffer.from(column.buffer, column.byteOffset, column.byteLength));
  const body = Buffer.concat([json, padding, ...columns]);
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(MAGIC, 0, "latin1");
  header.writeUInt32LE(VERSION, 8);
  header.writeUInt32LE(json.length + padding.length, 12);
  createHash("sha256").update(body).digest().copy(header, 16);
  return Buffer.concat([header, body]);
}

/** The caller's object if it is plain JSON and tells more than the definition. */
function keptOriginal(tool: Tool): unknown {
  if (!isPlainJson(tool.original)) return null;
  return JSON.stringify(tool.original) === JSON.stringify(toolDefinition(tool)) ? null : tool.original;
}

function columnsOf(index: ToolIndex): readonly (Uint32Array | Float32Array)[] {
  const { text, names } = index;
  return [
    index.catalog.tokens,
    index.idf,
    text.offsets,
    text.ordinals,
    text.weights,
    names.offsets,
    names.ordinals,
    names.weights,
    ...(index.embeddings === undefined ? [] : [index.embeddings.vectors]),
  ];
}

/**
 * The index that {@link serializeIndex} wrote. A tool's `original` is the caller's object again where that was plain JSON,
 * else the tool's definition.
 *
 * @throws SetwiseError `corrupt-file` for bytes that are cut short, damaged or something else; `unsupported-version` for
 * bytes of another version.
 */
export function deserializeIndex(bytes: Uint8Array): ToolIndex {
  const jsonBytes = checkHeader(bytes);
  // A copy begins at an address that 32-bit columns can be laid over.
  const body = bytes.slice(HEADER_BYTES);
  const part = readDescription(body.subarray(0, jsonBytes));
  const read = columnReader(body, jsonBytes);
  const tokens = new Uint32Array(...read(part.tokens));
  const terms = part.vocabulary === "" ? [] : part.vocabulary.split("\n");
  const catalog = restoredCatalog(part, tokens);
  const idf = new Float32Array(...read(terms.length));
  if (!idf.every(Number.isFinite)) throw corrupt("its weights are no numbers");
  return Object.freeze({
    catalog,
    options: restoredOptions(part),
    vocabulary: new Map(terms.map((term, position) => [term, position])),
    idf,
    text: readPostings(read, terms.length, part.textPostings, part.tools.length),
    names: readPostings(read, terms.length, part.namePostings, part.tools.length),
    exactNames: exactNames(catalog),
    ...readEmbeddings(read, part),
  });
}

function readEmbeddings(read: ColumnReader, { encoder, tools }: IndexDescription): Pick<ToolIndex, "embeddings"> {
  if (encoder === undefined) return {};
  const { name, dimensions } = encoder;
  const vectors = new Float32Array(...read(tools.length * dimensions));
  const wrong = wrongRow(vectors, dimensions);
  if (wrong !== undefined)
    throw corrupt(Number.isFinite(wrong.length) ? "its vectors are not of length 1" : "its vectors are no numbers");
  return { embeddings: { encoder: name, dimensions, vectors } };
}

/** Checks everything before the body and the body's checksum; returns the length of the JSON part. */
function checkHeader(bytes: Uint8Array): number {
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEADER_BYTES));
  const magic = header.toString("latin1", 0, MAGIC.length);
  if (magic !== MAGIC) throw corrupt(bytes.length === 0 ? "it is empty" : "it does not begin as one");
  if (bytes.length < HEADER_BYTES) throw corrupt(`it is cut short after ${bytes.length} bytes`);
  const version = header.readUInt32LE(8);
  if (version !== VERSION) {
    throw new SetwiseError(
      "unsupported-version",
      `This index has version ${version}, but this release reads version ${VERSION}. ${WHAT_TO_DO}`,
    );
  }
  const checksum = createHash("sha256").update(bytes.subarray(HEADER_BYTES)).digest();
  if (!checksum.equals(header.subarray(16, HEADER_BYTES)))
    throw corrupt("its checksum is wrong: it was cut short or changed");
  const jsonBytes = header.readUInt32LE(12);
  if (jsonBytes % 4 !== 0) throw corrupt("its columns do not begin at a number");
  return jsonBytes;
}

function corrupt(reason: string, cause?: unknown): SetwiseError {
  return new SetwiseError("corrupt-file", `This is no intact Setwise index: ${reason}. ${WHAT_TO_DO}`, { cause });
}

function readDescription(bytes: Uint8Array): IndexDescription {
  let description: unknown;
  try {
    description = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  } catch (cause) {
    throw corrupt("its description cannot be read", cause);
  }
  const fault = descriptionFault(description);
  if (fault !== undefined) throw corrupt(fault);
  return description as IndexDescription;
}

type ColumnReader = (length: number) => [buffer: ArrayBuffer, byteOffset: number, length: number];

/** Takes one 32-bit column after the other from `body`. */
function columnReader(body: Uint8Array, start: number): ColumnReader {
  let position = start;
  return (length) => {
    const offset = position;
    position += length * 4;
    if (position > body.byteLength) throw corrupt("its columns are cut short");
    return [body.buffer as ArrayBuffer, body.byteOffset + offset, length];
  };
}

function readPostings(read: ColumnReader, terms: number, length: number, tools: number): Postings {
  const postings = {
    offsets: new Uint32Array(...read(terms + 1)),
    ordinals: new Uint32Array(...read(length)),
    weights: new Float32Array(...read(length)),
  };
  const fault = postingsFault(postings, tools);
  if (fault !== undefined) throw corrupt(fault);
  return postings;
}

function restoredOptions({ options }: IndexDescription): ResolvedLexicalOptions {
  try {
    return resolveLexicalOptions(options);
  } catch (cause) {
    throw corrupt("its options are out of range", cause);
  }
}

function restoredCatalog({ tools, originals, revision }: IndexDescription, tokens: Uint32Array): Catalog {
  const restored: Tool[] = tools.map((definition, ordinal) => ({
    ...definition,
    original: originals[ordinal] ?? definition,
  }));
  const ordinals = new Map(restored.map((tool, ordinal) => [tool.id, ordinal]));
  return Object.freeze({
    tools: Object.freeze(restored),
    tokens,
    revision,
    ordinalOf: (id: string) => ordinals.get(id),
  });
}
