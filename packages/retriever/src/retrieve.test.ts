import { createCatalog, type Tool } from "@setwise/core";
import { describe, expect, test } from "vitest";
import { tool } from "../test/tool.ts";
import { buildIndex } from "./build-index.ts";
import { retrieve, type RetrieveOptions } from "./retrieve.ts";

/** Ids of the candidates, best first. */
const found = (tools: readonly Tool[], query: string, options?: RetrieveOptions): string[] =>
  [...retrieve(buildIndex(createCatalog(tools)), query, options).ids].map((ordinal) => tools[ordinal]?.id ?? "");

describe("what is searched", () => {
  test("name, description, arguments and their descriptions, returned data, title and server", () => {
    const tools = [
      tool("refund_order"),
      tool("b", "Pay somebody back."),
      tool("c", "", { properties: { parcelNumber: {} } }),
      tool("d", "", { properties: { x: { description: "Distance in miles" } } }),
      tool("e", "", { outputSchema: { type: "object", properties: { humidity: {} } } }),
      tool("f", "", { annotations: { title: "Forecast" } }),
      tool("g", "", { server: "github" }),
    ];
    const queries = ["refund", "pay back", "the parcel", "mile", "humidity", "forecasts", "from github"];
    const ids = ["refund_order", "b", "c", "d", "e", "f", "github/g"];
    expect(queries.map((query) => found(tools, query))).toEqual(ids.map((id) => [id]));
  });

  test("nested arguments and those behind branches and references", () => {
    const nested = { order: { type: "object", properties: { loyaltyTier: { type: "string" } } } };
    const inputSchema = {
      type: "object",
      anyOf: [{ properties: { remoteUrl: {} } }, { $ref: "#/$defs/local" }],
      $defs: { local: { properties: { diskette: {} } } },
    };
    const tools = [tool("a", "", { properties: nested }), tool("b", "", { inputSchema })];
    expect(found(tools, "loyalty")).toEqual(["a"]);
    expect(found(tools, "remote")).toEqual(["b"]);
    expect(found(tools, "diskettes")).toEqual(["b"]);
  });

  test("a synonym, two words written as one, and the beginning of an unknown word", () => {
    const tools = [tool("remove_item"), tool("timezone_of_place"), tool("take_photo"), tool("mathematics")];
    expect(found(tools, "erase it")).toEqual(["remove_item"]);
    expect(found(tools, "which time zone")).toEqual(["timezone_of_place"]);
    expect(found(tools, "photography")).toEqual(["take_photo"]);
    expect(found(tools, "math")).toEqual(["mathematics"]);
  });
});

describe("faults that users of other tool searches reported are absent", () => {
  test("a query that is not in Latin letters finds its tool", () => {
    const tools = [
      tool("get_time", "Current time"),
      tool("weather", "查询城市的天气预报"),
      tool("translate", "Перевод текста"),
      tool("search", "서울 날씨 검색"),
      tool("mail", "メールを送信する"),
    ];
    expect(found(tools, "今天的天气")[0]).toBe("weather");
    expect(found(tools, "Перевод слова")[0]).toBe("translate");
    expect(found(tools, "날씨 알려줘")[0]).toBe("search");
    expect(found(tools, "メールを書く")[0]).toBe("mail");
  });

  test("one unknown word does not empty the result", () => {
    const tools = [tool("create_invoice", "Create an invoice."), tool("get_weather", "Weather of a city.")];
    expect(found(tools, "xylophonic invoice")).toEqual(["create_invoice"]);
  });

  test("a prefix that all names share does not flood the list, and words match only whole", () => {
    const things = ["issue", "label", "milestone", "branch", "release", "comment"];
    const tools = things.map((thing) => tool(`acme_hub_${thing}`, `Works on a ${thing}.`));
    expect(found(tools, "acme hub release")[0]).toBe("acme_hub_release");
    const index = buildIndex(createCatalog(tools));
    const { scores } = retrieve(index, "acme hub release");
    // The others have only the shared prefix, which says next to nothing.
    expect(scores[1]! / scores[0]!).toBeLessThan(0.1);
    expect(found(tools, "me")).toEqual([]);
    expect(found([tool("comment")], "men")).toEqual([]);
  });

  test("a common verb does not outweigh the noun", () => {
    const things = ["user", "group", "policy", "key", "role"];
    const tools = [
      ...things.map((thing) => tool(`list_${thing}s`, `List and get ${thing}s. List all.`)),
      tool("rotate_certificate", "Rotates the certificate of a domain."),
    ];
    expect(found(tools, "list and get the certificate")[0]).toBe("rotate_certificate");
  });

  test("names are split at underscores, hyphens, dots and capitals", () => {
    for (const name of ["create_pull_request", "create-pull-request", "create.pull.request", "createPullRequest"]) {
      expect(found([tool("other"), tool(name)], "pull request")).toEqual([name]);
    }
  });

  test("an exact name ranks before its longer siblings, wherever it stands in the catalog", () => {
    const tools = [tool("create_issue_label"), tool("create_issue_comment"), tool("create_issue")];
    for (const query of ["create issue", "create_issue", "please use createIssue"]) {
      expect(found(tools, query)[0]).toBe("create_issue");
    }
  });

  test("tools named in the query always survive the cut", () => {
    const crowd = Array.from({ length: 80 }, (_, i) => tool(`report_${i}`, "Sales report of the quarter, as a table."));
    const tools = [...crowd, tool("think", "Makes a plan about sales report quarter table. ".repeat(60))];
    const query = "think about the sales report of the quarter as a table";
    expect(found(tools, query, { k: 10 })).toContain("think");
    expect(found(tools, query, { k: 1 })).toEqual(["think"]);
    const named = found(tools, "report_7, report_41 and report_79", { k: 3 });
    expect(named.sort()).toEqual(["report_41", "report_7", "report_79"]);
  });

  test("a server is found by its name, and what all servers' names share floods nothing", () => {
    const servers = ["github-mcp", "gitlab-mcp", "jira-mcp"];
    const tools = servers.flatMap((server) => ["list_issues", "get_user"].map((name) => tool(name, "", { server })));
    expect(found(tools, "list issues on gitlab")[0]).toBe("gitlab-mcp/list_issues");
    expect(found(tools, "list issues by mcp in jira")[0]).toBe("jira-mcp/list_issues");
    const { scores } = retrieve(buildIndex(createCatalog(tools)), "mcp issues");
    expect(scores[3]! / scores[2]!).toBeLessThan(0.2);
  });

  test("one generic word does not decide the rank, and equal scores come in a fixed order", () => {
    const tools = [
      tool("data", "Data data data."),
      ...["a", "b", "c"].map((name) => tool(`other_${name}`, "Some data.")),
      tool("exchange_rates", "Rates between currencies, historical data."),
    ];
    expect(found(tools, "historical currency exchange rate data")[0]).toBe("exchange_rates");
    const twins = ["z", "y", "x"].map((server) => tool("ping", "Pings.", { server }));
    expect(found(twins, "ping")).toEqual(["z/ping", "y/ping", "x/ping"]);
  });
});

describe("the query", () => {
  const tools = [
    tool("book_flight", "Book a flight to a city."),
    tool("send_mail", "Send a mail to a person."),
    tool("find_hotel", "Find a hotel in a city."),
  ];
  const index = buildIndex(createCatalog(tools));

  test("each clause brings its own tool to the front", () => {
    const query = "Book the cheapest flight to the city, then send a mail to Ada";
    expect(new Set(found(tools, query).slice(0, 2))).toEqual(new Set(["book_flight", "send_mail"]));
    expect(retrieve(index, query)).toMatchObject({ requests: 2, clauses: { length: 2 } });
  });

  test("the caller's clauses are used instead, with words that the query has not", () => {
    const retrieval = retrieve(index, "do as I said", { clauses: ["find a hotel", "Her name is Ada"] });
    expect(retrieval).toMatchObject({ requests: 1, clauses: ["find a hotel", "Her name is Ada"] });
    expect([...retrieval.ids]).toEqual([2]);
  });

  test("words in quotations and filler words count less than the others", () => {
    expect(found(tools, "mail 'book a flight to a hotel'")[0]).toBe("send_mail");
    const helpful = [tool("help_desk"), tool("vpn_setup")];
    expect(found(helpful, "help with the vpn")[0]).toBe("vpn_setup");
  });

  test("only allowed tools are candidates, and what others score does not matter to them", () => {
    const alone = retrieve(index, "book a flight and find a hotel", { allow: Uint32Array.of(2) });
    expect([...alone.ids]).toEqual([2]);
    // Best of the allowed for the whole query, so at least 1 − clauseShare.
    expect(alone.scores[0]).toBeGreaterThanOrEqual(0.6);
    expect(retrieve(index, "hotel", { allow: new Uint32Array(0) }).ids).toHaveLength(0);
  });

  test("at most k candidates come back, best first, never one with a score of 0", () => {
    const { ids, scores } = retrieve(index, "flight hotel mail city", { k: 2 });
    expect(ids).toHaveLength(2);
    expect(scores[0]).toBeGreaterThanOrEqual(scores[1] ?? 0);
    expect(retrieve(index, "flight", { k: 50 }).ids).toHaveLength(1);
    expect(retrieve(index, "flight", { k: 0 }).ids).toHaveLength(0);
  });

  test.each(["", " ", "the of and", "?!", "qwrtzxcv", "12345"])("finding nothing is an answer: %j", (query) => {
    const { ids, scores, clauses, requests } = retrieve(index, query);
    expect([ids.length, scores.length, clauses.length, requests]).toEqual([0, 0, 1, 1]);
  });

  test("an index of no tools finds nothing", () => {
    expect(retrieve(buildIndex(createCatalog([])), "flight").ids).toHaveLength(0);
  });

  test("a query leaves nothing behind for the next one", () => {
    const before = retrieve(index, "find a hotel in the city");
    retrieve(index, "book a flight, send a mail", { allow: Uint32Array.of(0) });
    expect(retrieve(index, "find a hotel in the city")).toEqual(before);
  });

  test("of a very long query only the beginning is read", () => {
    const query = `hotel ${"and so on ".repeat(3_000)} flight`;
    expect([...retrieve(index, query).ids]).toEqual([2]);
  });

  test("a k or an ordinal that cannot be is refused", () => {
    for (const k of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => retrieve(index, "a", { k })).toThrow(expect.objectContaining({ code: "invalid-argument" }));
    }
    expect(() => retrieve(index, "a", { allow: Uint32Array.of(0, 3) })).toThrow("0 to 2");
  });
});

describe("evidence", () => {
  const tools = [tool("cancel_order", "Cancel an order"), tool("get_weather", "Weather of a city")];
  const evidence = (query: string): unknown => retrieve(buildIndex(createCatalog(tools)), query).evidence;

  test("counts the query's own words by their weight", () => {
    // "cancel" and "order" are in one of two tools, idf ln 2 each; "giraff" in none, idf ln(1 + 2½ / ½) = ln 6.
    const share = (2 * Math.LN2) / (2 * Math.LN2 + Math.log(6));
    expect(evidence("cancel the order of a giraffe")).toMatchObject({
      queryCoverage: expect.closeTo(share, 5),
      nameCoverage: expect.closeTo(1, 5),
      matchedWords: 2,
      queryWords: 3,
      namesTool: false,
    });
  });

  test("does not count synonyms, likeness or numbers that no tool has", () => {
    expect(evidence("revoke 4711 weath")).toEqual({
      queryCoverage: 0,
      nameCoverage: 0,
      matchedWords: 0,
      queryWords: 2,
      namesTool: false,
    });
  });

  test("says whether a whole name stands in the query", () => {
    expect(evidence("call cancelOrder")).toMatchObject({ namesTool: true, nameCoverage: expect.closeTo(1, 5) });
    expect(evidence("order a cancel")).toMatchObject({ namesTool: false });
  });

  test("of nothing is nothing", () => {
    const nothing = { queryCoverage: 0, nameCoverage: 0, matchedWords: 0, queryWords: 0, namesTool: false };
    expect(evidence("")).toEqual(nothing);
  });
});
