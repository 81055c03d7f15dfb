import { expect, test } from "vitest";
import { embeddingAddress } from "./http-encoder-address.ts";

test.each([
  ["http://localhost:8080", undefined, "openai", "http://localhost:8080/v1/embeddings"],
  ["http://localhost:8080/", "tei", "tei", "http://localhost:8080/embed"],
  ["https://api.openai.com/v1", undefined, "openai", "https://api.openai.com/v1/embeddings"],
  ["https://api.openai.com/v1/", undefined, "openai", "https://api.openai.com/v1/embeddings"],
  ["https://host/openai/deployments/x/embeddings", undefined, "openai", "https://host/openai/deployments/x/embeddings"],
  ["https://host/models/a/embed", undefined, "tei", "https://host/models/a/embed"],
  ["https://host/own/way", "openai", "openai", "https://host/own/way"],
  ["https://host/own/way", "tei", "tei", "https://host/own/way"],
] as const)("%s with kind %s speaks %s at %s", (url, kind, spoken, address) => {
  expect(embeddingAddress(url, kind)).toMatchObject({ kind: spoken, url: new URL(address), shown: address });
});

test("the query is sent and not shown", () => {
  const { url, shown } = embeddingAddress("https://host/v1?api-version=1&key=k#part");
  expect(url.href).toBe("https://host/v1/embeddings?api-version=1&key=k");
  expect(shown).toBe("https://host/v1/embeddings");
});
