import { type Catalog, SetwiseError, shownName, type Tool } from "@setwise/core";
import { memberArguments, type MemberMapping } from "./fold-schemas.ts";
import { unifiedNames } from "./synthesise-tool.ts";

/** A call of a tool. */
export interface ToolCall {
  /** The tool's id after the merge; or that of a folded tool, with its own argument names. */
  readonly tool: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
}

/** How a member is picked where several take the arguments. */
export interface ResolveOptions {
  /** Members of this server first. */
  readonly server?: string;
  /** Lower is better, by a member's id: price, time, or `Infinity` for one that is down. Equal ones in the order of the cluster. */
  readonly cost?: (toolId: string) => number;
  /** Members that may not be called. */
  readonly exclude?: readonly string[];
}

/** A call that can be made, or why none can. */
export type ResolvedCall =
  | {
      readonly status: "resolved";
      /** The member to call, as the caller gave it. */
      readonly member: Tool;
      readonly arguments: Readonly<Record<string, unknown>>;
      /** The tool that was called: its result comes back under this id. */
      readonly calledAs: string;
      /** Why this member, in a sentence. */
      readonly reason: string;
    }
  | {
      readonly status: "no-member";
      readonly calledAs: string;
      readonly reason: string;
      /** Arguments that each member needs, by the names of the called tool: what the caller may be asked for. */
      readonly needs: readonly { readonly member: string; readonly arguments: readonly string[] }[];
    };

/** A unified tool with its members, the representative first. */
export interface Folding {
  readonly tool: Tool;
  readonly members: readonly Tool[];
  readonly mappings: readonly MemberMapping[];
}

/** Where calls and labels go, both ways. */
export interface Translation {
  /** φ: the id a tool has now, or `undefined` for an id that is no tool's. */
  newIdOf(id: string): string | undefined;
  /** Ids before to ids after, each once, in order; ids of no tool stay as they are. */
  translateLabels(ids: readonly string[]): string[];
  /** A call of a tool before, as a call after. */
  translateCall(call: ToolCall): Required<ToolCall>;
  /** A call after, as a call of the member that it is for. */
  resolve(call: ToolCall, options?: ResolveOptions): ResolvedCall;
}

/** The translation of a catalog whose tools are these, of which `foldings` stand for several. */
export function createTranslation(catalog: Catalog, foldings: readonly Folding[]): Translation {
  const foldingOf = new Map<string, Folding>();
  for (const folding of foldings) {
    for (const member of folding.members) foldingOf.set(member.id, folding);
  }
  const newIdOf = (id: string): string | undefined =>
    foldingOf.get(id)?.tool.id ?? (catalog.ordinalOf(id) === undefined ? undefined : id);
  const known = (id: string): string => {
    const found = newIdOf(id);
    if (found !== undefined) return found;
    throw new SetwiseError(
      "unknown-tool",
      `There is no tool "${shownName(String(id))}", neither before the merge nor after it.`,
      {
        toolId: id,
      },
    );
  };
  return {
    newIdOf,
    translateLabels: (ids) => [...new Set(ids.map((id) => newIdOf(id) ?? id))],
    translateCall: (call) => {
      const tool = known(call.tool);
      return { tool, arguments: unifiedArguments(foldingOf.get(call.tool), call) };
    },
    resolve: (call, options = {}) => {
      const id = known(call.tool);
      const folding = foldingOf.get(call.tool) ?? foldingOf.get(id);
      if (folding !== undefined) {
        // A folded tool is called by its own argument names, which are not the unified ones.
        const given = call.tool === folding.tool.id ? call : { ...call, arguments: unifiedArguments(folding, call) };
        return resolveFolded(folding, given, options);
      }
      const tool = catalog.tools[catalog.ordinalOf(id) ?? -1];
      if (tool === undefined) throw new SetwiseError("internal", `The tool "${id}" is not in its own catalog.`);
      return {
        status: "resolved",
        member: tool,
        arguments: call.arguments ?? {},
        calledAs: call.tool,
        reason: "It stands for itself.",
      };
    },
  };
}

function unifiedArguments(folding: Folding | undefined, call: ToolCall): Readonly<Record<string, unknown>> {
  const given = call.arguments ?? {};
  const mapping = folding?.mappings.find((entry) => entry.id === call.tool);
  if (mapping === undefined) return given;
  const unifiedByOwn = new Map([...mapping.names].map(([unified, own]) => [own, unified]));
  const unified: Record<string, unknown> = {};
  for (const name of Object.keys(given)) {
    const value = given[name];
    Object.defineProperty(unified, unifiedByOwn.get(name) ?? name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return unified;
}

function resolveFolded(folding: Folding, call: ToolCall, options: ResolveOptions): ResolvedCall {
  const given = call.arguments ?? {};
  const names = unifiedNames(folding.tool);
  const open = inOrder(folding, options);
  const takers = open.map(({ member, mapping }) => ({ member, ...memberArguments(member, mapping, names, given) }));
  const taker =
    takers.find(({ acceptance }) => acceptance === "yes") ?? takers.find(({ acceptance }) => acceptance === "maybe");
  if (taker === undefined) {
    return {
      status: "no-member",
      calledAs: call.tool,
      reason: `None of ${open.length} tools takes these arguments together: ${Object.keys(given).map(shownName).join(", ") || "none given"}.`,
      needs: open.map(({ member, mapping }) => ({ member: member.id, arguments: neededNames(member, mapping) })),
    };
  }
  const others = takers.filter(({ acceptance }) => acceptance !== "no").length;
  return {
    status: "resolved",
    member: taker.member,
    arguments: taker.arguments,
    calledAs: call.tool,
    reason:
      others === 1
        ? "It alone takes these arguments."
        : `It is the first of ${others} that take these arguments${options.cost === undefined ? "" : ", by cost"}.`,
  };
}

interface OpenMember {
  readonly member: Tool;
  readonly mapping: MemberMapping;
}

/** Members that may be called: those of the wanted server first, then the cheaper, then in the order of the cluster. */
function inOrder(
  { members, mappings }: Folding,
  { server, cost, exclude = [] }: ResolveOptions,
): readonly OpenMember[] {
  const open = members.flatMap((member, place) => {
    const mapping = mappings[place];
    if (mapping === undefined || exclude.includes(member.id)) return [];
    const price = cost === undefined ? 0 : cost(member.id);
    if (price === Number.POSITIVE_INFINITY) return [];
    return [{ member, mapping, place, price: Number.isNaN(price) ? Number.MAX_VALUE : price }];
  });
  const away = (member: Tool): number => (server === undefined || member.server === server ? 0 : 1);
  return open.sort((a, b) => away(a.member) - away(b.member) || a.price - b.price || a.place - b.place);
}

function neededNames(member: Tool, { names }: MemberMapping): readonly string[] {
  const required: unknown = member.inputSchema["required"];
  if (!Array.isArray(required)) return [];
  return [...names].filter(([, own]) => required.includes(own)).map(([unified]) => unified);
}
