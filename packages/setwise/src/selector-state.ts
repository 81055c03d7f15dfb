import { createCatalog, type Problem, SetwiseError, type TokenCounter } from "@setwise/core";
import { buildIndex, type ToolIndex } from "@setwise/retriever";
import type { MergedCatalog } from "@setwise/merger";
import { readTools, type ToolLink, type ToolList } from "@setwise/sources";
import type { FittedModel } from "./open-set-model.ts";

/** Everything that changes together when the tools change. */
export interface SelectorState {
  /** Its tools are encoded by the selector's encoder, if it has one. */
  readonly index: ToolIndex;
  readonly problems: readonly Problem[];
  /** What the documents of the tools say of which brings what another needs, by the ids of the tools as they were given. */
  readonly links: readonly ToolLink[];
  /** Hosted entries without a name of their own: handed over with every answer, never counted. */
  readonly hosted: readonly unknown[];
  /** Of the texts of tools those of which the vectors of `index` have only the beginning. */
  readonly cutTexts: ReadonlySet<string>;
  /** The set model brought to these tools, if there is one. */
  readonly model?: FittedModel | undefined;
  /** Where tools were folded: how, and the index over the tools as they were given. */
  readonly folded?: { readonly merged: MergedCatalog; readonly given: ToolIndex } | undefined;
}

/** The state over tools in any form, not encoded yet. */
export function readState(input: unknown, tokenCounter: TokenCounter | undefined): SelectorState {
  const { tools, links, hosted, problems } = readAnyTools(input);
  if (tools.length === 0) {
    const told = problems.map((problem) => problem.message).slice(0, 3);
    throw new SetwiseError("empty-catalog", `There is no tool to choose from. ${told.join(" ")}`.trim());
  }
  const catalog = createCatalog(tools, tokenCounter === undefined ? {} : { tokenCounter });
  return { index: buildIndex(catalog), problems, links, hosted, cutTexts: new Set() };
}

/** Tools in any form, or what was read already. */
export function readAnyTools(input: unknown): ToolList {
  return isToolList(input) ? input : readTools(input);
}

/** Tools that were read are frozen: a document that only looks like a list of them, unread, is not taken for one. */
function isToolList(input: unknown): input is ToolList {
  const list = input as Partial<ToolList> | null;
  return (
    [list?.tools, list?.links, list?.hosted, list?.problems, list?.mcpServers].every(Array.isArray) &&
    (list?.tools ?? []).every((tool: unknown) => typeof tool === "object" && tool !== null && Object.isFrozen(tool))
  );
}
