// `npm run demo`: from a fresh clone to the right tools, offline and without a key.
import { build, install, root, run } from "./setup.mjs";

const queries = [
  "take a screenshot of the page and save the file",
  "add the song to my playlist and send a message to the channel",
  "create a word document and add a table with the parking facilities near the hotel",
];

install();
build();
for (const query of queries) {
  console.log(`\n$ setwise select examples/tool-lists --query ${JSON.stringify(query)} --explain\n`);
  run(process.execPath, [
    `${root}/apps/cli/bin/setwise.mjs`,
    "select",
    "examples/tool-lists",
    "--query",
    query,
    "--explain",
  ]);
}
console.log('\nTry your own: npx setwise select examples/tool-lists --query "…" --explain');
