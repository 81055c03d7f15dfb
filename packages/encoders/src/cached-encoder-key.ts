import { createHash } from "node:crypto";

/** 128 bits: among a billion texts, two with the same key are a matter of 10⁻²¹. */
export const KEY_BYTES = 16;

/**
 * The name of one vector: the beginning of SHA-256 over encoder, side and text, as a string of 16 characters from 0 to
 * 255 (one byte each).
 */
export function embeddingKey(encoderName: string, as: "query" | "document", text: string): string {
  // A half of a surrogate pair has no UTF-8: all of them would be written as the same replacement character.
  const encoding = /\p{Surrogate}/u.test(text) ? "utf16le" : "utf8";
  return createHash("sha256")
    .update(`${encoderName}\0${as}\0${encoding}\0`)
    .update(text, encoding)
    .digest()
    .toString("latin1", 0, KEY_BYTES);
}
