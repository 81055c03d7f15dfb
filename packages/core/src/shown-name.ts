/** Names come from files and servers too: of a longer one, so many characters are shown. */
const SHOWN_CHARACTERS = 200;

/** A name as messages show it. */
export function shownName(name: string): string {
  return name.length <= SHOWN_CHARACTERS ? name : `${name.slice(0, SHOWN_CHARACTERS)}…`;
}
