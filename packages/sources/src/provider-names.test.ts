import type { Tool } from "@setwise/core";
import { expect, test } from "vitest";
import { providerNames } from "./provider-names.ts";
import { providerRules } from "./provider-rules.ts";

const tool = (name: string, server?: string): Tool => ({
  id: server === undefined ? name : `${server}/${name}`,
  name,
  description: "",
  inputSchema: {},
  ...(server === undefined ? {} : { server }),
  original: null,
});
const named = (tools: readonly Tool[], provider: keyof typeof providerRules = "openai") =>
  providerNames(tools, providerRules[provider]);

test("A fitting name that is the only one stays as it is, without a prefix.", () => {
  expect(named([tool("search", "github"), tool("read_file", "fs")])).toEqual(["search", "read_file"]);
});

test("A fitting name that two servers share gets the server in front.", () => {
  expect(named([tool("search", "github"), tool("search", "gitlab")])).toEqual(["github_search", "gitlab_search"]);
});

test("Where the server does not fit, is missing, or would meet another name, a hash tells the tools apart.", () => {
  const names = named([tool("search", "my server"), tool("search"), tool("search", "a"), tool("a_search")]);
  expect(names[0]).toMatch(/^search_[a-z2-9]{8}$/);
  expect(names[1]).toMatch(/^search_[a-z2-9]{8}$/);
  expect(names[2]).toMatch(/^search_[a-z2-9]{8}$/);
  expect(names[3]).toBe("a_search");
  expect(new Set(names).size).toBe(4);
});

test("A cleaned name keeps what it can, folds accents, and is as long as allowed with its hash.", () => {
  const [dotted, accents, long, none] = named([
    tool("a.b/c"),
    tool("crème brûlée"),
    tool("x".repeat(90)),
    tool("文档"),
  ]);
  expect(dotted).toMatch(/^a_b_c_[a-z2-9]{8}$/);
  expect(accents).toMatch(/^creme_brulee_[a-z2-9]{8}$/);
  expect(long).toMatch(/^x{55}_[a-z2-9]{8}$/);
  expect(none).toMatch(/^tool_[a-z2-9]{8}$/);
});

test("Gemini's names start with a letter or an underscore.", () => {
  expect(named([tool("3d.render")], "gemini")[0]).toMatch(/^_3d_render_[a-z2-9]{8}$/);
  expect(named([tool("3d-render")], "gemini")[0]).toMatch(/^_3d-render_[a-z2-9]{8}$/);
  expect(named([tool("3d-render")])).toEqual(["3d-render"]);
});

test("A tool that already bears another's hashed name keeps it, and the other finds a new one, in any order.", () => {
  const [hashed = ""] = named([tool("a.b")]);
  const forward = named([tool("a.b"), tool(hashed)]);
  expect(forward[1]).toBe(hashed);
  expect(new Set(forward).size).toBe(2);
  expect(named([tool(hashed), tool("a.b")])).toEqual(forward.toReversed());
});
