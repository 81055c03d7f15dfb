import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Library, PreparedQuery } from "./set-model-data.ts";
import type { SetModelTrial } from "./set-model-trials.ts";

/** To be raised when what is measured changes, or how. */
const MEASURED = 1;

/** What finished trials found, so that a long run can be done in parts. */
export interface KeptResults {
  /** What `make` gave for the same settings, code and data, or gives now. */
  of<Result>(settings: Readonly<Record<string, unknown>>, make: () => Promise<Result>): Promise<Result>;
}

/** Results in a folder, as JSON by a hash of all that they depend on; without a folder nothing is kept. */
export async function keptResults(folder: string | undefined): Promise<KeptResults> {
  if (folder === undefined) return { of: (_, make) => make() };
  const code = await codeHash();
  await mkdir(folder, { recursive: true });
  return {
    async of<Result>(settings: Readonly<Record<string, unknown>>, make: () => Promise<Result>): Promise<Result> {
      const key = createHash("sha256")
        .update(JSON.stringify([code, settings]))
        .digest("hex")
        .slice(0, 24);
      const file = join(folder, `trial-${key}.json`);
      const text = await readFile(file, "utf8").catch(() => undefined);
      if (text !== undefined) return (JSON.parse(text) as { result: Result }).result;
      const result = await make();
      await writeFile(`${file}.part`, JSON.stringify({ settings, result }));
      await rename(`${file}.part`, file);
      return result;
    },
  };
}

/** Of what is trained on and measured: texts, right tools, vectors and features. */
export function trialHash({ library, full, train, tests, splitBy }: SetModelTrial): string {
  const hash = createHash("sha256").update(JSON.stringify([splitBy, tests.map(({ only }) => [...(only ?? [])])]));
  const add = (values: Uint32Array | Float32Array): void =>
    void hash.update(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  const addLibrary = ({ catalog, index, encoder }: Library): void => {
    hash.update(`${catalog.revision} ${encoder.name}`);
    add(index.embeddings?.vectors ?? new Float32Array(0));
  };
  const addQuery = ({ text, gold, vector, features, requests }: PreparedQuery): void => {
    hash.update(`${text}\n${gold.join()} ${requests}\n`);
    add(vector);
    for (const [name, { ids, values }] of Object.entries(features)) {
      hash.update(name);
      add(ids);
      add(values);
    }
  };
  addLibrary(library);
  addLibrary(full);
  for (const query of train) addQuery(query);
  for (const { queries } of tests) queries.forEach(addQuery);
  return hash.digest("hex");
}

/** Of what learns and answers: the set model and the kernels' TypeScript face. */
async function codeHash(): Promise<string> {
  const hash = createHash("sha256").update(String(MEASURED));
  for (const address of [import.meta.resolve("@setwise/set-scorer"), import.meta.resolve("@setwise/native")]) {
    const folder = dirname(fileURLToPath(address));
    const names = (await readdir(folder, { recursive: true })).filter((name) => /(?<!\.test)\.(ts|mjs)$/.test(name));
    for (const name of names.sort()) hash.update(name).update(await readFile(join(folder, name)));
  }
  return hash.digest("hex");
}
