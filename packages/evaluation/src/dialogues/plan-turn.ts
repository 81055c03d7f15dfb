import type { Catalog, Tool } from "@setwise/core";
import type { CompositionMode, ContextDecision, Slot } from "./dialogue.ts";
import { slotValue } from "./slot-value.ts";
import { draw, type InteractionState, stateGiven, type UserIntent, userIntentGiven } from "./states.ts";
import { canBe, sceneOf, scenesOf, slotsOf } from "./tool-scenes.ts";

/*
 * One turn of the state machine, without words. The topic is switched with
 *   P_switch(r) = max(p_min, p_0 · α^(r − 1)),  p_0 = 0.10, α = 0.85, p_min = 0.01      (MagicSelector, equation 2)
 * in turn r ≥ 1; otherwise each pending tool goes through P_todo and P_task, and new requests may join.
 */
const FIRST_SWITCH = 0.1;
const SWITCH_DECAY = 0.85;
const LEAST_SWITCH = 0.01;

/** The paper does not say how often a request joins, nor how often each mode is drawn. */
const NEW_REQUEST_SHARE = 0.35;
const MODE_SHARES: Readonly<Record<CompositionMode, number>> = {
  "single-tool": 0.5,
  "multi-tool": 0.3,
  "multi-intent": 0.2,
};
/** How often tools are drawn from what is talked about already, rather than from the whole catalog. */
const SCENE_GUIDED_SHARE = 0.7;
/** A person asks for no more at once. */
const MOST_TASKS = 4;

/** A tool that the dialogue is about. */
export interface Pending {
  readonly tool: Tool;
  readonly intent: UserIntent;
  readonly state: InteractionState;
  readonly slot?: Slot;
}

export interface PlannedTurn {
  readonly round: number;
  readonly context: ContextDecision;
  readonly tasks: readonly Pending[];
}

/** P_switch(r) for r ≥ 1; 0 for the first turn, which has nothing to switch from. */
export function switchProbability(round: number): number {
  return round < 1 ? 0 : Math.max(LEAST_SWITCH, FIRST_SWITCH * SWITCH_DECAY ** (round - 1));
}

/** The next turn after `before`, the tasks of the turn before; without tasks if the catalog has no tool left to speak of. */
export function planTurn(
  round: number,
  before: readonly Pending[],
  { catalog, random }: { readonly catalog: Catalog; readonly random: () => number },
): PlannedTurn {
  const context = round === 0 ? "start" : random() < switchProbability(round) ? "switch" : "inherit";
  const taken = new Set(before.flatMap(({ slot }) => slot?.value ?? []));
  const going = context === "inherit" ? before.flatMap((pending) => evolve(pending, { random, taken })) : [];
  const joins = going.length === 0 || random() < NEW_REQUEST_SHARE;
  // What a switch leaves is left for good; a tool that just left the context may be asked for anew.
  const busy = new Set((context === "switch" ? before : going).map(({ tool }) => tool));
  const added = joins ? newTools(busy, { catalog, random, room: MOST_TASKS - going.length, near: going }) : [];
  return { round, context, tasks: [...going, ...added.flatMap((tool) => begin(tool, "request", { random, taken }))] };
}

/** Where chance comes from, and the values that the turn before and this one speak of. */
interface Drawing {
  readonly random: () => number;
  readonly taken: Set<string>;
}

function evolve(pending: Pending, drawing: Drawing): readonly Pending[] {
  const intent = draw(userIntentGiven[pending.state], drawing.random);
  if (intent === undefined || intent === "drop") return [];
  return begin(pending.tool, intent, drawing, pending.slot);
}

/** What comes of what the user does about a tool. */
function begin(tool: Tool, intent: UserIntent, drawing: Drawing, before?: Slot): readonly Pending[] {
  const state = draw(stateGiven[intent], drawing.random, (outcome) => canBe(tool, outcome));
  if (state === undefined) return [];
  const changes = intent === "again" || intent === "modify";
  const slot = before !== undefined && !changes ? before : newSlot(tool, drawing, before);
  return [{ tool, intent, state, ...(slot === undefined ? {} : { slot: { ...slot, said: state !== "ask-detail" } }) }];
}

function newSlot(tool: Tool, { random, taken }: Drawing, before: Slot | undefined): Omit<Slot, "said"> | undefined {
  const names = slotsOf(tool);
  const name = before?.name ?? names[Math.floor(random() * names.length)];
  if (name === undefined) return undefined;
  const value = slotValue(name, random, taken);
  taken.add(value);
  return { name, value };
}

function newTools(
  busy: ReadonlySet<Tool>,
  {
    catalog,
    random,
    room,
    near,
  }: {
    readonly catalog: Catalog;
    readonly random: () => number;
    readonly room: number;
    readonly near: readonly Pending[];
  },
): readonly Tool[] {
  if (room < 1) return [];
  const mode = draw(MODE_SHARES, random) ?? "single-tool";
  const count = mode === "single-tool" ? 1 : Math.min(room, 2 + Math.floor(random() * 2));
  const free = [...scenesOf(catalog)]
    .map(([scene, tools]) => ({ scene, tools: tools.filter((tool) => !busy.has(tool)) }))
    .filter(({ tools }) => tools.length > 0);
  if (mode === "multi-intent")
    return shuffled(free, random)
      .slice(0, count)
      .flatMap(({ tools }) => pick(tools, 1, random));
  const nearScenes = new Set(near.map(({ tool }) => sceneOf(tool)));
  const known = free.filter(({ scene }) => nearScenes.has(scene));
  const pool = known.length > 0 && random() < SCENE_GUIDED_SHARE ? known : free;
  const large = pool.filter(({ tools }) => tools.length >= count);
  // A scene counts by its tools, so that each tool is as likely as any other.
  const first = pick(
    (large.length > 0 ? large : pool).flatMap(({ tools }) => tools),
    1,
    random,
  )[0];
  const scene = pool.find(({ tools }) => first !== undefined && tools.includes(first));
  return scene === undefined || first === undefined
    ? []
    : [
        first,
        ...pick(
          scene.tools.filter((tool) => tool !== first),
          count - 1,
          random,
        ),
      ];
}

function pick<Item>(items: readonly Item[], count: number, random: () => number): readonly Item[] {
  return shuffled(items, random).slice(0, count);
}

/** In an order drawn evenly from all (Fisher and Yates). */
export function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last--) {
    const at = Math.floor(random() * (last + 1));
    const held = order[last] as Item;
    order[last] = order[at] as Item;
    order[at] = held;
  }
  return order;
}
