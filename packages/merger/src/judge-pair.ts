import type { ToolDefinition } from "@setwise/core";
import { compareActions } from "./actions.ts";
import { differenceInEffects } from "./effects.ts";
import { leftOvers, strangeNamespace } from "./left-overs.ts";
import { matchParameters, type ParameterMatches } from "./match-parameters.ts";
import type { Objection } from "./objection.ts";
import { isSilent, objectionByArguments } from "./objections-by-arguments.ts";
import { mainAction, objectionByAction, objectionByContent } from "./objections-by-deed.ts";
import {
  objectionByDirection,
  objectionByNamespace,
  objectionByNumbers,
  objectionByObjects,
  objectionByQualifier,
} from "./objections-by-name.ts";
import { objectionByForecast } from "./objections-by-time.ts";
import { differenceInServices } from "./services.ts";
import { type ToolProfile, toolProfile } from "./tool-profile.ts";

/** How likely two tools do the same job; the weights add up to 1, without an encoder the first three are scaled up to it. */
const WEIGHT_OF_NAME = 0.35;

const WEIGHT_OF_DESCRIPTION = 0.2;

const WEIGHT_OF_ARGUMENTS = 0.25;

const WEIGHT_OF_COSINE = 0.2;

/** For each word that only one of two names has. */
const LOSS_PER_LEFT_OVER = 0.25;

/** Actions that are alike but not the same. */
const LOSS_OF_ALIKE_ACTIONS = 0.04;

const LOSS_OF_MISSING_ARGUMENT = 0.03;

/** Descriptions that share less are of two things, whatever the names are. */
const LEAST_DESCRIPTION = 0.3;

/** Neither says what arguments it takes. */
const LOSS_OF_SILENT_ARGUMENTS = 0.1;

/** From this on two tools are taken for the same. */
const ACCEPT_FROM = 0.68;

/** What the judge made of a pair. */
export interface Verdict {
  readonly same: boolean;
  /** Why, in a sentence. */
  readonly reason: string;
  /** What would change the decision, in a sentence. */
  readonly wouldChange: string;
  /** Evidence in 0..1; 0 where something speaks against it outright. */
  readonly score: number;
}

/** What else is known of a pair. */
export interface PairEvidence {
  /** Cosine of the vectors of the two tools, where there are vectors. */
  readonly cosine?: number;
  readonly acceptFrom?: number;
}

/** Whether two tools do the same job: first all that speaks against it, then how much speaks for it. Symmetric. */
export function judgePair(a: ToolDefinition, b: ToolDefinition, evidence: PairEvidence = {}): Verdict {
  const [left, right] = ordered(toolProfile(a), toolProfile(b));
  const against = objection(left, right);
  if (against !== undefined) return { same: false, score: 0, ...against };
  const matches = matchParameters(left.parameters ?? [], right.parameters ?? []);
  const wrongArguments = objectionByArguments(left, right, matches);
  if (wrongArguments !== undefined) return { same: false, score: 0, ...wrongArguments };
  return weigh(left, right, matches, evidence);
}

function ordered(a: ToolProfile, b: ToolProfile): readonly [ToolProfile, ToolProfile] {
  return a.tool.name < b.tool.name || (a.tool.name === b.tool.name && a.tool.id <= b.tool.id) ? [a, b] : [b, a];
}

function objection(a: ToolProfile, b: ToolProfile): Objection | undefined {
  return (
    objectionByAction(a, b) ??
    differenceInEffects(a, b) ??
    objectionByContent(a, b) ??
    objectionByForecast(a, b) ??
    objectionByDirection(a, b) ??
    objectionByNumbers(a, b) ??
    objectionByQualifier(a, b) ??
    differenceInServices(a, b) ??
    objectionByNamespace(a, b) ??
    objectionByObjects(a, b)
  );
}

function weigh(a: ToolProfile, b: ToolProfile, matches: ParameterMatches, evidence: PairEvidence): Verdict {
  const { left, right } = leftOvers(a, b);
  const actions = compareActions(mainAction(a), mainAction(b));
  const name = Math.max(likenessOfNames(a.nameObjects, b.nameObjects), likenessOfNames(a.fullObjects, b.fullObjects));
  const description = overlap(a.descriptionObjects, b.descriptionObjects);
  const parameters = likenessOfArguments(a, b, matches);
  const words =
    (WEIGHT_OF_NAME * name + WEIGHT_OF_DESCRIPTION * description + WEIGHT_OF_ARGUMENTS * parameters) /
    (1 - WEIGHT_OF_COSINE);
  const { cosine, acceptFrom = ACCEPT_FROM } = evidence;
  const likeness = cosine === undefined ? words : words * (1 - WEIGHT_OF_COSINE) + cosine * WEIGHT_OF_COSINE;
  const score =
    likeness -
    LOSS_PER_LEFT_OVER * (left.length + right.length) -
    (a.namespace.length > 0 && b.namespace.length > 0 ? LOSS_PER_LEFT_OVER * strangeNamespace(a, b) : 0) -
    (isSilent(a) && isSilent(b) ? LOSS_OF_SILENT_ARGUMENTS : 0) -
    LOSS_OF_MISSING_ARGUMENT * (matches.missingLeft.length + matches.missingRight.length) -
    (actions === "same" ? 0 : LOSS_OF_ALIKE_ACTIONS);
  const isStrange =
    description < LEAST_DESCRIPTION && Math.min(a.descriptionObjects.size, b.descriptionObjects.size) > 1;
  const same = score >= acceptFrom && !isStrange;
  const shares = `names ${percent(name)}, descriptions ${percent(description)}, arguments ${percent(parameters)}${cosine === undefined ? "" : `, cosine ${cosine.toFixed(2)}`}`;
  return {
    same,
    score,
    reason: same
      ? `Both are to ${mainAction(a)} the same thing with arguments that fit (${shares}).`
      : `Nothing sets them apart, but too little says that they do the same job (${shares}).`,
    wouldChange: same
      ? "Another object, verb, qualifier or required key in one of them, or a pin."
      : "Descriptions that say more alike what they do, or a pin.",
  };
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** By the things they name; by their verbs too where one names nothing. */
function likenessOfNames(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [x, y] = [a, b].map((words) => new Set([...words].filter((word) => !word.startsWith("to "))));
  return x === undefined || y === undefined || x.size === 0 || y.size === 0 ? overlap(a, b) : overlap(x, y);
}

/** Shared words among those of the smaller and the larger set, half each. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 && b.size === 0) return 0.7;
  if (a.size === 0 || b.size === 0) return 0.4;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return (shared / Math.min(a.size, b.size) + shared / Math.max(a.size, b.size)) / 2;
}

function likenessOfArguments(a: ToolProfile, b: ToolProfile, { matches }: ParameterMatches): number {
  const [left, right] = [a.parameters ?? [], b.parameters ?? []];
  if (left.length === 0 && right.length === 0) return 0.5;
  const smaller = Math.min(left.length, right.length);
  if (smaller === 0) return 0.3;
  const certainty = matches.reduce((sum, match) => sum + match.certainty, 0);
  return (certainty / smaller + certainty / Math.max(left.length, right.length)) / 2;
}
