// `npm run demo`: from a fresh clone to the right tools, offline and without a key.
import { build, install, root, run } from "./setup.mjs";

const queries = [
  "take a screenshot of the page and save the file",
  "commit the staged changes, then make a new branch for the fix",
  "play my favourite playlist and tell the team channel about it",
];

install();
build();
for (const query of queries) {
  console.log(`\n$ setwise select examples/tool-lists --query ${JSON.stringify(query)} --explain\n`);
  run(process.execPath, [
    `${root}/apps/cli/dist/setwise.mjs`,
    "select",
    "examples/tool-lists",
    "--query",
    query,
    "--explain",
  ]);
}
console.log('\nTry your own: npx setwise select examples/tool-lists --query "…" --explain');
