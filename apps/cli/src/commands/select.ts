import {
  type ExplainedTool,
  type Explanation,
  type Goal,
  kernelInfo,
  type Selection,
  type SelectionDocument,
} from "setwise";
import { columnWidth, type Output, printJson, printLines } from "../output.ts";
import { openSelector, warn, worthTelling } from "../source-argument.ts";

export interface SelectCommandOptions {
  readonly query: string;
  readonly k: number | "auto";
  readonly maxTools?: number;
  readonly minTools?: number;
  readonly maxTokens?: number;
  readonly require?: readonly string[];
  readonly exclude?: readonly string[];
  readonly goal?: Goal;
  readonly support?: "auto" | "off";
  readonly encoder?: string;
  readonly reranker?: string;
  readonly model?: string;
  readonly explain?: boolean;
  readonly timeout?: number;
  readonly json?: boolean;
}

/** `setwise select`: the main job. */
export async function selectCommand(
  sources: readonly string[],
  options: SelectCommandOptions,
  output: Output,
): Promise<void> {
  const { query, explain, timeout, json, encoder, reranker, model, ...selectOptions } = options;
  const started = performance.now();
  const { selector, problems } = await openSelector(sources, { timeoutMs: timeout, encoder, reranker, model }, output);
  const opened = performance.now();
  const selection = await selector.select(query, selectOptions);
  const timingsMs = { open: rounded(opened - started), select: rounded(performance.now() - opened) };
  await selector.close();
  if (json === true) {
    printJson(output, {
      ...documentOf(selection, timingsMs),
      problems: worthTelling(problems()),
      ...(explain === true ? { explanation: selection.explanation } : {}),
    });
    return;
  }
  warn(output, selector.problems);
  printLines(output, explain === true ? explained(selection) : listed(selection));
}

function documentOf(selection: Selection, timingsMs: Readonly<Record<string, number>>): SelectionDocument {
  const { implementation, simd } = kernelInfo();
  return {
    query: selection.query,
    status: selection.status,
    tools: explainedTools(selection),
    candidates: selection.candidates,
    tokens: selection.tokens,
    k: selection.k,
    missing: selection.missing,
    timingsMs,
    kernels: { implementation, simd },
  };
}

/** The chosen tools, each with the reason that stands at its place in the explanation. */
function explainedTools({ chosen, explanation }: Selection): ExplainedTool[] {
  const { children } = explanation;
  return chosen.map((tool, place) => ({ ...tool, reason: children[place]?.sentence ?? "" }));
}

function listed(selection: Selection): string[] {
  if (selection.status === "nothing-fits") return [selection.explanation.sentence];
  const tools = explainedTools(selection);
  const width = columnWidth(tools.map((tool) => tool.id));
  const rows = tools.map((tool) => `${tool.id.padEnd(width)}  ${tool.role.padEnd(8)}  ${tool.reason}`);
  return [...rows, "", tokensLine(selection)];
}

function explained(selection: Selection): string[] {
  const { sentence, children } = selection.explanation;
  const blocks = children.flatMap((child, place) => {
    const tool = selection.chosen[place];
    const head = tool === undefined ? child.sentence : `${tool.id} (${tool.role}): ${child.sentence}`;
    return [line(child, head), ...child.children.map((word) => line(word, `  ${word.sentence}`)), ""];
  });
  return [sentence, "", ...blocks, tokensLine(selection)];
}

/** A sentence with its number in a column of its own. */
function line({ value }: Explanation, text: string): string {
  return `${value.toFixed(2).padStart(6)}  ${text}`;
}

function tokensLine({ tokens }: Selection): string {
  const saved = tokens.before === 0 ? 0 : 100 * (1 - tokens.after / tokens.before);
  return `tokens of definitions: ${tokens.before.toLocaleString("en")} before, ${tokens.after.toLocaleString("en")} after (${saved.toFixed(1)} % less)`;
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
