import type { PlannedTurn } from "./plan-turn.ts";

const LONGEST = 2_000;
/** A name of one plain word, such as `search`, may be said without giving a tool away. */
const TECHNICAL_NAME = /[^a-z]/;

/** What is wrong with the words of a turn, in sentences: rules that hold whoever wrote them. */
export function speechProblems(
  { tasks }: PlannedTurn,
  { user, assistant }: { readonly user: string; readonly assistant: string },
): readonly string[] {
  const problems: string[] = [];
  const silent = tasks.every(({ state }) => state === "silent");
  if (user.trim() === "") problems.push("The user says nothing.");
  if (silent !== (assistant.trim() === ""))
    problems.push(silent ? "The assistant speaks of what it is silent about." : "The assistant says nothing.");
  if (user.length > LONGEST || assistant.length > LONGEST)
    problems.push(`A text is longer than ${LONGEST} characters.`);
  for (const { tool, slot, intent } of tasks) {
    if (TECHNICAL_NAME.test(tool.name) && says(`${user} ${assistant}`, tool.name))
      problems.push(`The name of the tool "${tool.name}" is told.`);
    if (slot !== undefined && !slot.said && says(user, slot.value))
      problems.push(`The user says "${slot.value}", which was to be left out.`);
    if (slot !== undefined && intent === "answer" && !says(user, slot.value))
      problems.push(`The user does not say "${slot.value}", which was asked for.`);
  }
  return problems;
}

/** Whether the words of `part` stand in a row in `text`; parts of words do not count. A name in one piece is looked for in one piece. */
function says(text: string, part: string): boolean {
  const spaced = (given: string): string => ` ${(given.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? []).join(" ")} `;
  return spaced(text).includes(spaced(part));
}
