import { type Explanation, type Goal, kernelInfo, type Selection, type SelectionDocument } from "setwise";
import { columnWidth, type Output, printJson, printLines } from "../output.ts";
import { openSelector, warn } from "../source-argument.ts";

export interface SelectCommandOptions {
  readonly query: string;
  readonly k: number | "auto";
  readonly maxTools?: number;
  readonly minTools?: number;
  readonly maxTokens?: number;
  readonly require?: readonly string[];
  readonly exclude?: readonly string[];
  readonly goal?: Goal;
  readonly explain?: boolean;
  readonly timeout: number;
  readonly json?: boolean;
}

/** `setwise select`: the main job. */
export async function selectCommand(
  sources: readonly string[],
  options: SelectCommandOptions,
  output: Output,
): Promise<void> {
  const { query, explain, timeout, json, ...selectOptions } = options;
  const started = performance.now();
  const selector = await openSelector(sources, { timeoutMs: timeout });
  const opened = performance.now();
  const selection = await selector.select(query, selectOptions);
  const timingsMs = { open: rounded(opened - started), select: rounded(performance.now() - opened) };
  if (json === true) {
    printJson(output, {
      ...documentOf(selection, timingsMs),
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
    tools: selection.chosen,
    candidates: selection.candidates,
    tokens: selection.tokens,
    k: selection.k,
    timingsMs,
    kernels: { implementation, simd },
  };
}

function listed(selection: Selection): string[] {
  if (selection.status === "nothing-fits") return [selection.explanation.sentence];
  const width = columnWidth(selection.chosen.map((tool) => tool.id));
  const rows = selection.chosen.map((tool) => `${tool.id.padEnd(width)}  ${tool.role.padEnd(8)}  ${tool.reason}`);
  return [...rows, "", tokensLine(selection)];
}

function explained(selection: Selection): string[] {
  const { sentence, children } = selection.explanation;
  return [sentence, "", ...children.flatMap((child) => [...lines(child, 0), ""]), tokensLine(selection)];
}

/** An explanation as an indented list, numbers in a column of their own. */
function lines(explanation: Explanation, depth: number): string[] {
  const own = `${explanation.value.toFixed(2).padStart(6)}  ${"  ".repeat(depth)}${explanation.sentence}`;
  return depth >= 1 ? [own] : [own, ...explanation.children.flatMap((child) => lines(child, depth + 1))];
}

function tokensLine({ tokens }: Selection): string {
  const saved = tokens.before === 0 ? 0 : 100 * (1 - tokens.after / tokens.before);
  return `tokens of definitions: ${tokens.before.toLocaleString("en")} before, ${tokens.after.toLocaleString("en")} after (${saved.toFixed(1)} % less)`;
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
