declare module "wink-porter2-stemmer" {
  /** Stem of one lower-case English word by the Snowball English algorithm (Porter 2). */
  function stem(word: string): string;
  export = stem;
}
