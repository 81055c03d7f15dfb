/** Verbs with which people ask for something to be done; a clause that begins with one is a request of its own. */
export const requestVerbs: ReadonlySet<string> = new Set(
  `get find show list create make give tell provide search look check fetch retrieve calculate compute convert translate
  generate send book schedule order buy cancel update delete remove add set open close play recommend suggest compare analyze
  analyse identify determine verify explain describe summarize summarise help need want track monitor plan design write read
  download upload save export import share post publish reserve rent pay transfer return exchange modify change edit rename
  move copy upgrade downgrade estimate predict evaluate assess measure count sort filter rank extract parse detect recognize
  classify encode decode encrypt decrypt compress merge split combine plot draw render visualize optimize start stop run
  execute launch turn enable disable lock unlock call email message remind notify subscribe register sign log apply submit
  request ask confirm review locate navigate browse explore discover obtain access query lookup know see view watch listen
  learn assist guide arrange organize prepare simulate solve figure adjust increase decrease reduce assign invite join leave
  follow report record store collect gather select choose pick offer include ensure use investigate visit conduct perform
  purchase develop implement manage advise inform inquire deliver ship map take put append replace install deploy restart
  refund approve reject archive restore reset attach insert drop forward reply translate transcribe scan print clear commit
  push pull clone fork tag label reopen escalate mail phone contact click fill type press scroll drag hover kill paste resize
  crop rotate draft`.split(/\s+/),
);

/** Words that may stand before what a clause asks for: "then also please find …". */
export const leadWords: ReadonlySet<string> = new Set(
  `and then also additionally furthermore moreover finally lastly next afterwards afterward besides plus first second third
  secondly firstly thirdly meanwhile please kindly later`.split(/\s+/),
);

/** Connecting words after which a new request begins even without a known verb. */
export const strongConnectors: ReadonlySet<string> = new Set(["then", "also", "finally", "lastly", "afterwards"]);

/** Words with which a question begins. */
export const questionWords: ReadonlySet<string> = new Set(
  "what how which who where when why is are does do did".split(" "),
);

/** Two and more words that make a clause a request wherever they stand. */
export const requestPhrases: readonly (readonly string[])[] = [
  ..."can could would will".split(" ").map((auxiliary) => [auxiliary, "you"]),
  ..."need want wish".split(" ").map((verb) => ["i", verb]),
  ..."need want like love".split(" ").flatMap((verb) => [
    ["i'd", verb],
    ["i", "would", verb],
    ["i", "also", verb],
    ["i'd", "also", verb],
    ["i", "would", "also", verb],
    ["we", verb],
  ]),
  ..."looking interested trying planning".split(" ").flatMap((participle) => [
    ["i'm", participle],
    ["i", "am", participle],
    ["i'm", "also", participle],
    ["i", "am", "also", participle],
  ]),
  ...["help", "tell", "show", "give", "find", "get", "send"].map((verb) => [verb, "me"]),
  ["help", "us"],
  ["let", "me", "know"],
  ["please"],
];
