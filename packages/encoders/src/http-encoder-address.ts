import { SetwiseError } from "@setwise/core";

/** `openai`: `POST …/v1/embeddings` with `{ input, model }`. `tei`: text-embeddings-inference, `POST …/embed` with `{ inputs }`. */
export type HttpEncoderKind = "openai" | "tei";

export interface EmbeddingAddress {
  readonly kind: HttpEncoderKind;
  readonly url: URL;
  /** The address as messages show it: without query, which may hold a key. */
  readonly shown: string;
}

const EXPECTED =
  "Give a server (http://localhost:8080), an API's base (https://api.openai.com/v1), or the whole address, ending in /embeddings or /embed";

/**
 * The address that embeddings are asked from: `url` itself when its path names an endpoint or `kind` is given with a path,
 * else `url` with the endpoint of `kind` behind it.
 *
 * @throws SetwiseError `invalid-argument`; the message never holds the address's user, password or query.
 */
export function embeddingAddress(url: string | URL, kind?: HttpEncoderKind): EmbeddingAddress {
  const parsed = parse(url);
  const path = parsed.pathname.replace(/\/+$/, "");
  const chosen = kind ?? (path.endsWith("/embed") ? "tei" : "openai");
  const endpoint = endpointPath(path, chosen);
  if (endpoint !== undefined) parsed.pathname = endpoint;
  else if (kind === undefined)
    throw invalid(
      `${EXPECTED}; or say with \`kind\` of createHttpEncoder what ${parsed.origin}${parsed.pathname} speaks: "openai" or "tei".`,
    );
  return { kind: chosen, url: parsed, shown: `${parsed.origin}${parsed.pathname}` };
}

function parse(url: string | URL): URL {
  const text = String(url);
  if (!URL.canParse(text)) throw invalid(`${EXPECTED}, but \`url\` is no address.`);
  const parsed = new URL(text);
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:")
    throw invalid(`${EXPECTED}, but \`url\` begins with ${parsed.protocol}.`);
  if (parsed.username !== "" || parsed.password !== "")
    throw invalid(
      `\`url\` holds a user or password. Leave them out and give the key by \`apiKey\` (SETWISE_ENCODER_KEY on the command line), or as \`headers\` of createHttpEncoder.`,
    );
  parsed.hash = "";
  return parsed;
}

/** The path with its endpoint, or `undefined` for a path that is neither a base nor an endpoint. */
function endpointPath(path: string, kind: HttpEncoderKind): string | undefined {
  if (kind === "tei") return path === "" ? "/embed" : path.endsWith("/embed") ? path : undefined;
  if (path === "") return "/v1/embeddings";
  if (/\/v\d+$/.test(path)) return `${path}/embeddings`;
  return path.endsWith("/embeddings") ? path : undefined;
}

function invalid(message: string): SetwiseError {
  return new SetwiseError("invalid-argument", message);
}
