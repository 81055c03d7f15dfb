import { NOUNS_OF_DEEDS } from "./wordnet-words.ts";
import { meaningOf } from "./word-meaning.ts";

/** What a tool does to the world, in one word; verbs of one line are taken for the same. */
const lines = `
read: get fetch retrieve return show list view find search lookup query read obtain display browse see look give inquire inquiry query provide information info enquiry locate discover gather seek
check: check
calculate: calculate compute determine estimate calc evaluate measure calculation calculator computation estimation solve work-out
convert: convert transform conversion converter transformation
analyze: analyze analyse assess examine analysis inspect study explore assessment diagnose investigate
generate: generate generator produce render draw generation
create: create add new make register build creation setup establish define
insert: insert append
update: update modify edit change adjust alter revise amend replace patch modification adjustment
borrow: borrow
lend: lend loan
download: download
monitor: monitor watch track
set: set assign configure put setting
delete: delete remove erase destroy drop clear purge wipe deletion removal
send: send message deliver sending transmit
post: post publish
notify: notify notification alert remind
schedule: schedule arrange plan
reserve: reserve book reservation booking
order: order
buy: buy purchase acquire
sell: sell sale selling
rent: rent rental hire lease
pay: pay payment
request: request
transfer: transfer remit remittance
donate: donate donation contribute
refund: refund
cancel: cancel cancellation revoke
apply: apply application
approve: approve confirm accept finalize finalise
reject: reject decline deny
start: start begin launch run execute initiate activate play resume
stop: stop end halt terminate kill pause
open: open
close: close
lock: lock
unlock: unlock
enable: enable
disable: disable deactivate suspend
archive: archive
unarchive: unarchive
install: install
uninstall: uninstall
encode: encode
decode: decode decoder decoding
encrypt: encrypt encryption
decrypt: decrypt decryption
compress: compress zip
decompress: decompress unzip extract
import: import
export: export
upload: upload
backup: backup
restore: restore recover undelete
push: push
pull: pull
follow: follow subscribe
unfollow: unfollow unsubscribe
like: like
dislike: dislike unlike
login: login signin authenticate authentication
logout: logout signout
increase: increase increment raise
decrease: decrease decrement lower reduce
merge: merge combine join
split: split divide
mark: mark
translate: translate translation translator
transcribe: transcribe transcription
summarize: summarize summarise summary
detect: detect detection recognize recognise identify
classify: classify categorize categorise
predict: predict forecast prediction
recommend: recommend suggest recommendation
compare: compare comparison
validate: validate verify verification validation
sort: sort
move: move rename
copy: copy duplicate clone
invite: invite invitation
record: record log save store
share: share
count: count
optimize: optimize optimise
simulate: simulate simulation
scrape: scrape crawl
submit: submit
navigate: navigate
click: click
feedback: feedback
balance: balance
grant: grant
`;

/** Deeds that leave the world as it was. */
const KNOWING: ReadonlySet<string> = new Set([
  "read",
  "calculate",
  "analyze",
  "convert",
  "generate",
  "count",
  "detect",
  "translate",
  "transcribe",
  "decode",
  "encode",
  "summarize",
  "predict",
  "recommend",
  "compare",
  "classify",
  "balance",
  "validate",
  "check",
  "download",
  "monitor",
]);

/** Different words for what may be one deed that changes something. */
const ALIKE = new Set(
  `create generate, create set, update set, create record, schedule create, reserve create, order buy`
    .split(/,\s*/)
    .flatMap((pair) => [pair.trim(), pair.trim().split(" ").toReversed().join(" ")]),
);

const actionByVerb: ReadonlyMap<string, string> = new Map(
  lines
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [action = "", verbs = ""] = line.split(":");
      return verbs
        .trim()
        .split(" ")
        .map((verb): [string, string] => [verb, action]);
    }),
);

/** Nouns of a deed, such as `reservation`: they say what is done only where no verb does. */
const NOUNS: ReadonlySet<string> = new Set(
  `information info calculation calculator computation estimation conversion converter transformation analysis assessment generator
  generation creation modification adjustment deletion removal message notification alert reservation booking order sale rental payment
  remittance donation returns cancellation application decoder encryption decryption translation translator transcription summary
  detection forecast prediction recommendation comparison verification validation invitation record log like share balance feedback
  simulation setting purchase transfer schedule plan study post end return play run open close access look measure change display
  sort copy count record store lock set`.split(/\s+/),
);

/** The action a word stands for, in any common form of it; `undefined` where it is no verb we know. */
export function actionOf(word: string): string | undefined {
  const known = actionByVerb.get(word);
  if (known !== undefined) return known;
  for (const base of bases(word)) {
    const action = actionByVerb.get(base);
    if (action !== undefined) return action;
  }
  return undefined;
}

/** Whether the word as it stands is a noun rather than a verb. */
export function isActionNoun(word: string): boolean {
  return NOUNS.has(word);
}

const nounsOfDeeds: ReadonlyMap<string, string> = new Map(
  NOUNS_OF_DEEDS.trim()
    .split(/,\s*/)
    .map((entry): [string, string] => {
      const [noun = "", action = ""] = entry.split(" ");
      return [noun, action];
    }),
);

/** The action that a noun is the name of, unless it is rather a thing: `reduction`, `reservation`. */
export function deedOfNoun(word: string): string | undefined {
  if (isThing(word)) return undefined;
  return nounsOfDeeds.get(word) ?? (isActionNoun(word) ? actionOf(word) : undefined);
}

/** Verbs that behind another word are the thing it is done to: "view schedule", "list orders". */
const THINGS: ReadonlySet<string> = new Set(
  `schedule schedules plan plans post posts record records order orders balance balances log logs like likes share shares play set sets
  measure measures count study studies feedback returns book books message messages track tracks transfer transfers setting settings feed store stores
  notification notifications alert alerts application applications information`.split(/\s+/),
);

const deedsByMeaning: ReadonlyMap<string, string> = new Map([
  ...[...nounsOfDeeds].map(([noun, action]): [string, string] => [meaningOf(noun), `to ${action}`]),
  ...[...THINGS].map((thing): [string, string] => [meaningOf(thing), `to ${actionOf(thing)}`]),
]);

/** The deed, as it stands among the objects of a tool (`to decrease`), that a meaning is the noun of. */
export function deedOfMeaning(meaning: string): string | undefined {
  return deedsByMeaning.get(meaning);
}

/** Whether a verb that does not come first is rather a thing. */
export function isThing(word: string): boolean {
  return THINGS.has(word);
}

/** Deeds that change nothing and yet are nothing else: whoever asks to have a file checked does not want to read it. */
const DISTINCT: ReadonlySet<string> = new Set([
  "download",
  "monitor",
  "validate",
  "recommend",
  "compare",
  "summarize",
  "translate",
  "encode",
  "decode",
]);

/** To check is to look something up or to find whether it is valid. */
const CHECKING: ReadonlySet<string> = new Set(["check", "validate"]);

/** Whether two actions may be one deed. What changes nothing is asked for in many words: a sum is got, calculated or generated. */
export function compareActions(a: string, b: string): "same" | "alike" | "different" {
  if (a === b) return "same";
  if (CHECKING.has(a) && CHECKING.has(b)) return "alike";
  if (isReading(a) && isReading(b)) return DISTINCT.has(a) || DISTINCT.has(b) ? "different" : "alike";
  return ALIKE.has(`${a} ${b}`) ? "alike" : "different";
}

/** Whether the action leaves the world as it was. */
export function isReading(action: string): boolean {
  return KNOWING.has(action);
}

function bases(word: string): string[] {
  const found: string[] = [];
  if (word.endsWith("s")) found.push(word.slice(0, -1));
  if (word.endsWith("es")) found.push(word.slice(0, -2));
  if (word.endsWith("ies")) found.push(`${word.slice(0, -3)}y`);
  for (const ending of ["ing", "ed"]) {
    if (!word.endsWith(ending)) continue;
    const root = word.slice(0, -ending.length);
    if (root.length < 3) continue;
    found.push(root, `${root}e`);
    if (root.at(-1) === root.at(-2)) found.push(root.slice(0, -1));
    if (root.endsWith("i")) found.push(`${root.slice(0, -1)}y`);
  }
  return found;
}
