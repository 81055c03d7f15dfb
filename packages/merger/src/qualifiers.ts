import { ANTONYMS } from "./wordnet-words.ts";

/** Words of one line exclude each other: what is daily is not hourly. Where each of two tools has another of them, they differ. */
const groups = `
minutely hourly daily weekly monthly quarterly yearly annual
sandbox staging test live production demo
metric imperial
latest historical history recent popular trending upcoming random top
compound simple
single multi multiple all bulk batch every
forward reverse
static dynamic
internal external
public private
domestic international
local global world
max min maximum minimum
left right
video audio image photo picture
movie film tv show series episode book song album artist track playlist
singles albums artists tracks
bar column line pie area scatter radar histogram treemap boxplot violin
direct onestop nonstop
file files directory folder
domain ip
pdf csv xml excel html markdown docx png jpg
men women male female
celsius fahrenheit kelvin
usd eur gbp jpy
us uk uae pl eu de fr in cn jp ca au
buyer seller
sender recipient
request response
first last
open closed
active inactive
before after
incoming outgoing
inbound outbound
income expense
credit debit
home away
indoor outdoor
followers following
likes comments
logo favicon icon banner
domestic foreign
horizontal vertical
permanent temporary
mean median mode variance
sine cosine tangent
circle square triangle rectangle cylinder cone sphere cube
acceleration velocity force distance displacement
title abstract
today yesterday tomorrow
row rows column columns cell
inpatient outpatient
supply demand
application applications service services user users project projects organization team group account
soccer football basketball baseball tennis hockey cricket golf rugby volleyball
text audio video image file
content contents metadata
import export
`;

/** Words that narrow or widen a job; what only one of two tools has makes them differ. */
const NARROWING: ReadonlySet<string> = new Set(
  `all every bulk batch multiple random reverse historical history hourly daily weekly monthly yearly annual without no non not
  ephemeral scheduled deactivated archived staged unstaged nearest similar related absent dry preview draft pending anonymous
  sandbox staging demo live test admin bot my favorite default custom global world compound nested recursive async permanent
  encrypted premium vip historic recent upcoming deleted expired existence exists status count availability time
  list`.split(/\s+/),
);

const groupByWord = new Map<string, number[]>();
const ownGroups = groups.trim().split("\n");
for (const [group, line] of [...ownGroups, ...ANTONYMS.trim().split(/,\s*/)].entries()) {
  for (const word of line.split(" ")) groupByWord.set(word, [...(groupByWord.get(word) ?? []), group]);
}

/** What the words are of: in a sentence antonyms may both be at home, as in "present value of future payments". */
export type Excluding = "names" | "sentences";

/** Two words of one group of which each tool has another one, and none has both; `undefined` where there are none. */
export function excludingWords(
  a: ReadonlySet<string>,
  b: ReadonlySet<string>,
  between: Excluding,
): readonly [string, string] | undefined {
  for (const word of a) {
    if (b.has(word)) continue;
    for (const group of groupByWord.get(word) ?? []) {
      if (between === "sentences" && group >= ownGroups.length) continue;
      for (const other of b) {
        if (!a.has(other) && groupByWord.get(other)?.includes(group) && !sameStem(word, other)) return [word, other];
      }
    }
  }
  return undefined;
}

/** Singular and plural of one word do not exclude each other. */
function sameStem(a: string, b: string): boolean {
  return a === `${b}s` || b === `${a}s` || SAME.has(`${a} ${b}`) || SAME.has(`${b} ${a}`);
}

const SAME: ReadonlySet<string> = new Set([
  "movie film",
  "image photo",
  "image picture",
  "photo picture",
  "directory folder",
  "yearly annual",
  "max maximum",
  "min minimum",
  "multi multiple",
  "all every",
  "bulk batch",
  "bulk multiple",
  "bulk multi",
  "batch multiple",
  "batch multi",
  "global world",
  "historical history",
  "staging test",
  "sandbox test",
  "live production",
]);

/** Narrowing words that say the same, a line each: the current score of a match is the live one. */
const ALIKE: readonly (readonly string[])[] = [
  ["live", "current", "latest", "realtime"],
  ["history", "historical", "historic", "past"],
  ["multiple", "multi", "bulk", "batch"],
  ["all", "every"],
];

/** Whether words say what a narrowing word does, in one of its forms. */
export function saysAlike(words: ReadonlySet<string>, word: string): boolean {
  return words.has(word) || ALIKE.some((line) => line.includes(word) && line.some((other) => words.has(other)));
}

/** Whether a word narrows or widens what a tool does. */
export function isNarrowing(word: string): boolean {
  return NARROWING.has(word);
}
