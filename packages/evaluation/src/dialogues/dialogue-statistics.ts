import type { CompositionMode, Dialogue, Scenario } from "./dialogue.ts";
import { switchProbability } from "./plan-turn.ts";
import type { InteractionState } from "./states.ts";

export interface DialogueStatistics {
  readonly dialogues: number;
  readonly turns: number;
  readonly meanTurns: number;
  /** Share of dialogues of one turn. */
  readonly singleTurn: number;
  readonly meanTools: number;
  /** By round, from round 1: how many turns there are, which share of them switches, and P_switch of the paper. */
  readonly switches: readonly {
    readonly round: number;
    readonly turns: number;
    readonly share: number;
    readonly expected: number;
  }[];
  /** Shares of all tasks. */
  readonly states: Readonly<Partial<Record<InteractionState, number>>>;
  /** Shares of the turns that have new requests. */
  readonly modes: Readonly<Partial<Record<CompositionMode, number>>>;
  /** Shares of all turns; a turn may be of several. */
  readonly scenarios: Readonly<Partial<Record<Scenario, number>>>;
  /** Shares of all turns. */
  readonly writers: Readonly<Partial<Record<string, number>>>;
}

/** What dialogues are like, to hold against the state machine or against other data. */
export function dialogueStatistics(dialogues: readonly Dialogue[]): DialogueStatistics {
  const turns = dialogues.flatMap((dialogue) => dialogue.turns);
  const rounds = Math.max(0, ...turns.map(({ round }) => round));
  return {
    dialogues: dialogues.length,
    turns: turns.length,
    meanTurns: share(turns.length, dialogues.length),
    singleTurn: share(dialogues.filter((dialogue) => dialogue.turns.length === 1).length, dialogues.length),
    meanTools: share(
      turns.reduce((sum, { tools }) => sum + tools.length, 0),
      turns.length,
    ),
    switches: Array.from({ length: rounds }, (_, index) => {
      const at = turns.filter(({ round }) => round === index + 1);
      const switched = at.filter(({ context }) => context === "switch").length;
      return {
        round: index + 1,
        turns: at.length,
        share: share(switched, at.length),
        expected: switchProbability(index + 1),
      };
    }),
    states: shares(turns.flatMap(({ tasks }) => tasks.map(({ state }) => state))),
    modes: shares(turns.flatMap(({ mode }) => mode ?? [])),
    scenarios: shares(
      turns.flatMap((turn) => turn.scenarios),
      turns.length,
    ),
    writers: shares(turns.map(({ writer }) => writer)),
  };
}

function shares<Name extends string>(names: readonly Name[], of: number = names.length): Partial<Record<Name, number>> {
  const counts: Partial<Record<Name, number>> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1 / of;
  return counts;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
