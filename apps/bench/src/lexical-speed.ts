import { createCatalog, schemaFields } from "@setwise/core";
import { buildIndex, retrieve } from "@setwise/retriever";
import MiniSearch from "minisearch";
import { readQueries, readToolsOf } from "./data-sets.ts";
import { interleave, median } from "./interleave.ts";

const BUILD_ROUNDS = 7;
const QUERY_ROUNDS = 9;
const K = 50;

/** A lexical query and the building of the index, against MiniSearch over the same fields with the same weights. */
export async function lexicalSpeed(folder: string, print: (line: string) => void): Promise<void> {
  const { tools } = await readToolsOf(folder, "toolbench");
  const queries = (await readQueries(folder, { dataSet: "toolbench", split: "dev" })).map((query) => query.query);
  const catalog = createCatalog(tools);
  const documents = tools.map((tool, id) => {
    const parameters = schemaFields(tool.inputSchema)
      .fields.map((field) => `${field.name} ${field.description}`)
      .join(" ");
    return { id, name: tool.name, description: tool.description, parameters, server: tool.server ?? "" };
  });
  const buildMiniSearch = (): MiniSearch => {
    const search = new MiniSearch({
      fields: ["name", "description", "parameters", "server"],
      searchOptions: { boost: { name: 2, parameters: 0.5, server: 0.3 }, combineWith: "OR" },
    });
    search.addAll(documents);
    return search;
  };

  const built = interleave([() => buildIndex(catalog), buildMiniSearch], BUILD_ROUNDS);
  const [ours = 0, theirs = 0] = built.medians;
  print(
    `index of ${tools.length} tools, median of ${built.rounds}: setwise ${ours.toFixed(0)} ms, MiniSearch ${theirs.toFixed(0)} ms, ratio ${(theirs / ours).toFixed(2)}`,
  );

  const index = buildIndex(catalog);
  const miniSearch = buildMiniSearch();
  const medians = queries.map(
    (query) =>
      interleave([() => retrieve(index, query, { k: K }), () => miniSearch.search(query).slice(0, K)], QUERY_ROUNDS)
        .medians,
  );
  const ourQuery = median(medians.map((pair) => pair[0] ?? 0));
  const theirQuery = median(medians.map((pair) => pair[1] ?? 0));
  print(
    `query, top ${K}, clauses included, median over ${queries.length} queries (each the median of ${QUERY_ROUNDS}): setwise ${ourQuery.toFixed(3)} ms, MiniSearch ${theirQuery.toFixed(2)} ms, ratio ${(theirQuery / ourQuery).toFixed(0)}`,
  );
}
