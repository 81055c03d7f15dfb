import type { PortNode } from "./ports.ts";
import { portName } from "./ports.ts";
import { wordsOf } from "./port-words.ts";
import type { QueryValue, ValueKind } from "./query-values.ts";

/** What an input's name says of the kind of value it takes. */
const KINDS: readonly (readonly [ValueKind, ReadonlySet<string>])[] = [
  ["email", new Set("email mail recipient".split(" "))],
  ["url", new Set("url uri link website href".split(" "))],
  ["date", new Set("date day checkin checkout arrival departure birthday deadline until since".split(" "))],
  ["time", new Set("time hour clock".split(" "))],
  ["path", new Set("path filepath file filename directory folder dir".split(" "))],
];
/** Inputs that take a mail address where there is one. */
const ADDRESSEE = new Set("to cc bcc recipient addressee".split(" "));
const MAIL = /\be-?mail\b|\bmail address\b/iu;
const FORMS: readonly (readonly [ValueKind, RegExp])[] = [
  ["email", /^[^\s@]+@[^\s@]+\.[^\s@]+$/u],
  ["url", /^https?:\/\/\S+$/iu],
  ["path", /^(?:~|\.{1,2})?\/\S*$|^[\w@+-][\w.@+/-]*\.\w{1,8}$/u],
];
/** Inputs that take a proper name, even where their own name does not stand beside it. */
const PROPER = new Set(
  `name title city location place country state region origin destination from to source target artist album song track movie film
  show person actor author user customer company organization brand product team player symbol station airport hotel restaurant venue
  address street keyword query q search term`.split(/\s+/),
);
/** What is looked for in the words of the user themselves. */
const FREE_TEXT = new Set("q query keyword search term question prompt topic".split(" "));
/** Letters before and after a value in which the name of its input is looked for. */
const BEFORE = 40;
const AFTER = 20;
/** Words that may stand between a name and its value. */
const LINKING = new Set("is are be to as named called equal s my".split(" "));
/** Words of a name that say how a thing is written, not what it is. */
const FORM = new Set("id identifier uuid number no code key name value the of".split(" "));

/** The typed values of one request, and how often each has been used. */
export interface ValueShelf {
  readonly text: string;
  readonly values: readonly QueryValue[];
  readonly uses: Map<QueryValue, number>;
}

export function valueShelf(text: string, values: readonly QueryValue[]): ValueShelf {
  return { text, values, uses: new Map() };
}

/** How sure it is that a value is meant for an input. */
export type ValueFit =
  /** Its kind is one that the input takes. */
  | "kind"
  /** And it is set off as a value, in quotes. */
  | "quoted"
  /** And the input's name stands beside it. */
  | "named";

/** A value of the sub-task's own part of the request goes before a surer one of another part. */
const OWN_PART = 2;
const WORTH: Readonly<Record<ValueFit, number>> = { kind: 1, quoted: 2, named: 3 };

/**
 * The value of the request that an input most likely means, of those that are not `taken`, or `undefined`. It must be of a kind that the input takes; an opaque input takes
 * only an id that stands beside the name of what it is the id of, or, if its name is bare ("id"), any id. What stands in the goal of the
 * sub-task goes before what stands elsewhere. Among equals the one that was used least, then the first: two calls of a search get two names.
 */
export function valueFor(
  shelf: ValueShelf,
  node: PortNode,
  goal: string = "",
  taken: ReadonlySet<QueryValue> = none,
): { readonly value: QueryValue; readonly fit: ValueFit } | undefined {
  const name = nameOf(node);
  let best: { readonly value: QueryValue; readonly fit: ValueFit } | undefined;
  let most = -Infinity;
  for (const value of shelf.values) {
    if (taken.has(value)) continue;
    const fit = fitOf(shelf.text, value, node, name);
    if (fit === undefined) continue;
    const isOwn = goal.includes(shelf.text.slice(value.start, value.end));
    const worth = WORTH[fit] + (isOwn ? OWN_PART : 0) - (shelf.uses.get(value) ?? 0);
    if (worth > most) [best, most] = [{ value, fit }, worth];
  }
  return best;
}

const none: ReadonlySet<QueryValue> = new Set();

/** By node, the words of its name: every plan asks for those of all ids. */
const names = new WeakMap<PortNode, readonly string[]>();

function nameOf(node: PortNode): readonly string[] {
  let name = names.get(node);
  if (name === undefined) {
    name = wordsOf(portName(node));
    names.set(node, name);
  }
  return name;
}

/** Counts the value as used. */
export function takeValue(shelf: ValueShelf, value: QueryValue): void {
  shelf.uses.set(value, (shelf.uses.get(value) ?? 0) + 1);
}

/** Whether the words of a request themselves are what the input looks for. */
export function takesFreeText(node: PortNode): boolean {
  const name = wordsOf(portName(node));
  return (node.type ?? "string") === "string" && !node.opaque && FREE_TEXT.has(name.at(-1) ?? "");
}

function fitOf(text: string, value: QueryValue, node: PortNode, name: readonly string[]): ValueFit | undefined {
  if (node.opaque) return fitOfId(text, value, name);
  const isNamed = standsBeside(text, value, name);
  const asKind = isNamed ? "named" : "kind";
  const kind = kindOf(value);
  const isAddressee = name.some((word) => ADDRESSEE.has(word)) || MAIL.test(node.description);
  const wanted = isAddressee ? "email" : KINDS.find(([, words]) => name.some((word) => words.has(word)))?.[0];
  if (wanted !== undefined && kind === wanted) return asKind;
  // What is quoted beside the name is meant, whatever its form; a recipient may be a person.
  if (wanted !== undefined && value.kind === "quoted") return isNamed ? "named" : undefined;
  if (wanted !== undefined && !(isAddressee && value.kind === "name")) return undefined;
  if (node.type === "number") return value.kind === "number" ? asKind : undefined;
  if (node.type !== undefined && node.type !== "string") return undefined;
  if (value.kind === "quoted") return isNamed ? "named" : "quoted";
  if (value.kind === "name") return isNamed || name.some((word) => PROPER.has(word)) ? asKind : undefined;
  return isNamed && value.kind !== "number" ? "named" : undefined;
}

/** An id stands behind what it is the id of; a number too ("order 4711"), and any id for an input that does not say of what. */
function fitOfId(text: string, value: QueryValue, name: readonly string[]): ValueFit | undefined {
  const isNamed = standsBehind(text, value, name);
  if (value.kind === "number") return isNamed && Number.isInteger(value.value) ? "named" : undefined;
  if (value.kind !== "id") return undefined;
  if (isNamed) return "named";
  return name.every((word) => FORM.has(word)) ? "kind" : undefined;
}

/** The kind of a value, also of one that is quoted: a quoted address is an address. */
function kindOf({ kind, value }: QueryValue): ValueKind {
  if (kind !== "quoted" || typeof value !== "string") return kind;
  return FORMS.find(([, form]) => form.test(value))?.[0] ?? kind;
}

/** By value, the last word before it that may be a name. */
const lastBefore = new WeakMap<QueryValue, string>();

/** Whether the value follows a word of the name ("the user id is …", "order #…"), or the name a number ("3 nights"). */
function standsBeside(text: string, value: QueryValue, name: readonly string[]): boolean {
  if (standsBehind(text, value, name)) return true;
  const [next = ""] = wordsOf(text.slice(value.end, value.end + AFTER));
  return value.kind === "number" && !FORM.has(next) && name.includes(next);
}

function standsBehind(text: string, value: QueryValue, name: readonly string[]): boolean {
  let last = lastBefore.get(value);
  if (last === undefined) {
    const before = wordsOf(text.slice(Math.max(0, value.start - BEFORE), value.start));
    last = before.findLast((word) => !FORM.has(word) && !LINKING.has(word)) ?? "";
    lastBefore.set(value, last);
  }
  return last !== "" && name.includes(last);
}
