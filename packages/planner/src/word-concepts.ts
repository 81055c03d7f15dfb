/** Words of which one may stand for the other between an input and what brings it: a year comes from today's date. */
const lines = `
date: date year month day today datetime weekday calendar
time: time hour minute clock now timestamp datetime
login: session login token auth signin access credential authorization authentication
place: location latitude longitude lat lon lng coordinate position place gps
person: user profile account member customer person
unit: km kg cm mm lb lbs mile meter metre gram liter litre ft sqft m2 m3 celsius fahrenheit kelvin c unit
language: language lang locale
`;

const concepts: ReadonlyMap<string, string> = new Map(
  lines
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [concept = "", members = ""] = line.split(": ");
      return members.split(" ").map((word): [string, string] => [word, concept]);
    }),
);

/** What a word is about, where it is one of a few things that every catalog has. */
export function conceptOf(word: string): string | undefined {
  return concepts.get(word);
}
