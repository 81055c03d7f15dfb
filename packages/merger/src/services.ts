import { isReading } from "./actions.ts";
import { splitWords } from "./split-words.ts";
import type { Objection } from "./objection.ts";
import type { ToolProfile } from "./tool-profile.ts";
import { meaningOf } from "./word-meaning.ts";

/** Words of a service's name that many services have. */
const GENERIC: ReadonlySet<string> = new Set(
  `api apis data service services tool tools v scraper downloader free ai by pro cheapest the of for and all in unofficial official
  public info information rest web app online best fast simple easy ultimate real time latest new mcp server client generator
  converter checker finder search io com net org basic plus premium helper function functions with cheap quick live hub box
  measurement conversion exchange rates currency unit units translator translation`.split(/\s+/),
);

/** What is the same wherever it is asked: formulas, conversions, codes, and facts that belong to nobody. */
const EVERYWHERE: ReadonlySet<string> = new Set(
  `convert calculate encode decode count uuid guid qr qrcode currency unit whois weather bmi hash base64 distance converter conversion sentiment`.split(
    " ",
  ),
);
/** What belongs to one account, session or store. */
const OWNED: ReadonlySet<string> = new Set(
  `me account cart session store shop user my allowed permitted favorite favourite favorites order subscription inbox calendar language languages currencies supported
  browser page tab window credential wallet balance profile playlist customer draft notification`.split(" "),
);

/** Platforms of which several services give the same public data, by the platform's own ids and names. */
const PLATFORMS: ReadonlySet<string> = new Set(
  `instagram spotify tiktok youtube twitter facebook linkedin reddit telegram whatsapp pinterest snapchat twitch vimeo soundcloud deezer
  github gitlab google amazon ebay walmart aliexpress etsy shopify imdb tmdb netflix steam realtor zillow redfin airbnb booking
  tripadvisor yelp wikipedia wikidata bitcoin ethereum binance coinbase yahoo bing duckduckgo arxiv pubmed crossref hackernews medium`
    .split(/\s+/)
    .map(meaningOf),
);

/** Services of which a tool that names one is not a tool that does not: `yelp_search` is not `search`. */
const NAMED_SERVICES: ReadonlySet<string> = new Set(
  `instagram spotify tiktok youtube twitter facebook linkedin reddit telegram whatsapp pinterest snapchat vimeo soundcloud deezer github
  gitlab bitbucket google amazon ebay walmart aliexpress etsy shopify imdb tmdb netflix realtor zillow redfin airbnb tripadvisor yelp
  wikipedia wikidata binance coinbase yahoo bing duckduckgo arxiv pubmed crossref hackernews gmail outlook slack discord notion jira
  trello asana stripe paypal uber lyft doordash opentable expedia ticketmaster eventbrite strava fitbit dropbox onedrive salesforce
  hubspot zendesk woocommerce mailchimp twilio okta allrecipes yummly kaufland otto axesso`.split(/\s+/),
);

/** Where one of two tools names a service that the other does not. */
function differenceInNamedServices(a: ToolProfile, b: ToolProfile): Objection | undefined {
  const [x, y] = [servicesNamedBy(a), servicesNamedBy(b)];
  const only = [...x].find((word) => !y.has(word)) ?? [...y].find((word) => !x.has(word));
  if (only === undefined || (isEverywhere(a) && isEverywhere(b))) return undefined;
  return { reason: `Only one of them is of ${only}.`, wouldChange: `The same service named in both, or a pin.` };
}

function servicesNamedBy({ written, service, namespace }: ToolProfile): ReadonlySet<string> {
  const words = [...written, ...service, ...namespace];
  return new Set(words.filter((word) => NAMED_SERVICES.has(word)));
}

/** Where two tools belong to services or servers of which each acts on things of its own. */
export function differenceInServices(a: ToolProfile, b: ToolProfile): Objection | undefined {
  const services = differenceInMarket(a, b) ?? differenceInNamedServices(a, b);
  if (services !== undefined) return services;
  const [x, y] = [a.tool.server, b.tool.server];
  if (x === y) return undefined;
  if (x !== undefined && y !== undefined && isAccountOf(x, y)) {
    return {
      reason: `The servers ${x} and ${y} look like two accounts of one service.`,
      wouldChange: "A pin, if both see the same things.",
    };
  }
  if (isAnywhere(a) && isAnywhere(b)) return undefined;
  const [here, there] = [x ?? "no server", y ?? "no server"];
  if (!reads(a) || !reads(b)) {
    return {
      reason: `Both change something, one on ${here}, the other on ${there}.`,
      wouldChange: "A pin, if both servers act on the same things.",
    };
  }
  const owned = [...a.nameWords, ...b.nameWords].find((word) => OWNED.has(word));
  if (owned === undefined) return undefined;
  return {
    reason: `Each of ${here} and ${there} has a ${owned} of its own.`,
    wouldChange: "A pin, if both servers see the same things.",
  };
}

/** Services of a market place: one brand, or a job that is the same wherever it is done. */
function differenceInMarket(a: ToolProfile, b: ToolProfile): Objection | undefined {
  if (a.service.join(" ") === b.service.join(" ")) return undefined;
  const [x, y] = [brand(a.service), brand(b.service)];
  const owned = [...a.nameWords, ...b.nameWords].find((word) => OWNED.has(word));
  const isOnePlatform = x.some((word) => PLATFORMS.has(word) && y.includes(word));
  const isEachItsOwn = x.some((word) => !y.includes(word)) && y.some((word) => !x.includes(word));
  if (isOnePlatform && !isEachItsOwn) return undefined;
  // The same service, published twice: a topic that both have, such as "news", says nothing of whose data it is.
  if (owned === undefined && x.length > 0 && x.length === y.length && x.every((word) => y.includes(word)))
    return undefined;
  if (owned === undefined && isEverywhere(a) && isEverywhere(b)) return undefined;
  return {
    reason: `They belong to services of other names (${a.service.join(" ") || "none"}; ${b.service.join(" ") || "none"}).`,
    wouldChange: "A pin, if both services hold the same data.",
  };
}

function brand(service: readonly string[]): readonly string[] {
  return service
    .filter((word, place) => !GENERIC.has(word) && !(/^[0-9]/.test(word) && service[place - 1] === "v"))
    .map(meaningOf);
}

/** Of these a sentence is enough: they look at nothing but what they are given. */
const PURE: ReadonlySet<string> = new Set("uuid guid qr qrcode bmi hash base64 sentiment".split(" "));

function isEverywhere(profile: ToolProfile): boolean {
  if (needsId(profile)) return false;
  if ([...profile.written].some((word) => PURE.has(word))) return true;
  return profile.nameWords.some((word) => EVERYWHERE.has(word) || EVERYWHERE.has(word.replace(/s$/, "")));
}

/** An id is one of somebody's records: a QR code by `phone_id` is no code of a text. */
function needsId({ parameters }: ToolProfile): boolean {
  return parameters?.some((parameter) => parameter.required && parameter.kind === "id") === true;
}

function reads(profile: ToolProfile): boolean {
  const { annotations } = profile.tool;
  if (annotations?.readOnlyHint !== undefined) return annotations.readOnlyHint;
  return [profile.nameAction, profile.descriptionAction].every((action) => action === undefined || isReading(action));
}

/** Formulas, and the files of this machine: all servers see the same. */
function isAnywhere(profile: ToolProfile): boolean {
  const isFile = profile.nameWords.some((word) =>
    ["file", "files", "directory", "directories", "folder"].includes(word),
  );
  const takesPath =
    profile.parameters?.some((parameter) => /^(?:paths?|source|destination)$/.test(parameter.name)) ?? false;
  return (isFile && takesPath) || (reads(profile) && isEverywhere(profile));
}

/** `github-work` and `github-personal`, `gmail` and `gmail_2`: one name and what tells accounts apart. */
function isAccountOf(a: string, b: string): boolean {
  const [x, y] = [splitWords(a), splitWords(b)].map((words) =>
    words.filter((word) => !["mcp", "server"].includes(word)),
  );
  return x !== undefined && y !== undefined && x.length > 0 && x[0] === y[0];
}
