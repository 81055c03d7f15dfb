import { join } from "node:path";
import { createCatalog } from "@setwise/core";
import { mergeTools } from "@setwise/merger";
import { embeddedText } from "@setwise/retriever";
import { loadTools, openEncoder } from "setwise";
import { columns } from "./merge-table.ts";

const SIZES = [500, 5242];
const RUNS = 3;

/** How long ToolBench's tools take to merge when their vectors are there, and the most memory that the process had. */
export async function mergeSpeed(folder: string, print: (line: string) => void): Promise<void> {
  const encoder = await openEncoder("static");
  const { tools } = await loadTools([join(folder, "toolbench", "tools.jsonl")]);
  print(columns(["tools", "after", "seconds, best", "seconds, worst", "most memory, MB"]));
  print(columns(Array.from({ length: 5 }, () => "---")));
  for (const size of SIZES) {
    const times: number[] = [];
    let after = 0;
    for (let run = 0; run < RUNS; run++) {
      // New objects each time: what is known of a tool is kept with it.
      const catalog = createCatalog(tools.slice(0, size).map((tool) => ({ ...tool })));
      const values = await encoder?.encode(catalog.tools.map(embeddedText));
      const start = performance.now();
      const merged = await mergeTools(
        catalog,
        encoder === undefined || values === undefined
          ? {}
          : { vectors: { values, dimensions: encoder.dimensions, encoder: encoder.name } },
      );
      times.push((performance.now() - start) / 1000);
      after = merged.report.after.tools;
    }
    const memory = process.resourceUsage().maxRSS / 1024;
    print(
      columns(
        [size, after, Math.min(...times).toFixed(2), Math.max(...times).toFixed(2), memory.toFixed(0)].map(String),
      ),
    );
  }
}
