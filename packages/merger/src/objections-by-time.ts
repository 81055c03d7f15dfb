import { isReading } from "./actions.ts";
import type { Objection } from "./objection.ts";
import { mainAction } from "./objections-by-deed.ts";
import type { ToolProfile } from "./tool-profile.ts";

/** What will be against what is: a forecast of the weather and the weather. */
export function objectionByForecast(a: ToolProfile, b: ToolProfile): Objection | undefined {
  if (!isReading(mainAction(a)) || !isReading(mainAction(b))) return undefined;
  if (isForecast(a) === isForecast(b)) return objectionByPast(a, b);
  return { reason: "One tells what will be, the other what is.", wouldChange: "A forecast in both, or a pin." };
}

/** What was against what is: historical prices and the current price. */
function objectionByPast(a: ToolProfile, b: ToolProfile): Objection | undefined {
  const [x, y] = [a, b].map((profile) => PAST.some((word) => profile.written.has(word)));
  const [p, q] = [a, b].map((profile) => PRESENT.some((word) => profile.written.has(word)));
  if (!((x && q && !y && !p) || (y && p && !x && !q))) return undefined;
  return { reason: "One tells what was, the other what is.", wouldChange: "The same time in both, or a pin." };
}

const PAST = ["historical", "history", "historic", "past"];

const PRESENT = ["current", "currently", "live", "latest", "now"];

function isForecast(profile: ToolProfile): boolean {
  return FORECASTS.some((word) => profile.written.has(word));
}

const FORECASTS = ["forecast", "forecasts", "predict", "predicts", "prediction", "predictions", "predicted"];
