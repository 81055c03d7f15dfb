/** A JSON object whose fields are still unknown. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value if it is an object and no list. */
export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** The objects of a list; nothing for what is no list. */
export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value)
    ? value.flatMap((one: unknown): readonly JsonObject[] => {
        const object = objectOf(one);
        return object === undefined ? [] : [object];
      })
    : [];
}

/** The value if it is a text with something in it. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** The texts of a list; `undefined` for what is no list of texts. */
export function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((one) => typeof one === "string") ? value : undefined;
}

/** An id that may be a number. */
export function idOf(value: unknown): string | undefined {
  return typeof value === "number" ? String(value) : textOf(value);
}
