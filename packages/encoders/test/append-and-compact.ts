/**
 * Appends records of its own to a file that other processes append to and compact at the same time. Parameters: file,
 * log file, name, rounds. A key is logged once `append` has returned. Rubbish is written in between, so that dead bytes
 * outweigh the living ones again and again and the file is compacted.
 */
import { appendFileSync, closeSync, constants, openSync, writeSync } from "node:fs";
import { embeddingFile } from "../src/embedding-file.ts";
import { stressKey, stressOptions, stressVector } from "./stress-records.ts";

const [path = "", log = "", name = "", rounds = "0"] = process.argv.slice(2);
const file = embeddingFile(path, stressOptions);
for (let round = 0; round < Number(rounds); round++) {
  const keys = Array.from({ length: 4 }, (_, number) => stressKey(name, round * 4 + number));
  await file.append(new Map(keys.map((key) => [key, stressVector(key)])));
  appendFileSync(log, keys.map((key) => `${Buffer.from(key, "latin1").toString("hex")}\n`).join(""));
  writeRubbish(600 + 20 * round);
}

/** Not `appendFileSync`, which would make the file where it is just being replaced. */
function writeRubbish(bytes: number): void {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_WRONLY | constants.O_APPEND);
  } catch {
    return;
  }
  writeSync(descriptor, Buffer.alloc(bytes, name));
  closeSync(descriptor);
}
