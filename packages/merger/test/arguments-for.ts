import fc from "fast-check";
import type { JsonSchema, Tool } from "@setwise/core";

const names = ["convert_currency", "currency_conversion", "currencyConverter", "convertCurrencies"] as const;
const descriptions = [
  "Convert money from one currency to another",
  "Converts an amount of money between two currencies",
  "",
] as const;

const amount: readonly JsonSchema[] = [
  { type: "number" },
  { type: "integer", minimum: 0 },
  { type: "string", description: "as text" },
  { type: "number", exclusiveMinimum: 0, maximum: 1000 },
  { anyOf: [{ type: "number" }, { type: "null" }] },
];
const currency: readonly JsonSchema[] = [
  { type: "string" },
  { type: "string", enum: ["EUR", "USD", "GBP"] },
  { type: "string", minLength: 3, maxLength: 3 },
  { type: "string", pattern: "^[A-Z]{3}$" },
];
const extras: Readonly<Record<string, readonly JsonSchema[]>> = {
  date: [{ type: "string" }, { type: "string", format: "date" }, { type: "integer" }],
  precision: [{ type: "integer", minimum: 0, maximum: 10 }, { type: "string" }],
  live: [{ type: "boolean" }],
  tags: [{ type: "array", items: { type: "string" }, maxItems: 3 }],
  options: [
    { type: "object", properties: { fee: { type: "number" } }, required: ["fee"], additionalProperties: false },
  ],
};

/** A tool that converts money, in one of many ways to say so; argument names, types and needs differ. */
export const anyConverter: fc.Arbitrary<Omit<Tool, "id" | "original">> = fc
  .record({
    name: fc.constantFrom(...names),
    description: fc.constantFrom(...descriptions),
    amount: fc.tuple(fc.constantFrom("amount", "value", "quantity"), fc.constantFrom(...amount)),
    from: fc.tuple(fc.constantFrom("from", "from_currency", "source_currency"), fc.constantFrom(...currency)),
    to: fc.tuple(fc.constantFrom("to", "to_currency", "target_currency"), fc.constantFrom(...currency)),
    needed: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
    others: fc.uniqueArray(
      fc
        .constantFrom(...Object.keys(extras))
        .chain((name) => fc.tuple(fc.constant(name), fc.constantFrom(...(extras[name] ?? [])), fc.boolean())),
      { selector: ([name]) => name, maxLength: 3 },
    ),
    closed: fc.boolean(),
  })
  .map(({ name, description, amount: a, from, to, needed, others, closed }) => {
    const plain = [a, from, to].map(([argument, schema], place) => [argument, schema, needed[place] ?? false] as const);
    const all = [...plain, ...others];
    return {
      name,
      description,
      inputSchema: {
        type: "object",
        properties: Object.fromEntries(all.map(([argument, schema]) => [argument, schema])),
        required: all.flatMap(([argument, , required]) => (required ? [argument] : [])),
        ...(closed ? { additionalProperties: false } : {}),
      },
    };
  });

/** Arguments that are valid for a schema made of the parts above. */
export function argumentsFor(schema: JsonSchema): fc.Arbitrary<Record<string, unknown>> {
  const properties = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>);
  const required = new Set((schema["required"] ?? []) as readonly string[]);
  return fc.record(Object.fromEntries(properties.map(([name, part]) => [name, valueFor(part)])), {
    requiredKeys: properties.map(([name]) => name).filter((name) => required.has(name)),
    noNullPrototype: true,
  });
}

function valueFor(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (Array.isArray(schema["anyOf"])) return fc.oneof(...schema["anyOf"].map((branch: JsonSchema) => valueFor(branch)));
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...(schema["enum"] as unknown[]));
  if (schema["pattern"] !== undefined) return fc.constantFrom("EUR", "USD", "CHF");
  if (schema["format"] === "date") return fc.constantFrom("2026-01-31", "1999-12-01");
  switch (schema["type"]) {
    case "number":
      return schema["maximum"] === undefined
        ? fc.double({ noNaN: true, noDefaultInfinity: true })
        : fc.double({ min: 0.5, max: 1000, noNaN: true });
    case "integer":
      return fc.integer({ min: 0, max: 10 });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(fc.string(), { maxLength: 3 });
    case "object":
      return fc.record({ fee: fc.double({ noNaN: true, noDefaultInfinity: true }) });
    default:
      return schema["minLength"] === 3 ? fc.constantFrom("EUR", "abc") : fc.string();
  }
}
