import { expect, test } from "vitest";
import { createSelector } from "./create-selector.ts";

const things = ["door", "window", "car", "boat", "lamp", "book"];
const tools = ["open", "paint", "sell", "lift", "weigh", "freeze"].flatMap((verb) =>
  things.map((thing) => ({
    name: `${verb}_${thing}`,
    description: `${verb} the ${thing}`,
    inputSchema: { type: "object" },
  })),
);
const log = tools.map(({ name, description }) => ({ query: `please ${description} today`, tools: [name] }));

test("a previous model that stays keeps its sizes where the log has fewer requests, and takes those of a log that has as many", async () => {
  const selector = await createSelector({ tools });
  const previous = (await selector.train(log.slice(0, 30))).model;
  const shorter = await selector.train(log.slice(0, 24), { previous });
  expect(shorter.report.chosen).toBe("previous");
  expect(shorter.model).toEqual(previous);
  expect(shorter.model.pipeline).toMatchObject({ calibration: { used: 30 } });
  // What the log says was not taken, so that nothing changed that could be told.
  expect(shorter.calibration).toBeUndefined();

  const longer = await selector.train(log, { previous });
  expect(longer.report.chosen).toBe("previous");
  expect(longer.model.pipeline).toEqual({ calibration: longer.calibration });
  expect(longer.calibration?.used).toBe(36);

  const { pipeline: _, ...bare } = previous;
  const first = await selector.train(log.slice(0, 24), { previous: bare });
  expect(first.model.pipeline).toMatchObject({ calibration: { used: 24 } });
  await selector.close();
});
