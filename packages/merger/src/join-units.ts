import { SetwiseError, type Tool } from "@setwise/core";
import { contentKey } from "./content-key.ts";
import { DisjointSets } from "./disjoint-sets.ts";
import type { MergeOptions } from "./merge-tools.ts";
import type { MergeRound } from "./merge-round.ts";
import { idsKey, type MergeUnit as Unit } from "./merge-unit.ts";
import type { MergeProblem } from "./pins.ts";
import { byRepresentation, unifyTools } from "./synthesise-tool.ts";

export async function joinUnits(
  units: readonly Unit[],
  round: MergeRound,
  options: MergeOptions,
  problems: MergeProblem[],
  separated: Set<string>,
): Promise<readonly Unit[]> {
  const gone = new Set<number>();
  const joined: Unit[] = [];
  for (const { members, reasons } of round.groups) {
    const parts = members.flatMap((ordinal) => units[ordinal] ?? []);
    for (const group of await validated(parts, options, problems, separated)) {
      for (const unit of group) gone.add(units.indexOf(unit));
      joined.push(await joinGroup(group, reasons, options, problems));
    }
  }
  const rest = units.filter((_, ordinal) => !gone.has(ordinal));
  return [...rest, ...joined].sort((a, b) => (a.tool.id < b.tool.id ? -1 : 1));
}

/** What the caller's validator leaves of a group; pins and copies are not its to split. */
async function validated(
  parts: readonly Unit[],
  { validator, signal, pins = [] }: MergeOptions,
  problems: MergeProblem[],
  separated: Set<string>,
): Promise<readonly (readonly Unit[])[]> {
  if (validator === undefined || parts.length < 2) return [parts];
  const byId = new Map(parts.map((unit) => [unit.tool.id, unit]));
  try {
    const { groups } = await validator.validate(
      parts.map((unit) => unit.tool),
      signal === undefined ? {} : { signal },
    );
    const used = new Set<string>();
    const sets = new DisjointSets(parts.length);
    const join = (ids: readonly string[]): void => {
      const [head, ...others] = ids.flatMap((id) => byId.get(id) ?? []).map((unit) => parts.indexOf(unit));
      if (head !== undefined) for (const other of others) sets.join(head, other);
    };
    for (const ids of groups) {
      join(ids.filter((id) => !used.has(id)));
      for (const id of ids) used.add(id);
    }
    const unitOf = new Map(parts.flatMap((unit) => unit.members.map(({ id }) => [id, unit.tool.id] as const)));
    for (const { a, b, decision } of pins) {
      if (decision === "same") join([unitOf.get(a) ?? "", unitOf.get(b) ?? ""]);
    }
    for (const copies of byContent(parts)) join(copies);
    const kept = sets.groups().map((group) => group.flatMap((place) => parts[place] ?? []));
    for (const a of parts) {
      for (const b of parts) {
        if (!kept.some((group) => group.includes(a) && group.includes(b))) separated.add(idsKey(a, b));
      }
    }
    return kept;
  } catch (cause) {
    if (SetwiseError.isInstance(cause) && cause.code === "aborted") throw cause;
    problems.push({
      code: "validator-fell-back",
      message: `The validator ${validator.name} failed, so the words decided about ${parts.map((unit) => unit.tool.id).join(", ")}.`,
    });
    return [parts];
  }
}

/** Ids of tools that say the same. */
function byContent(parts: readonly Unit[]): readonly (readonly string[])[] {
  const found = new Map<string, string[]>();
  for (const { tool } of parts) {
    const key = contentKey(tool);
    found.set(key, [...(found.get(key) ?? []), tool.id]);
  }
  return [...found.values()];
}

async function joinGroup(
  group: readonly Unit[],
  reasons: readonly string[],
  { synthesiser, signal }: MergeOptions,
  problems: MergeProblem[],
): Promise<Unit> {
  const members = group.flatMap((unit) => unit.members).sort(byRepresentation);
  const [first, ...others] = members;
  if (first === undefined) throw new SetwiseError("internal", "A group of tools had no member.");
  const all: [Tool, ...Tool[]] = [first, ...others];
  const draft = unifyTools(all).tool;
  let tool = draft;
  if (synthesiser !== undefined) {
    try {
      const { description } = await synthesiser.synthesise(all, draft, signal === undefined ? {} : { signal });
      tool = unifyTools(all, description).tool;
    } catch (cause) {
      if (SetwiseError.isInstance(cause) && cause.code === "aborted") throw cause;
      problems.push({
        code: "synthesiser-fell-back",
        message: `The synthesiser ${synthesiser.name} failed, so ${draft.id} keeps its representative's description.`,
      });
    }
  }
  const row = group.find((unit) => unit.members.some((member) => member.id === first.id))?.row ?? 0;
  return { tool, members: all, row, reasons: [...new Set([...group.flatMap((unit) => unit.reasons), ...reasons])] };
}
