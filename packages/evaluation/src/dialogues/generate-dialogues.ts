import { type Catalog, refuseAborted, SetwiseError } from "@setwise/core";
import { seededRandom } from "@setwise/core";
import type { Dialogue, DialogueTurn } from "./dialogue.ts";
import { type DialogueWriter, type History, templateWriter } from "./dialogue-writer.ts";
import { taskText } from "./phrases.ts";
import { type Pending, type PlannedTurn, planTurn, shuffled } from "./plan-turn.ts";
import { modeOf, scenariosOf } from "./scenarios.ts";
import { needsTool } from "./states.ts";
import { sceneOf } from "./tool-scenes.ts";

export interface GenerateDialoguesOptions {
  readonly count: number;
  /** The same seed, catalog and writer give the same dialogues, and more of them begin with those of fewer. */
  readonly seed?: number;
  /** Most turns of a dialogue; its length is drawn evenly from 2 to this. 6 by default. */
  readonly mostTurns?: number;
  /** Share of dialogues of one turn; 0.3 by default. */
  readonly singleTurnShare?: number;
  /** Candidates of a turn, gold tools included; 10 by default. */
  readonly candidates?: number;
  /** Who writes; templates by default. */
  readonly writer?: DialogueWriter;
  readonly signal?: AbortSignal;
}

const SEED = 1;
const MOST_TURNS = 6;
const SINGLE_TURN_SHARE = 0.3;
const CANDIDATES = 10;
/** Sequences of neighbouring seeds must not overlap: a prime far apart. */
const SEED_STEP = 1_000_003;

/**
 * Dialogues over any catalog in the manner of MTDTool (MagicSelector, section 3.1): a state machine plans each turn, a writer puts it
 * into words, and each turn is annotated on three levels, what was said → atomic tasks → tools.
 *
 * @throws SetwiseError `empty-catalog`, `invalid-argument` for counts that are none, `aborted` when the signal fires.
 */
export async function* generateDialogues(
  catalog: Catalog,
  options: GenerateDialoguesOptions,
): AsyncGenerator<Dialogue> {
  const { count, seed = SEED, mostTurns = MOST_TURNS, singleTurnShare = SINGLE_TURN_SHARE } = options;
  if (catalog.tools.length === 0)
    throw new SetwiseError("empty-catalog", "Dialogues need tools to speak of, but the catalog has none.");
  for (const [name, value, least] of [
    ["count", count, 0],
    ["mostTurns", mostTurns, 1],
    ["candidates", options.candidates ?? CANDIDATES, 1],
  ] as const)
    if (!Number.isInteger(value) || value < least)
      throw new SetwiseError(
        "invalid-argument",
        `${name} must be a whole number of at least ${least}, not ${String(value)}.`,
      );
  for (let at = 0; at < count; at++) {
    refuseAborted(options.signal);
    const dialogueSeed = (seed * SEED_STEP + at) >>> 0;
    const random = seededRandom(dialogueSeed);
    const single = random() < singleTurnShare || mostTurns === 1;
    const length = single ? 1 : 2 + Math.floor(random() * (mostTurns - 1));
    const turns = await turnsOf(catalog, length, { ...options, random });
    yield { id: `${seed}-${at + 1}`, seed: dialogueSeed, catalog: catalog.revision, turns };
  }
}

async function turnsOf(
  catalog: Catalog,
  length: number,
  {
    random,
    writer = templateWriter,
    candidates = CANDIDATES,
  }: Omit<GenerateDialoguesOptions, "seed"> & { readonly random: () => number },
): Promise<readonly DialogueTurn[]> {
  const turns: DialogueTurn[] = [];
  const history: { role: "user" | "assistant"; content: string }[] = [];
  let pending: readonly Pending[] = [];
  for (let round = 0; round < length; round++) {
    const planned = planTurn(round, pending, { catalog, random });
    if (planned.tasks.length === 0) break;
    const words = await writer.write(planned, history as History, random);
    turns.push(annotated(planned, words, { catalog, random, candidates }));
    history.push({ role: "user", content: words.user }, { role: "assistant", content: words.assistant });
    pending = planned.tasks;
  }
  return turns;
}

function annotated(
  { round, context, tasks: planned }: PlannedTurn,
  words: { readonly user: string; readonly assistant: string; readonly writer: string },
  {
    catalog,
    random,
    candidates,
  }: { readonly catalog: Catalog; readonly random: () => number; readonly candidates: number },
): DialogueTurn {
  const tasks = planned.map((task) => ({
    text: taskText(task),
    tool: task.tool.id,
    intent: task.intent,
    state: task.state,
    ...(task.slot === undefined ? {} : { slot: task.slot }),
  }));
  const tools = tasks.filter(({ intent }) => needsTool(intent)).map(({ tool }) => tool);
  const scenes = new Set(planned.map(({ tool }) => sceneOf(tool)));
  const like = catalog.tools.filter((tool) => scenes.has(sceneOf(tool)) && !tools.includes(tool.id));
  const mode = modeOf(tasks, catalog);
  return {
    round,
    context,
    ...(mode === undefined ? {} : { mode }),
    ...words,
    tasks,
    tools,
    candidates: [...tools, ...shuffled(like, random).map(({ id }) => id)].slice(0, Math.max(candidates, tools.length)),
    scenarios: scenariosOf(context, tasks, catalog),
  };
}
