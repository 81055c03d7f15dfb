import { describe, expect, test } from "vitest";
import { clauseDecomposer, decompose, type Turn } from "./decompose.ts";

const goals = (...turns: readonly string[]): readonly string[] =>
  decompose(
    turns.map((text, place): Turn => ({ role: (turns.length - place) % 2 === 1 ? "user" : "assistant", text })),
  ).map((subTask) => subTask.goal);

describe("one turn", () => {
  test("sentences and coordinated requests are sub-tasks", () => {
    expect(goals("Find a flight to Rome and book a hotel near the station. Then mail Ada the plan.")).toEqual([
      "Find a flight to Rome",
      "book a hotel near the station",
      "mail Ada the plan",
    ]);
  });

  test("what only tells something is no sub-task beside a request, and one where there is nothing else", () => {
    expect(goals("My name is Ada Lovelace. Cancel the order #12.")).toEqual(["Cancel the order #12"]);
    expect(goals("My printer makes strange noises.")).toEqual(["My printer makes strange noises"]);
  });

  test("a verb that nobody listed begins a request too, what stands before it does not hide it", () => {
    expect(
      goals("Calculate the BMI of Ada. After that, encrypt the BMI. Her key is abc123. Then, defragment the disk."),
    ).toEqual(["Calculate the BMI of Ada", "encrypt the BMI", "defragment the disk"]);
    expect(goals("Find gyms in London, UK with verified status and show me the reviews")).toEqual([
      "Find gyms in London, UK with verified status",
      "show me the reviews",
    ]);
  });

  test("items of a list are sub-tasks, the line before them is none", () => {
    const expected = ["Book a table for two", "Order a taxi home"];
    expect(goals("Please do the following:\n1. Book a table for two\n2. Order a taxi home")).toEqual(expected);
    expect(goals("Please do the following: 1) Book a table for two, 2) Order a taxi home")).toEqual(expected);
    expect(goals("- Book a table for two\n- Order a taxi home")).toEqual(expected);
  });

  test("what leans on the part before carries it along", () => {
    expect(goals("Find the last order of Ada and refund it")).toEqual(["Find the last order of Ada and refund it"]);
    expect(goals("Find the last order of Ada. Refund it now please.")).toEqual([
      "Find the last order of Ada",
      "Refund it now please (Find the last order of Ada)",
    ]);
    expect(goals("Plan the weekend. Is there rain this week?")).toEqual([
      "Plan the weekend",
      "Is there rain this week",
    ]);
  });

  test.each([
    [
      "Suche den letzten Auftrag und dann schreibe Ada eine Mail.",
      ["Suche den letzten Auftrag", "schreibe Ada eine Mail"],
    ],
    ["Cherche un vol pour Rome, puis réserve un hôtel.", ["Cherche un vol pour Rome", "réserve un hôtel"]],
    ["Busca un vuelo a Roma y luego reserva un hotel.", ["Busca un vuelo a Roma", "reserva un hotel"]],
    ["查一下明天的天气，然后帮我订机票。", ["查一下明天的天气", "帮我订机票"]],
    ["मौसम बताओ। टिकट बुक करो।", ["मौसम बताओ", "टिकट बुक करो"]],
  ])("other languages are cut at their sentences and connecting words: %s", (text, expected) => {
    expect(goals(text)).toEqual(expected);
  });

  test("nothing gives nothing, and a long text a bounded number", () => {
    expect(goals("")).toEqual([]);
    expect(goals(" …?! ")).toEqual([]);
    expect(decompose([])).toEqual([]);
    expect(goals("Send a mail to Ada. ".repeat(40)).length).toBeLessThanOrEqual(12);
    expect(goals("1) a ".repeat(20_000)).length).toBeLessThanOrEqual(12);
    // Runs of signs before a word that is no connector must not be read again from each of their places.
    expect(goals(`a${", ".repeat(100_000)}b`).length).toBeLessThanOrEqual(12);
  });
});

describe("a conversation", () => {
  test("the answer to a question repeats the request that the question is about", () => {
    const answer = goals(
      "What is the weather tomorrow? And set a reminder for the kid.",
      "The reminder is set. Which city do you want the weather for?",
      "Beijing. And turn on the Wi-Fi.",
    );
    expect(answer).toEqual(["What is the weather tomorrow (Beijing)", "turn on the Wi-Fi"]);
  });

  test("a question that leaves out what was said asks it again of something else", () => {
    expect(goals("Find flights to Rome", "Here are three.", "And in Paris?")).toEqual([
      "Find flights to Rome (in Paris)",
    ]);
  });

  test("a pronoun carries the request of the turn before along", () => {
    expect(goals("Open the ticket of Ada", "It is open.", "Close it again")).toEqual([
      "Close it again (Open the ticket of Ada)",
    ]);
  });
});

test.each([
  ["Don't cancel order #W2378156, just tell me its status", ["just tell me its status"]],
  ["Please do not delete anything. List the files.", ["List the files"]],
  ["Never send mails on Sundays, but remind me on Monday", ["remind me on Monday"]],
  ["Create a file and do not overwrite it", ["Create a file"]],
  ["Do not cancel order #W2378156", []],
  ["Don't forget to send the mail to Ada", ["send the mail to Ada"]],
  ["Never mind, cancel the order", ["cancel the order"]],
  ["Don't worry, book the flight", ["book the flight"]],
  ["Do not hesitate to book a table", ["book a table"]],
  ["Don't only list the orders", ["list the orders"]],
  ["Don’t call her", []],
  ["Don't you know the weather in Paris?", ["Don't you know the weather in Paris"]],
  ["Why don't you book me a table?", ["Why don't you book me a table"]],
])("what is forbidden is no goal: %s", (text, goals) => {
  expect(decompose([{ role: "user", text }]).map(({ clause }) => clause)).toEqual(goals);
});

test("a goal is known in two parts: what is asked for and what it leans on", () => {
  expect(decompose([{ role: "user", text: "Find the last order of Ada. Refund it now please." }])[1]).toEqual({
    goal: "Refund it now please (Find the last order of Ada)",
    tools: [],
    clause: "Refund it now please",
    context: "Find the last order of Ada",
  });
});

test("the port gives the same", async () => {
  const turns = [{ role: "user", text: "Find a hotel in Rome" }] as const;
  expect(await clauseDecomposer.decompose(turns)).toEqual(decompose(turns));
});

test.each([" ", ", ", "; ", "\n", "\t", ". ", "、", "\u3000", "1) "])(
  "long runs of %j are read in linear time",
  (gap) => {
    const run = gap.repeat(Math.floor(19_000 / gap.length));
    const before = [
      { role: "user", text: "Find flights to Rome" },
      { role: "assistant", text: "To where?" },
    ] as const;
    // With a square of the length this would outlast the time that a test has.
    for (let round = 0; round < 20; round++) {
      expect(decompose([...before, { role: "user", text: `a${run}b` }]).length).toBeLessThanOrEqual(12);
      expect(decompose([{ role: "user", text: `1) a${run}b 2) c${run}d` }]).length).toBeLessThanOrEqual(12);
    }
  },
);
