import { type PortMeaning, rowCosine } from "./port-meaning.ts";
import type { PortWorld } from "./port-world.ts";
import { typeFit } from "./type-fit.ts";
import { LOGIN } from "./word-concepts.ts";

/** What speaks for a link from an output to an input, each 0 to 1. */
export const evidenceNames = [
  /** Always 1. */
  "always",
  /** Both have the same name. */
  "sameName",
  /** Rare words that the names share, of all they have. */
  "namesAlike",
  /** Of the input's name, what the output and its surroundings have. */
  "inputCovered",
  /** Of the output's name, what the input and its surroundings have. */
  "outputCovered",
  "bothCovered",
  /** Of the tool's objects, what the input's description mentions. */
  "toolMentioned",
  /** Words that the names of the two tools share, of all they have. */
  "toolsAlike",
  "sameServer",
  /** Cosine of the two texts. */
  "meaning",
  /** Cosine of the producer as a whole to the input. */
  "toolMeaning",
  /** Cosine of the two tools. */
  "toolsMeaning",
  "sameConcept",
  /** The producer takes an argument of the input's name itself. */
  "takesTheSame",
  /** The producer needs nothing. */
  "needsNothing",
  "conceptForNothing",
  /** The producer signs in, and the input is what one gets by that. */
  "signsIn",
  "creates",
  "changes",
  /** The output is a result of which nothing is known. */
  "whole",
  "wholeSameName",
  "wrongType",
  "opaque",
  "opaqueSameName",
  /** The input is opaque and the output is not. */
  "opaqueFromPlain",
  "opaqueToolsAlike",
  "meaningToolsAlike",
  "optional",
  /** Of the tools that give something of the input's name, the part that the producer is. */
  "onlyGiver",
  "opaqueOnlyGiver",
  /** The input is opaque, and the producer cannot be called without one itself. */
  "opaqueNeedsTheSame",
] as const;

export type EvidenceReader = (output: number, into: Float64Array) => void;

const one = (value: boolean): number => (value ? 1 : 0);

/** Words of the input that is looked at, marked by its number: no set is made anew for each. */
export interface EvidenceMarks {
  readonly name: Int32Array;
  readonly around: Int32Array;
  readonly mentioned: Int32Array;
  readonly tool: Int32Array;
  count: number;
}

/** Room for words that come later, so that marks are not made anew for each. */
const MARKS_GROWTH = 1.25;

/** Marks for all words of the world: those that are known, if they have room for them. */
export function marksFor({ vocabulary }: PortWorld, known?: EvidenceMarks): EvidenceMarks {
  const words = vocabulary.numbers.size;
  if (known !== undefined && known.name.length >= words) return known;
  const marks = (): Int32Array => new Int32Array(Math.ceil(MARKS_GROWTH * words));
  return { name: marks(), around: marks(), mentioned: marks(), tool: marks(), count: 0 };
}

/** Reads the evidence for links into one input; it holds until the marks are used for another one. */
export function evidenceFor(
  world: PortWorld,
  meaning: PortMeaning | undefined,
  input: number,
  marks: EvidenceMarks,
): EvidenceReader {
  const { nodes, ports, tools } = world;
  const { rarity } = world.vocabulary;
  const node = nodes[input]!;
  const port = ports[input]!;
  const { signals: consumer, whole: consumerWhole } = tools[node.tool]!;
  const mark = ++marks.count;
  const { name: own, around, mentioned, tool: consumerWords } = marks;
  for (const word of port.name) own[word] = around[word] = mark;
  for (const word of port.context) around[word] = mark;
  for (const word of port.mentions) mentioned[word] = mark;
  for (const word of consumer.words) consumerWords[word] = mark;
  const ownWeight = sum(port.name, rarity);
  const consumerWeight = sum(consumer.words, rarity);
  const inputRow = meaning?.rows[input] ?? 0;
  const consumerRow = meaning?.rows[consumerWhole] ?? 0;
  const givers = world.givers.get(port.key) ?? 1;
  const opaque = one(node.opaque);
  // Outputs of one tool come one behind the other: what is the same for all of them is worked out once.
  let last = -1;
  const of = { toolsAlike: 0, mentions: 0, toolMeaning: 0, toolsMeaning: 0, takesTheSame: 0, needsTheSame: 0 };
  const readTool = (number: number): void => {
    last = number;
    const { signals, whole, argumentKeys, requiredKeys } = tools[number]!;
    let shared = 0;
    let weight = 0;
    for (const word of signals.words) {
      weight += rarity[word]!;
      if (consumerWords[word] === mark) shared += rarity[word]!;
    }
    let mentions = 0;
    let objects = 0;
    for (const word of signals.objects) {
      objects += rarity[word]!;
      if (mentioned[word] === mark) mentions += rarity[word]!;
    }
    of.toolsAlike = share(shared, weight + consumerWeight - shared);
    of.mentions = share(mentions, objects);
    of.takesTheSame = one(argumentKeys.has(port.key));
    of.needsTheSame = one(requiredKeys.has(port.key));
    if (meaning === undefined) return;
    const row = meaning.rows[whole]!;
    of.toolMeaning = rowCosine(meaning, row, inputRow);
    of.toolsMeaning = rowCosine(meaning, row, consumerRow);
  };

  return (output, into) => {
    const from = nodes[output]!;
    const given = ports[output]!;
    const { signals: producer, requiredKeys } = tools[from.tool]!;
    if (from.tool !== last) readTool(from.tool);
    let shared = 0;
    let outputCovered = 0;
    let outputWeight = 0;
    for (const word of given.name) {
      const weight = rarity[word]!;
      outputWeight += weight;
      if (own[word] === mark) shared += weight;
      if (around[word] === mark) outputCovered += weight;
    }
    let covered = shared;
    for (const word of given.context) if (own[word] === mark) covered += rarity[word]!;
    const isWhole = from.path.length === 0;
    const whole = one(isWhole);
    const sameName = one(given.key === port.key && port.key !== "");
    const onlyGiver = sameName / givers;
    const inputShare = share(covered, ownWeight);
    const outputShare = share(outputCovered, outputWeight);
    const sameConcept = one((port.concepts & (given.concepts | producer.concepts)) !== 0);
    const needsNothing = one(requiredKeys.size === 0);
    const cosine =
      meaning === undefined ? 0 : isWhole ? of.toolMeaning : rowCosine(meaning, meaning.rows[output]!, inputRow);
    let place = 0;
    into[place++] = 1;
    into[place++] = sameName;
    into[place++] = share(shared, ownWeight + outputWeight - shared);
    into[place++] = inputShare;
    into[place++] = outputShare;
    into[place++] = inputShare * outputShare;
    into[place++] = of.mentions;
    into[place++] = of.toolsAlike;
    into[place++] = one(producer.server !== undefined && producer.server === consumer.server);
    into[place++] = cosine;
    into[place++] = of.toolMeaning;
    into[place++] = of.toolsMeaning;
    into[place++] = sameConcept;
    into[place++] = of.takesTheSame;
    into[place++] = needsNothing;
    into[place++] = sameConcept * needsNothing;
    into[place++] = one(producer.deed === "signs-in" && (port.concepts & LOGIN) !== 0);
    into[place++] = one(producer.deed === "creates");
    into[place++] = one(producer.deed === "changes");
    into[place++] = whole;
    into[place++] = whole * sameName;
    into[place++] = 1 - typeFit(from, node);
    into[place++] = opaque;
    into[place++] = opaque * sameName;
    into[place++] = one(node.opaque && !from.opaque && !isWhole);
    into[place++] = opaque * of.toolsAlike;
    into[place++] = cosine * of.toolsAlike;
    into[place++] = one(!node.required);
    into[place++] = onlyGiver;
    into[place++] = opaque * onlyGiver;
    into[place++] = opaque * of.needsTheSame;
  };
}

function sum(words: readonly number[], rarity: readonly number[]): number {
  let total = 0;
  for (const word of words) total += rarity[word]!;
  return total;
}

function share(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}
