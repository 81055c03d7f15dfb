/** Reads a static model in a process that can be killed where reading never ends. Parameter: folder. Writes code and message. */
import { readStaticModel } from "../src/static-model.ts";

try {
  process.stdout.write(readStaticModel(process.argv[2] ?? "").name);
} catch (error) {
  const { code, message } = error as { readonly code?: string; readonly message?: string };
  process.stdout.write(`${code}: ${message}`);
}
