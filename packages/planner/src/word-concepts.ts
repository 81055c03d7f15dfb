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

/** By word, the concepts it stands for, each a bit. */
const concepts = new Map<string, number>();
for (const [place, line] of lines.trim().split("\n").entries()) {
  const [, members = ""] = line.split(": ");
  for (const word of members.split(" ")) concepts.set(word, (concepts.get(word) ?? 0) | (1 << place));
}

/** What words are about, of a few things that every catalog has: a set of bits. */
export function conceptsOf(words: readonly string[]): number {
  return words.reduce((bits, word) => bits | (concepts.get(word) ?? 0), 0);
}

/** The concept of being signed in. */
export const LOGIN: number = conceptsOf(["login"]);

/** The number of concepts. */
export const CONCEPTS: number = lines.trim().split("\n").length;
