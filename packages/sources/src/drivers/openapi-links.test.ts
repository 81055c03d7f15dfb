import { describe, expect, it } from "vitest";
import { joinToolLists } from "../join-tool-lists.ts";
import { readTools } from "../read-tools.ts";
import type { ToolList } from "../tool-list.ts";

const parameter = (name: string, place = "path"): object => ({ name, in: place, schema: { type: "string" } });
const read = { operationId: "getUser", parameters: [parameter("id")] };

/** A document in which `addUser` answers with the links given, beside `getUser` and `listPosts`. */
function linking(links: unknown, { code = "201", components = {} as object, more = {} as object } = {}): ToolList {
  return readTools({
    openapi: "3.0.3",
    info: { title: "Users" },
    paths: {
      "/users": { post: { operationId: "addUser", responses: { [code]: { links } } } },
      "/users/{id}": { get: read },
      "/users/{id}/posts": {
        get: { operationId: "listPosts", parameters: [parameter("id", "query"), parameter("id"), parameter("/page")] },
      },
      ...more,
    },
    components,
  });
}

const toId = { operationId: "getUser", parameters: { id: "$response.body#/id" } };
const told = ({ problems }: ToolList): readonly (readonly [string, string])[] =>
  problems.map(({ code, message }) => [code, message]);

describe("Links of an answer lead to arguments of other operations", () => {
  it("by operationId, and by operationRef as written, with percent signs, and behind references", () => {
    const list = linking(
      {
        a: toId,
        b: { operationRef: "#/paths/~1users~1{id}/get", parameters: { id: "$response.body#/user/key" } },
        c: { operationRef: "#/paths/~1users~1%7Bid%7D/get", parameters: { id: "$response.body" } },
        d: { $ref: "#/components/links/Found" },
      },
      { components: { links: { Found: { operationId: "getUser", parameters: { id: "{$response.body#/ids/0}" } } } } },
    );
    expect(list.problems).toEqual([]);
    expect(list.links).toEqual(
      ["/id", "/user/key", "", "/ids/0"].map((output) => ({
        from: { tool: "addUser", output },
        to: { tool: "getUser", input: "id" },
      })),
    );
  });

  it("under the name that the argument has in the tool, with the place in front where two parameters share one", () => {
    const parameters = { id: "$response.body#/a", "path.id": "$response.body#/b", "/page": "$response.body#/c" };
    const { tools, links } = linking({ posts: { operationId: "listPosts", parameters } });
    expect(Object.keys((tools[2]?.inputSchema["properties"] as object) ?? {})).toEqual(["id", "path_id", "/page"]);
    expect(links.map(({ to }) => to.input)).toEqual(["id", "path_id", "/~1page"]);
  });

  it("under the ids that the tools have in the end, alone and in a joined list", () => {
    const twice = readTools([
      { name: "getUser", inputSchema: {} },
      { openapi: "3.1.0", info: { title: "Shop" }, paths: { "/a": { post: own }, "/b": { get: read } } },
    ]);
    const ends = [{ from: { tool: "make", output: "/id" }, to: { tool: "Shop/getUser", input: "id" } }];
    expect(twice.links).toEqual(ends);
    const others = readTools([{ name: "make", inputSchema: {} }], { server: "other" });
    expect(joinToolLists([others, twice]).links).toEqual([
      { from: { tool: "Shop/make", output: "/id" }, to: { tool: "Shop/getUser", input: "id" } },
    ]);
  });
});

const own = { operationId: "make", responses: { 200: { links: { next: toId } } } };

describe("A broken link is left out and told, and the others stay", () => {
  it.each([
    [
      "of a broken expression",
      { operationId: "getUser", parameters: { id: "$response.bdy#/id" } },
      'expected an expression such as "$response.body#/id", found "$response.bdy#/id", which was left out.',
    ],
    [
      "of an expression whose pointer has no slash",
      { operationId: "getUser", parameters: { id: "$response.body#id" } },
      'expected an expression such as "$response.body#/id", found "$response.body#id", which was left out.',
    ],
    [
      "to a parameter that is not there",
      { operationId: "getUser", parameters: { user: "$response.body#/id" } },
      '"GET /users/{id}" has no parameter "user".',
    ],
    ["to no operation", { parameters: { id: "$response.body#/id" } }, "it names no operation, and was left out."],
    ["that is no object", 7, "it was left out: expected an object, found a number (7)."],
  ])("%s", (_, link, message) => {
    const list = linking({ wrong: link, right: toId });
    expect(told(list)).toEqual([["left-out", `The link "wrong" of "POST /users": ${message}`]]);
    expect(list.links).toHaveLength(1);
  });

  it.each([
    ["operationId", { operationId: "getPet" }, 'its operationId "getPet" is not in the document, and it was left out.'],
    ["operationId of two", { operationId: "dup" }, 'its operationId "dup" is used 2 times, and it was left out.'],
    [
      "operationRef",
      { operationRef: "https://example.org/api.json#/paths/~1users/get" },
      'the operation "https://example.org/api.json#/paths/~1users/get" is not in the document, and it was left out.',
    ],
    ["reference", { $ref: "#/components/links/None" }, "its reference is not in the document, and it was left out."],
  ])("of an unknown %s", (_, link, message) => {
    const dup = { operationId: "dup" };
    const list = linking({ wrong: link, right: toId }, { more: { "/c": { get: dup }, "/d": { get: dup } } });
    expect(told(list)).toContainEqual(["unresolved-ref", `The link "wrong" of "POST /users": ${message}`]);
    expect(list.links).toHaveLength(1);
  });
});

describe("What is no value of a successful result", () => {
  it("is passed over without a word: constants, texts around a value, the request, headers, the status", () => {
    const values = [5, null, { a: 1 }, "me", "u-{$response.body#/id}", "$request.path.id", "$response.header.Location"];
    const list = linking(
      Object.fromEntries(
        [...values, "$url", "$statusCode"].map((id, place) => [place, { operationId: "getUser", parameters: { id } }]),
      ),
    );
    expect(list.links).toEqual([]);
    expect(list.problems).toEqual([]);
  });

  it("is passed over in the answer to a failure", () => {
    expect(linking({ next: toId }, { code: "404" }).links).toEqual([]);
    expect(linking({ next: toId }, { code: "2XX" }).links).toHaveLength(1);
  });
});

describe("Hostile links", () => {
  it("are read up to a bound in all, also where all operations share one answer, and that is told once", () => {
    const many = Object.fromEntries(Array.from({ length: 1_500 }, (_, place) => [`l${place}`, toId]));
    const responses = { 200: { $ref: "#/components/responses/Many" } };
    const more = Object.fromEntries(Array.from({ length: 50 }, (_, place) => [`/m${place}`, { get: { responses } }]));
    const list = linking({}, { components: { responses: { Many: { links: many } } }, more });
    // 1,500 of the first operation and 500 of the second.
    expect(list.links).toHaveLength(2_000);
    expect(told(list)).toEqual([["left-out", "The document has more than 2000 links; the others were left out."]]);
  });

  it("with too many parameters, or none, are bounded too", () => {
    const parameters = Object.fromEntries(Array.from({ length: 5_000 }, (_, place) => [`p${place}`, "$bad"]));
    expect(linking({ wide: { operationId: "getUser", parameters } }).problems).toHaveLength(2_001);
    const empty = Object.fromEntries(Array.from({ length: 5_000 }, (_, place) => [`l${place}`, {}]));
    expect(linking(empty).problems).toHaveLength(2_001);
  });

  it("in rings, of endless length, with getters that throw or names of the prototype leave the tools as they are", () => {
    const ring = { links: { A: { $ref: "#/components/links/B" }, B: { $ref: "#/components/links/A" } } };
    const throwing = {
      get next(): unknown {
        throw new Error("no");
      },
    };
    const long = { operationId: "getUser", parameters: { id: `$response.body#/${"a/".repeat(1_000)}` } };
    const proto = { operationId: "__proto__", parameters: JSON.parse('{"__proto__": "$response.body#/id"}') as object };
    for (const list of [
      linking({ a: { $ref: "#/components/links/A" } }, { components: ring }),
      linking(throwing),
      linking({ long }),
      linking({ proto }),
      linking({ own: { operationId: "getUser", parameters: proto.parameters } }),
    ]) {
      expect(list.tools).toHaveLength(3);
      expect(list.links).toEqual([]);
      expect(list.problems).toHaveLength(1);
    }
    for (const links of [null, 7, "a", [toId], { a: [] }]) expect(linking(links).tools).toHaveLength(3);
  });
});
