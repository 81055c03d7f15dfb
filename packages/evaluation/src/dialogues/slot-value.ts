/* Values that a person might give, by what the argument is called. They are made up and name nobody. */
const VALUES: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /date|day|time|when|since|until|start|end/i,
    ["tomorrow", "next Friday", "the third of May", "this evening", "last Monday"],
  ],
  [/mail|recipient|user|member|author|owner/i, ["Ada", "Grace", "the whole team", "my sister", "Mr Okoye"]],
  [/city|place|location|address|country|lat|lon/i, ["Lisbon", "Nairobi", "the old harbour", "Osaka", "Lima"]],
  [/count|limit|max|min|number|size|width|height|page|index|offset/i, ["three", "a dozen", "twenty", "seven", "forty"]],
  [
    /path|file|folder|dir|document/i,
    ["my holiday notes", "the budget sheet", "the old drafts", "last year's report", "the cover letter"],
  ],
  [/color|colour/i, ["dark green", "sand", "crimson", "sky blue", "ivory"]],
];
const ANYTHING: readonly string[] = [
  "the garden project",
  "blue lantern",
  "the spring campaign",
  "night train",
  "paper boats",
  "the second draft",
];

/** A value for an argument that is not `taken`: one value in two places of a turn would tell what is to be left out. */
export function slotValue(name: string, random: () => number, taken: ReadonlySet<string>): string {
  const known = VALUES.find(([pattern]) => pattern.test(name))?.[1] ?? [];
  const free = known.filter((value) => !taken.has(value));
  const values = free.length > 0 ? free : ANYTHING.filter((value) => !taken.has(value));
  return values[Math.floor(random() * values.length)] ?? `number ${taken.size + 1}`;
}
