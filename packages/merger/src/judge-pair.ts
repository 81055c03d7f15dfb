import type { ToolDefinition } from "@setwise/core";
import { differenceInEffects } from "./effects.ts";
import { matchParameters, type ParameterMatches } from "./match-parameters.ts";
import type { Objection } from "./objection.ts";
import { objectionByArguments } from "./objections-by-arguments.ts";
import { mainAction, objectionByAction, objectionByContent, objectionByQuestion } from "./objections-by-deed.ts";
import {
  objectionByDirection,
  objectionByNamespace,
  objectionByNumbers,
  objectionByObjects,
  objectionByQualifier,
} from "./objections-by-name.ts";
import { objectionByServer } from "./objections-by-server.ts";
import { objectionByForecast } from "./objections-by-time.ts";
import { type Evidence, pairEvidence } from "./pair-evidence.ts";
import { differenceInServices } from "./services.ts";
import { type ToolProfile, toolProfile } from "./tool-profile.ts";
import { likelihood } from "./weigh-evidence.ts";

/** From this likelihood on two tools are taken for the same: a wrong merge breaks calls, a missed one costs tokens. */
const ACCEPT_FROM = 0.78;

/** What the judge made of a pair. */
export interface Verdict {
  readonly same: boolean;
  /** Why, in a sentence. */
  readonly reason: string;
  /** What would change the decision, in a sentence. */
  readonly wouldChange: string;
  /** Likelihood in 0..1; 0 where something speaks against it outright. */
  readonly score: number;
  /** What was counted; absent where something speaks against it outright. */
  readonly evidence?: Evidence;
}

/** Whether two tools do the same job: first all that speaks against it, then how much speaks for it. Symmetric. */
export function judgePair(a: ToolDefinition, b: ToolDefinition): Verdict {
  const [left, right] = ordered(toolProfile(a), toolProfile(b));
  const against = objection(left, right);
  if (against !== undefined) return { same: false, score: 0, ...against };
  const matches = matchParameters(left.parameters ?? [], right.parameters ?? []);
  const wrongArguments = objectionByArguments(left, right, matches);
  if (wrongArguments !== undefined) return { same: false, score: 0, ...wrongArguments };
  return weigh(left, right, matches);
}

function ordered(a: ToolProfile, b: ToolProfile): readonly [ToolProfile, ToolProfile] {
  return a.tool.name < b.tool.name || (a.tool.name === b.tool.name && a.tool.id <= b.tool.id) ? [a, b] : [b, a];
}

function objection(a: ToolProfile, b: ToolProfile): Objection | undefined {
  return (
    objectionByAction(a, b) ??
    differenceInEffects(a, b) ??
    objectionByContent(a, b) ??
    objectionByQuestion(a, b) ??
    objectionByForecast(a, b) ??
    objectionByDirection(a, b) ??
    objectionByNumbers(a, b) ??
    objectionByQualifier(a, b) ??
    differenceInServices(a, b) ??
    objectionByServer(a, b) ??
    objectionByNamespace(a, b) ??
    objectionByObjects(a, b)
  );
}

function weigh(a: ToolProfile, b: ToolProfile, matches: ParameterMatches): Verdict {
  const evidence = pairEvidence(a, b, matches);
  const score = likelihood(evidence);
  const same = score >= ACCEPT_FROM;
  const shares = `names ${percent(evidence.sharedNames)}, descriptions ${percent(1 - evidence.strangeInSentence)}, arguments ${percent(evidence.likeArguments)}`;
  return {
    same,
    score,
    evidence,
    reason: same
      ? `Both are to ${mainAction(a)} the same thing with arguments that fit (${shares}).`
      : `Nothing sets them apart, but too little says that they do the same job (${shares}).`,
    wouldChange: same
      ? "Another object, verb, qualifier or required key in one of them, or a pin."
      : "Names, descriptions and arguments that are more alike, or a pin.",
  };
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
