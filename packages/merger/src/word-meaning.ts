/** Words of one line are taken for one thing, named by the first. */
const lines = `
user member username
company enterprise firm business corporation
text string sentence phrase content body passage
url link src href website site
film movie
picture image photo
car vehicle automobile auto
hotel lodging accommodation
phone telephone mobile cell
multiple bulk batch multi
schedule agenda
email mail
guid uuid
number quantity amount count num qty size value
location place city town where area
start origin source from departure begin
end destination target to arrival dest
initial first
price cost fare rate
weather climate
repository repo
folder directory dir
document doc
organisation organization org
colour color
favourite favorite
attendee participant guest people person party
spoken speech voice audio
type category kind
time datetime
language lang
query keyword search term q
maximum max
minimum min
latitude lat
longitude lon long lng
principal principle
id identifier identification
year
domain domainname
nonprofit charity
bank
title name
salon stylist
summary
ticker symbol
album
post
currency
reason
payee recipient receiver
remark postscript comment note
limit
page
product item good
bill invoice
job position
exam test
doctor physician
medicine drug medication
patient
road street
speed velocity
function
lower
upper
postal zip postcode
nation country
president
kid child children
`;

const meanings: ReadonlyMap<string, string> = new Map(
  lines
    .trim()
    .split("\n")
    .flatMap((line) => {
      const all = line.split(" ");
      return all.map((word): [string, string] => [word, all[0] ?? word]);
    }),
);

/** Words that say nothing of what a tool is about. */
const EMPTY: ReadonlySet<string> = new Set(
  `a an the of for to in on at by with from into and or as is are be it its this that these those your you their our his her which
  any each some given provide provided provides specified specific certain particular based using use used via per about
  tool tools api apis endpoint function functions method operation request requests call system
  detail details detailed info information data result results response value values various including include includes
  please can will would may must should allows allow enables able such e g i etc when where if then than not no only also
  perform performs performing do does doing make makes making carry out existing current currently latest new one two
  single between within against over under up down all-in through during before after related relevant available simple
  simply easily quickly efficiently free v version online real public helper util utils utility generic main
  what who whom how there here has have had was were been other another more most many much well own same
  json xml format output returned http https www com org rapidapi`.split(/\s+/),
);

/** Whether the word can be left out when what a tool is about is compared. */
export function isEmptyWord(word: string): boolean {
  return EMPTY.has(word);
}

/** One word for all forms and near synonyms of it: `movies` and `film` are both `film`. */
export function meaningOf(word: string): string {
  const known = meanings.get(word);
  if (known !== undefined) return known;
  const root = singular(word);
  return meanings.get(root) ?? light(root);
}

function singular(word: string): string {
  if (word.length <= 3 || word.endsWith("ss") || word.endsWith("us") || word.endsWith("is")) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:[sxz]|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

const ENDINGS = [
  "ational",
  "ation",
  "ition",
  "ments",
  "ment",
  "ings",
  "ing",
  "ally",
  "ical",
  "ness",
  "ions",
  "ion",
  "ive",
  "ed",
  "al",
  "ic",
  "ly",
  "e",
];

/** A light stem: enough that `conversion`, `convert` and `converting` differ by no more than their last letters. */
function light(word: string): string {
  for (const ending of ENDINGS) {
    if (word.length - ending.length >= 4 && word.endsWith(ending)) return word.slice(0, -ending.length);
  }
  return word;
}
