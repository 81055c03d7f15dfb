import type { SetModel } from "@setwise/set-scorer";

/**
 * Writes a model as one file, aside first and then renamed.
 *
 * @throws SetwiseError `unwritable-target`.
 */
export async function saveSetModel(path: string, model: SetModel): Promise<void> {
  const { writeSetModel } = await import("@setwise/set-scorer");
  await writeSetModel(path, model);
}
