import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: { readonly [field: string]: unknown; readonly input?: string[]; readonly inputs?: string[] };
  readonly texts: readonly string[];
}

export type Answerer = (request: ReceivedRequest, response: ServerResponse) => void | Promise<void>;

export interface EmbeddingServer {
  readonly url: string;
  readonly requests: ReceivedRequest[];
  /** What the next requests get; the last one stays. Without any, proper answers. */
  answers: Answerer[];
  close(): void;
}

/** An embedding server on a free port of this machine. */
export function startEmbeddingServer(): Promise<EmbeddingServer> {
  const server = createServer((request, response) => void handle(request, response));
  const requests: ReceivedRequest[] = [];
  const started: EmbeddingServer = {
    url: "",
    requests,
    answers: [],
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as ReceivedRequest["body"];
    const received = {
      path: request.url ?? "",
      headers: request.headers,
      body,
      texts: body.input ?? body.inputs ?? [],
    };
    requests.push(received);
    const answer = started.answers.length > 1 ? started.answers.shift() : started.answers[0];
    await (answer ?? properAnswer)(received, response);
  }
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      resolve(Object.assign(started, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
    });
  });
}

export const DIMENSIONS = 48;

/** Not of unit length; texts that share words are alike. */
export function rawVector(text: string): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0.01);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? ["?"]) {
    const [slot = 0] = createHash("sha256").update(word).digest();
    vector[slot % DIMENSIONS] = (vector[slot % DIMENSIONS] ?? 0) + 3;
  }
  return vector;
}

/** What an encoder must make of {@link rawVector}. */
export function unitVector(text: string): Float32Array {
  const vector = rawVector(text);
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => value / length);
}

export const properAnswer: Answerer = ({ path, texts }, response) => {
  if (path.endsWith("/embed")) sendJson(response, texts.map(rawVector));
  else sendJson(response, openAiAnswer(texts));
};

export function openAiAnswer(texts: readonly string[]): {
  object: string;
  data: { index: number; embedding: unknown }[];
} {
  return { object: "list", data: texts.map((text, index) => ({ index, embedding: rawVector(text) })) };
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
