/*
 * The eleven interaction states of MTDTool (MagicSelector, section 3.1.1): s1–s3 execution, s4–s5 clarification, s6–s8, s10 and s11
 * management of intent, and s9, the null state, in which a tool leaves the context. The paper names five (success, executing, ask-detail,
 * select, silent) and gives no transition matrix; the other names, and all probabilities below, are our choice.
 *
 * A turn r ≥ 1 has two stages: what the user does about a pending tool, d ~ P_todo(d | s before), and what comes of it,
 * s ~ P_task(s | d).
 */

export const states = [
  "success",
  "failure",
  "executing",
  "ask-detail",
  "select",
  "confirm",
  "modified",
  "cancelled",
  "null",
  "deferred",
  "silent",
] as const;

/** What has become of the request for one tool. */
export type InteractionState = (typeof states)[number];

/** What the user does about a tool in a turn. */
export type UserIntent =
  | "request"
  | "again"
  | "repeat"
  | "resume"
  | "answer"
  | "choose"
  | "accept"
  | "retry"
  | "check"
  | "modify"
  | "cancel"
  | "drop";

/** Shares that sum to 1; those of states that a tool cannot be in are given to the others in proportion. */
export type Distribution<Outcome extends string> = Readonly<Partial<Record<Outcome, number>>>;

/** P_todo(d | s): `drop` leads to the null state without a word. */
export const userIntentGiven: Readonly<Record<InteractionState, Distribution<UserIntent>>> = {
  success: { drop: 0.7, again: 0.2, modify: 0.1 },
  failure: { retry: 0.5, modify: 0.2, drop: 0.3 },
  executing: { check: 0.4, cancel: 0.2, drop: 0.4 },
  "ask-detail": { answer: 0.85, cancel: 0.1, drop: 0.05 },
  select: { choose: 0.9, cancel: 0.1 },
  confirm: { accept: 0.8, cancel: 0.2 },
  modified: { drop: 0.8, again: 0.2 },
  cancelled: { drop: 1 },
  null: {},
  deferred: { resume: 0.7, drop: 0.3 },
  silent: { repeat: 0.5, drop: 0.5 },
};

const NEW: Distribution<InteractionState> = {
  success: 0.42,
  "ask-detail": 0.18,
  select: 0.1,
  executing: 0.08,
  failure: 0.08,
  confirm: 0.06,
  deferred: 0.04,
  silent: 0.04,
};
const GOING_ON: Distribution<InteractionState> = { success: 0.8, executing: 0.08, failure: 0.12 };

/** P_task(s | d); of `request` it is the prior P_init of a tool that is new to the dialogue. */
export const stateGiven: Readonly<Record<UserIntent, Distribution<InteractionState>>> = {
  request: NEW,
  again: NEW,
  repeat: { success: 0.75, failure: 0.15, executing: 0.1 },
  resume: NEW,
  answer: { success: 0.8, failure: 0.1, select: 0.1 },
  choose: GOING_ON,
  accept: GOING_ON,
  retry: { success: 0.6, failure: 0.4 },
  check: { success: 0.7, executing: 0.3 },
  modify: { modified: 0.85, failure: 0.15 },
  cancel: { cancelled: 1 },
  drop: { null: 1 },
};

/** Whether what the user does needs the tool: taking a request back, or saying no more of it, does not. */
export function needsTool(intent: UserIntent): boolean {
  return intent !== "cancel" && intent !== "drop";
}

/** Draws an outcome that is allowed; `undefined` where none is. */
export function draw<Outcome extends string>(
  distribution: Distribution<Outcome>,
  random: () => number,
  isAllowed: (outcome: Outcome) => boolean = () => true,
): Outcome | undefined {
  const entries = (Object.entries(distribution) as [Outcome, number][]).filter(([outcome]) => isAllowed(outcome));
  let left = random() * entries.reduce((sum, [, share]) => sum + share, 0);
  for (const [outcome, share] of entries) {
    left -= share;
    if (left < 0) return outcome;
  }
  return entries.at(-1)?.[0];
}
