/**
 * English words that say nothing of what a tool does: articles, pronouns, prepositions, auxiliaries and polite filler.
 * Verbs of action ("get", "show") are not among them: how common they are in a catalog decides what they weigh.
 */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by can
  could did do does doing down during each few for from further had has have having he her here hers him his how i if in
  into is it its itself just me more most my no nor not now of off on once only or other our out over own please same she
  should so some such than that the their them then there these they this those through to too under until up us very was
  we were what when where which while who whom why will with would you your`
    .split(/\s+/)
    .filter((word) => word.length > 0),
);
