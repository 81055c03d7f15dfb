// oxlint-disable-next-line typescript/triple-slash-reference -- packages that take the sources must find the declarations too
/// <reference path="./wink-porter2-stemmer.d.ts" />
import { stopWords } from "@setwise/core";
import porter2 from "wink-porter2-stemmer";

/** Longer letter runs are not words of a language; stemming them would only cost time. */
const LONGEST_STEMMED = 40;
/** Distinct words remembered for the whole process; a full cache is emptied, so that memory stays bounded. */
const CACHE_WORDS = 50_000;
/** From this length on a slice of a text keeps the whole text alive, so the cache holds copies. */
const SLICE_LENGTH = 13;
/**
 * Every ending that the Snowball English algorithm removes or changes ends in one of these; other words, about half of them,
 * are their own stems. Starting a process, the stemmer's patterns are the slowest part of building an index.
 */
const CHANGED_ENDING = /(?:[seyi]|ed|ing|[ae]nt|ion|ism|[eo]r|ic|al|ul|ll)$/;

const cache = new Map<string, string>();

/** The stem of a lower-case word, or the empty string for a stop word. Same word, same stem; remembered. */
export function stem(word: string): string {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const own = word.length < SLICE_LENGTH ? word : Buffer.from(word).toString();
  const found = stopWords.has(own) ? "" : isEnglish(own) && CHANGED_ENDING.test(own) ? porter2(own) : own;
  if (cache.size >= CACHE_WORDS) cache.clear();
  cache.set(own, found);
  return found;
}

function isEnglish(word: string): boolean {
  if (word.length < 3 || word.length > LONGEST_STEMMED) return false;
  for (let position = 0; position < word.length; position++) {
    const code = word.charCodeAt(position);
    if (code < 97 || code > 122) return false;
  }
  return true;
}
