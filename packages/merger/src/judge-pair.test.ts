import { describe, expect, it } from "vitest";
import { number, text, tool } from "../test/tool.ts";
import { judgePair } from "./judge-pair.ts";

const same = (a: Parameters<typeof judgePair>[0], b: Parameters<typeof judgePair>[0]): boolean => {
  const verdict = judgePair(a, b);
  expect(judgePair(b, a)).toEqual(verdict);
  return verdict.same;
};

describe("tools that do one job", () => {
  it("are found under other names and other names of arguments", () => {
    const a = tool("convert_currency", "Convert an amount of money from one currency to another", {
      amount: number,
      from_currency: text,
      to_currency: text,
    });
    const b = tool("currencyConversion", "Converts money from one currency to another", {
      amount: number,
      from: text,
      to: text,
    });
    expect(same(a, b)).toBe(true);
  });

  it("may differ in optional arguments", () => {
    const a = tool("wordCount", "Count the words in a text", { text });
    const b = tool("count_words", "Counts the words of a given text", { text, language: text }, { required: ["text"] });
    expect(same(a, b)).toBe(true);
  });
});

it("Words that say the same narrow nothing: the current score is the live one", () => {
  const a = tool("getLiveBadmintonScore", "Retrieve the live score of a badminton match", { match_id: text });
  const b = tool("getBadmintonScore", "Retrieve the current score of a badminton match", { match_id: text });
  expect(same(a, b)).toBe(true);
});

it("Servers named after a service that gives public data do not keep their readings apart", () => {
  const prices = (id: string, server: string): ReturnType<typeof tool> =>
    tool(id, "Get the price of a stock by its symbol", { symbol: text }, { name: "get_stock_price", server });
  expect(same(prices("a", "yahoo-finance"), prices("b", "stock-desk"))).toBe(true);
});

describe("tools that only look alike", () => {
  it("are one that goes between two places, and one that is of a single place", () => {
    const route = tool("get_traffic_info", "Retrieve current traffic information", {
      start_location: text,
      end_location: text,
    });
    const place = tool("getTrafficInfo", "Retrieve current traffic information", { location: text });
    expect(same(route, place)).toBe(false);
    expect(judgePair(route, place).reason).toContain("end_location too");
    const trade = tool("getTradeData", "Retrieve trade data", { country1: text, country2: text });
    expect(same(trade, tool("getCountryTradeData", "Retrieve trade data", { country: text }))).toBe(false);
  });

  it("are codes of a text and codes of a record, and a message is no other content", () => {
    const code = (id: string, key: string): ReturnType<typeof tool> =>
      tool(id, "Gets the image of a QR code", { [key]: text });
    expect(same(code("Maker / qr_code", "url"), code("Messenger / qr_code", "phone_id"))).toBe(false);
    const content = tool("deleteContent", "Delete content published digitally", { content_id: text });
    expect(same(content, tool("deleteMessage", "Delete a digital message", { message_id: text }))).toBe(false);
  });

  it("are those that change something on a server and those that belong to none", () => {
    const brand = (id: string, server: object): ReturnType<typeof tool> =>
      tool(id, "Delete a brand", { brand_id: text }, { name: "delete_brand", ...server });
    expect(judgePair(brand("a", { server: "okta" }), brand("b", {})).reason).toBe(
      "Both change something, one on okta, the other on no server.",
    );
  });

  it("are patterns of two languages, and two names in one namespace", () => {
    const search = (id: string, description: string): ReturnType<typeof tool> =>
      tool(id, "Search for files", { path: text, pattern: { ...text, description } }, { name: "search_files" });
    expect(same(search("a", "A name, or a part of it"), search("b", "What to look for (regex supported)"))).toBe(false);
    const events = tool("events.get_events", "Retrieve events within a timeframe", { from: text, to: text });
    const some = tool("events.get_cluster_events", "Retrieve events within a timeframe", { from: text, to: text });
    expect(judgePair(events, some).reason).toBe("One server has both, under names of other words.");
  });

  it("are the content of a file and what is known of it, wherever the verb stands", () => {
    const read = tool("file_read", "Used to read the content of a file", { file_path: text });
    expect(same(read, tool("get_file_info", "Retrieve metadata about a file", { path: text }))).toBe(false);
  });

  const cases: readonly (readonly [string, string, string, string])[] = [
    ["verbs that undo each other", "create_user", "delete_user", "One is to create, the other to delete."],
    ["archiving and deleting", "archive_project", "delete_project", "One is to archive, the other to delete."],
    ["locking and unlocking", "lock_door", "unlock_door", "One is to lock, the other to unlock."],
    ["enabling and disabling", "enable_rule", "disable_rule", "One is to disable, the other to enable."],
    ["reading and setting", "get_volume", "set_volume", "One is to read, the other to set."],
    ["encoding and decoding", "encode_text", "decode_text", "One is to decode, the other to encode."],
    ["borrowing and returning", "borrowBook", "returnBook", "One is to borrow, the other to bring back."],
    [
      "directions",
      "gallon_to_liter",
      "liter_to_gallon",
      "One goes from gallon to liter, the other from liter to gallon.",
    ],
    ["versions", "get_user_v1", "get_user_v2", "Their names carry other numbers: 1 and 2."],
    ["sandbox and live", "charge_card_sandbox", "charge_card_live", 'One says "live" where the other says "sandbox".'],
    ["units", "get_speed_metric", "get_speed_imperial", 'One says "imperial" where the other says "metric".'],
    ["periods", "get_daily_forecast", "get_hourly_forecast", 'One says "daily" where the other says "hourly".'],
    ["objects", "get_book_reviews", "get_hotel_reviews", "One is about book, the other about hotel."],
    ["one and all", "delete_message", "delete_all_messages", 'Only one of them says "all".'],
  ];
  it.each(cases)("%s are told apart", (_, a, b, reason) => {
    const verdict = judgePair(tool(a, "", { id: text }), tool(b, "", { id: text }));
    expect(verdict.same).toBe(false);
    expect(verdict.reason).toBe(reason);
    expect(verdict.wouldChange).not.toBe("");
  });

  it("by an id and by a name", () => {
    const a = tool("get_user", "Retrieve a user", { user_id: text });
    const b = tool("fetch_user", "Retrieve a user", { user_name: text });
    expect(same(a, b)).toBe(false);
  });

  it("by what they say of their side effects", () => {
    const a = tool("sync_notes", "Sync the notes", { text }, { annotations: { readOnlyHint: true } });
    const b = tool("sync_notes", "Sync the notes", { text }, { annotations: { readOnlyHint: false } });
    expect(judgePair(a, b).reason).toBe("By readOnlyHint one only reads and the other does not.");
  });

  it("by the values they take", () => {
    const a = tool("get_rates", "Get the rates", { kind: { type: "string", enum: ["gold", "silver"] } });
    const b = tool("fetch_rates", "Get the rates", { kind: { type: "string", enum: ["euro", "dollar"] } });
    expect(judgePair(a, b).reason).toBe("No value of kind is one of kind.");
  });

  it("as two accounts of one service", () => {
    const of = (server: string) =>
      tool(`${server}/search`, "Search the issues", { query: text }, { name: "search", server });
    expect(judgePair(of("github-work"), of("github-home")).same).toBe(false);
    expect(judgePair(of("github-work"), of("github-work")).same).toBe(true);
  });

  it("by a service that only one of them names", () => {
    const a = tool("search_restaurants", "Search restaurants", { query: text });
    const b = tool("yelp_search_restaurants", "Search restaurants", { query: text });
    expect(judgePair(a, b).reason).toBe("Only one of them is of yelp.");
  });

  it("as two servers that each change things of their own", () => {
    const of = (server: string) =>
      tool(`${server}/create_issue`, "Create an issue", { title: text }, { name: "create_issue", server });
    expect(judgePair(of("alpha"), of("beta")).reason).toBe("Both change something, one on alpha, the other on beta.");
  });
});

it("A verb that was not listed is known by its noun", () => {
  const a = tool("reduceDimensions", "Reduce the dimensions of a data set", { dataset: text, method: text });
  const b = tool("performDimensionReduction", "Perform dimension reduction on a data set", {
    dataset: text,
    method: text,
  });
  expect(same(a, b)).toBe(true);
});

it("Tools of one server under names of other words are told apart, however alike they are described", () => {
  const of = (name: string, server: string) =>
    tool(`${server}/${name}`, "Get the prices of a fund", { fund_code: text }, { name, server });
  const verdict = judgePair(of("get_fund_prices", "alpha"), of("get_fund_quotes", "alpha"));
  expect(verdict.reason).toBe("One server has both, under names of other words.");
  expect(judgePair(of("get_fund_prices", "alpha"), of("getFundPrices", "alpha")).same).toBe(true);
});

it("One of them asks whether, the other what", () => {
  const a = tool("is_business", "", { phone: text });
  const b = tool("business_about", "", { phone: text });
  expect(judgePair(a, b).reason).toBe("One tells whether something is so, the other what it is.");
});

it("A plain id is one of what its own tool is about", () => {
  const of = (name: string, key: string) => tool(name, "", { [key]: text });
  expect(judgePair(of("media_by_id", "id"), of("get_media", "user_id")).reason).toBe(
    "One goes by the id of a media, the other by user_id.",
  );
  expect(same(of("get_media", "id"), of("get_media", "media_id"))).toBe(true);
});

it("Words that WordNet calls antonyms exclude each other", () => {
  const of = (name: string) => tool(name, "", { city: text });
  expect(judgePair(of("get_city_supply"), of("get_city_demand")).reason).toBe(
    'One says "demand" where the other says "supply".',
  );
});

it("Arguments under other names are one by what their descriptions open with", () => {
  const described = (description: string) => ({ type: "string", description });
  const a = tool("reserve_hotel", "Reserve a hotel", {
    place_name: described("The name of the hotel or inn"),
    check_in_date: text,
  });
  const b = tool("book_hotel", "Book a hotel", { hotel_name: described("Name of the hotel"), check_in_date: text });
  const c = tool("book_hotel", "Book a hotel", { hotel_stars: described("Stars of the hotel"), check_in_date: text });
  expect(same(a, b)).toBe(true);
  expect(same(a, c)).toBe(false);
});

it("Arguments without telling names are one by their order, and how long something lasts is told in many words", () => {
  const gcd = (name: string, ...keys: readonly string[]) =>
    tool(name, "Calculates the greatest common divisor", Object.fromEntries(keys.map((key) => [key, number])));
  expect(same(gcd("get_gcd", "a", "b"), gcd("calculate_gcd", "num1", "num2"))).toBe(true);
  expect(same(gcd("get_gcd", "a", "b"), gcd("calculate_gcd", "num1", "num2", "num3"))).toBe(false);
  const loan = (name: string, key: string) =>
    tool(name, "Calculate the payments of a mortgage", { loan_amount: number, [key]: number });
  expect(same(loan("calculate_mortgage", "loan_term"), loan("compute_mortgage", "number_of_years"))).toBe(true);
});
