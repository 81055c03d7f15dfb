/** How a BERT tokenizer prepares a text; the names are those of `BertNormalizer` in a `tokenizer.json`. */
export interface BertWordOptions {
  readonly lowercase: boolean;
  readonly stripAccents: boolean;
}

const plainText = /^[ -~\t\n\r]*$/;
const plainWords = /[^\s!-/:-@[-`{-~]+|[!-/:-@[-`{-~]/g;
const words = /[^\s\p{P}!-/:-@[-`{-~]+|[\p{P}!-/:-@[-`{-~]/gu;
/** Control, format, private and lone surrogate characters, and the replacement character. */
const invisible = /(?![\t\n\r])[\uFFFD\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const ideograph =
  /[\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B820}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/gu;
const accent = /\p{Mn}/gu;

/**
 * The words of `text` as BERT's basic tokenizer cuts them: invisible characters dropped, ideographs and punctuation
 * each a word of its own, the rest cut at white space (Devlin et al. 2018, `tokenization.py`).
 */
export function bertWords(text: string, options: BertWordOptions): readonly string[] {
  if (plainText.test(text)) return (options.lowercase ? text.toLowerCase() : text).match(plainWords) ?? [];
  let clean = text.replace(invisible, "").replace(ideograph, " $& ");
  if (options.lowercase) clean = clean.toLowerCase();
  if (options.stripAccents) clean = clean.normalize("NFD").replace(accent, "");
  return clean.match(words) ?? [];
}
