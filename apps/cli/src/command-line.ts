import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { DEFAULT_TIMEOUT_MS } from "setwise";
import packageJson from "../package.json" with { type: "json" };
import type { Output } from "./output.ts";
import { reportError } from "./report-error.ts";

function wholeNumber(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number))
    throw new InvalidArgumentError("Expected a whole number of at least 0.");
  return number;
}

function kOption(value: string): number | "auto" {
  return value === "auto" ? "auto" : wholeNumber(value);
}

const list = (value: string, before: readonly string[] = []): string[] => [
  ...before,
  ...value
    .split(",")
    .map((id) => id.trim())
    .filter(Boolean),
];

const sources =
  "a file, folder or http(s) address with MCP, OpenAPI, OpenAI, Anthropic … tools, a client configuration with mcpServers, or an index";
const json = (): Option => new Option("--json", "print one JSON document and nothing else");
const timeout = (): Option =>
  // Without a default of the parser's: an embedding server has other ones than a source.
  new Option(
    "--timeout <ms>",
    `how long one server or address may take, a request to an embedding server with all its attempts and waits (default: ${DEFAULT_TIMEOUT_MS}; of an embedding server: 30000 for each attempt, and none after two that were not answered in time)`,
  ).argParser(wholeNumber);
const goal = (): Option =>
  new Option("--goal <goal>", "miss nothing, largest expected F1, or likeliest set").choices([
    "complete",
    "balanced",
    "exact",
  ]);
const encoder = (): Option =>
  new Option(
    "--encoder <encoder>",
    "how meaning is compared: static (the table that comes along; default), none (words only), minilm, a folder with an ONNX export, " +
      "or the address of an embedding server (URL#MODEL; its key in SETWISE_ENCODER_KEY); for an index, as it was made",
  );

const reranker = (): Option =>
  new Option(
    "--reranker <DIR>",
    "put the first 50 candidates in the order of a cross-encoder of your own: a folder with an ONNX export (npm install onnxruntime-node)",
  );

const model = (): Option =>
  new Option(
    "--model <FILE>",
    "choose by a set model that `setwise train` has written; its encoder is taken where it is static or minilm",
  );

/** Runs one command line and gives its exit code: 0, 1 for the caller's mistake, 2 for ours. */
export async function runCommandLine(parameters: readonly string[], output: Output): Promise<number> {
  try {
    await commandLine(output).parseAsync(parameters, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    return reportError(error, output);
  }
}

function commandLine(output: Output): Command {
  const program = new Command("setwise")
    .description("Hands an LLM agent the right set of tools for what it is about to do.")
    .version(packageJson.version)
    .configureOutput({ writeOut: output.write, writeErr: output.writeError, outputError: () => undefined })
    .exitOverride();

  program
    .command("tools")
    .description("say what was read: counts, tokens, servers and problems")
    .argument("<source...>", sources)
    .addOption(timeout())
    .addOption(json())
    .action(async (given: string[], options) =>
      (await import("./commands/tools.ts")).toolsCommand(given, options, output),
    );

  program
    .command("select")
    .description("choose the tools for a sentence")
    .argument("<source...>", sources)
    .requiredOption("--query <text>", "what the agent is about to do")
    .option("--k <auto|N>", "how many tools; auto lets the scores decide", kOption, "auto")
    .option("--max-tools <N>", "at most so many tools", wholeNumber)
    .option("--min-tools <N>", "at least so many tools, even if none fits", wholeNumber)
    .option("--max-tokens <N>", "at most so many tokens of definitions", wholeNumber)
    .option("--require <ids>", "tools that must be in, by commas or repeated", list)
    .option("--exclude <ids>", "tools that must not be in, by commas or repeated", list)
    .addOption(goal())
    .addOption(
      new Option("--support <what>", "add what brings ids and keys that the chosen tools need").choices([
        "auto",
        "off",
      ]),
    )
    .addOption(encoder())
    .addOption(reranker())
    .addOption(model())
    .option("--explain", "say for each tool why it is in, and why the next one is not")
    .addOption(timeout())
    .addOption(json())
    .action(async (given: string[], options) =>
      (await import("./commands/select.ts")).selectCommand(given, options, output),
    );

  program
    .command("plan")
    .description("split a request, and say which tools to call in which order, and what is missing")
    .argument("<source...>", sources)
    .requiredOption("--query <text>", "what is to be done")
    .option("--allow <ids>", "the only tools to plan with, by commas or repeated", list)
    .option("--exclude <ids>", "tools not to plan with, by commas or repeated", list)
    .option(
      "--edges <FILE>",
      "which tool brings what another needs, as JSON: [{ from: { tool, output? }, to: { tool, input? } }]",
    )
    .option("--allow-mutating", "also create things only because another tool needs their ids")
    .addOption(encoder())
    .option("--mermaid", "draw the plan as a Mermaid flow chart")
    .addOption(timeout())
    .addOption(json())
    .action(async (given: string[], options) =>
      (await import("./commands/plan.ts")).planCommand(given, options, output),
    );

  program
    .command("index")
    .description("write an index that select and evaluate open instead of a source")
    .argument("<source...>", sources)
    .requiredOption("--out <DIR>", "the folder the index is written to")
    .addOption(encoder())
    .addOption(timeout())
    .addOption(json())
    .action(async (given: string[], options) =>
      (await import("./commands/write-index.ts")).indexCommand(given, options, output),
    );

  program
    .command("merge")
    .description("fold tools that do the same job into one that can still be called, and say why for each pair")
    .argument("<source...>", sources)
    .requiredOption(
      "--out <FILE>",
      "the merged catalog, a source for every command, with the way from each old tool to its new one; a link is written through",
    )
    .option(
      "--review <FILE>",
      "every decision, a line each; one that you change there, or mark as reviewed, is obeyed the next time; a link is written through",
    )
    .option(
      "--log <FILE>",
      "what was asked and called before, as for `evaluate --queries`: how much of it can still be called is told",
    )
    .addOption(encoder())
    .addOption(timeout())
    .addOption(json())
    .action(async (given: string[], options) =>
      (await import("./commands/merge.ts")).mergeCommand(given, options, output),
    );

  program
    .command("bench")
    .description("measure the kernels on this machine, at every level it has, as ratios taken in one run")
    .argument("[kernel...]", "which of them; all take about two minutes")
    .addOption(json())
    .action(async (kernels: string[], options) =>
      (await import("./commands/bench.ts")).benchCommand(kernels, options, output),
    );

  program
    .command("train")
    .description("learn from a log of requests which tools belong together, and say whether it was worth it")
    .argument("<source...>", sources)
    .requiredOption(
      "--log <FILE>",
      'JSON Lines of {"id", "query", "tools": [ids]} (no ids where no tool fits), or logs as for `evaluate --queries`; a folder: all in it',
    )
    .requiredOption(
      "--out <FILE>",
      "the set model (a link is written through); an interrupted training goes on when it is called again",
    )
    .option("--previous <FILE>", "a model to go on serving if the new one is not better")
    .option("--seed <N>", "where all random numbers come from", wholeNumber)
    .option("--threads <N>", "how many threads; they change no number", wholeNumber)
    .option("--licence <text>", "what the model says of the log's licence")
    .addOption(
      new Option(
        "--split-by <what>",
        "what is set aside to choose on: requests, or sets of tools for logs of ever new combinations",
      ).choices(["queries", "sets"]),
    )
    .addOption(encoder())
    .option("--explain", "show the pairs of tools that belong together")
    .addOption(timeout())
    .addOption(json())
    .action(async (given: string[], options) =>
      (await import("./commands/train.ts")).trainCommand(given, options, output),
    );

  program
    .command("evaluate")
    .description(
      "measure the answers to labelled queries or to logged conversations, and compare them with another way to choose",
    )
    .argument("<source...>", sources)
    .requiredOption(
      "--queries <FILE>",
      'JSON Lines of {"id", "query", "tools": [ids]}, or logs of OpenAI, Anthropic, AI SDK or the gateway (what was called counts as right); a folder: all in it',
    )
    .option(
      "--baseline <bm25|dense|keyword|FILE>",
      "what to compare with, by tests of significance: the first five of plain BM25, of an encoder's cosines or of a keyword matcher; or what --save has written",
    )
    .option("--candidates", "offer each query only its own `candidates`, or what its log says was offered")
    .option("--html <FILE>", "write the report as a page with drawings; a link is written through")
    .option("--save <FILE>", "write the numbers of each query, for a later --baseline; a link is written through")
    .option("--k <auto|N>", "how many tools; auto lets the scores decide", kOption, "auto")
    .addOption(goal())
    .addOption(encoder())
    .addOption(reranker())
    .addOption(model())
    .addOption(timeout())
    .addOption(json())
    .action(async (given: string[], options) =>
      (await import("./commands/evaluate.ts")).evaluateCommand(given, options, output),
    );
  return program;
}
