// Fails when a Markdown file of the repository links to a file that is not there.
import { existsSync, readFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { root } from "./setup.mjs";

const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
  cwd: root,
  encoding: "utf8",
});
const files = listed.split("\n").filter(Boolean);
let broken = 0;
for (const file of files) {
  const text = readFileSync(join(root, file), "utf8").replace(/```[\s\S]*?```/g, "");
  for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^(https?:|mailto:|#)/.test(target)) continue;
    const path = resolve(root, dirname(file), decodeURI(target.split("#")[0]));
    if (existsSync(path)) continue;
    console.error(`${file}: ${target} is not there`);
    broken += 1;
  }
}
console.log(`${files.length} pages, ${broken} broken links`);
process.exit(broken === 0 ? 0 : 1);
