import { stat } from "node:fs/promises";
import { SetwiseError, shownName } from "@setwise/core";

const names = ["none", "static", "minilm"];
/** So many letters may be wrong, left out or too many for a name to be meant. */
const MOST_SLIPS = 2;
const addressStart = /^[a-z][a-z\d+.-]+:\/\//i;

/**
 * Of a choice that is no name: that something is there. An address is left to who reads folders: it may hold a password.
 *
 * @throws SetwiseError `unreadable-source` where nothing is, with the name that may have been meant.
 */
export async function checkEncoderFolder(choice: string, expected: string): Promise<void> {
  if (addressStart.test(choice)) return;
  const isMissing = await stat(choice).then(
    () => false,
    () => true,
  );
  if (!isMissing) return;
  const meant = names.find((name) => slips(choice.toLowerCase(), name) <= MOST_SLIPS);
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  throw new SetwiseError("unreadable-source", `There is no folder "${shownName(choice)}"; ${expected}.${hint}`, {
    source: choice,
  });
}

/** The edit distance of two texts; those whose lengths alone differ by more than {@link MOST_SLIPS} are not compared. */
function slips(given: string, name: string): number {
  if (Math.abs(given.length - name.length) > MOST_SLIPS) return Infinity;
  let row = Array.from({ length: name.length + 1 }, (_, column) => column);
  for (const [line, letter] of [...given].entries()) {
    const next = [line + 1];
    for (let column = 1; column <= name.length; column++) {
      const changed = (row[column - 1] ?? 0) + (letter === name[column - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[name.length] ?? Infinity;
}
