import { isSchema, type JsonSchema } from "@setwise/core";
import type { SchemaConverter } from "./tool-draft.ts";
import { isZod3, zod3Schema } from "./zod-3.ts";

/** A JSON Schema, or why there is none. */
export type ConvertedSchema = { readonly schema: JsonSchema } | { readonly reason: string };

/** How the AI SDK marks what `jsonSchema()` and `zodSchema()` return. */
export const aiSdkMarker: symbol = Symbol.for("vercel.ai.schema");

/**
 * The JSON Schema of whatever stands where a schema is expected: JSON Schema itself (given back by reference), the AI SDK's
 * `jsonSchema()`, Zod 4, Zod 3, ArkType, any Standard Schema with a JSON Schema export, or a function that makes one of
 * these. Uses the object's own export and imports no vendor. May throw what the object's own code throws.
 */
export function vendorSchema(value: unknown, toJsonSchema?: SchemaConverter): ConvertedSchema {
  const carrier = value as Record<string | symbol, unknown>;
  if ((typeof value !== "object" && typeof value !== "function") || value === null || Array.isArray(value)) {
    return { reason: "its schema is no object" };
  }
  if (carrier[aiSdkMarker] === true) return checked(carrier["jsonSchema"], "jsonSchema()");
  const exported = ownExport(carrier);
  if (exported !== undefined) return checked(exported, "its schema's own export");
  if (typeof value === "function" && !("~standard" in carrier)) return vendorSchema(value(), toJsonSchema);
  if (!isVendorSchema(value)) return { schema: carrier };
  const converted =
    toJsonSchema === undefined ? undefined : attempt(() => toJsonSchema(value as never), isZod3(carrier));
  if (converted !== undefined) return checked(converted, "the toJsonSchema option");
  if (isZod3(carrier)) return { schema: zod3Schema(carrier) };
  return {
    reason: `its ${vendorOf(carrier)} schema cannot export JSON Schema by itself; give a converter as the option toJsonSchema (for Zod Mini: z.toJSONSchema)`,
  };
}

/** Whether `value` is a vendor's schema object and not JSON Schema. */
export function isVendorSchema(value: unknown): boolean {
  if (typeof value === "function") return true;
  if (!isSchema(value)) return false;
  return (
    (value as Record<symbol, unknown>)[aiSdkMarker] === true || "~standard" in value || "_zod" in value || isZod3(value)
  );
}

/** Zod 4's method, the Standard JSON Schema interface, or ArkType's method. */
function ownExport(carrier: Record<string | symbol, unknown>): unknown {
  const { toJSONSchema, toJsonSchema } = carrier as Record<string, unknown>;
  if (typeof toJSONSchema === "function") return toJSONSchema.call(carrier, { io: "input", unrepresentable: "any" });
  const standard = carrier["~standard"];
  if (isSchema(standard) && isSchema(standard["jsonSchema"])) {
    const { input } = standard["jsonSchema"];
    if (typeof input === "function") return input({ target: "draft-2020-12" });
  }
  return typeof toJsonSchema === "function" ? toJsonSchema.call(carrier) : undefined;
}

/** A converter made for Zod 4 throws on Zod 3, for which there is another way; anything else it throws is for the caller. */
function attempt(convert: () => unknown, hasOtherWay: boolean): unknown {
  try {
    return convert();
  } catch (error) {
    if (hasOtherWay) return undefined;
    throw error;
  }
}

function checked(schema: unknown, from: string): ConvertedSchema {
  if (schema instanceof Promise) return { reason: `${from} is asynchronous; await it and give the tool its result` };
  return isSchema(schema) ? { schema } : { reason: `${from} gave no object` };
}

function vendorOf(carrier: Record<string | symbol, unknown>): string {
  const standard = carrier["~standard"];
  return isSchema(standard) && typeof standard["vendor"] === "string" ? standard["vendor"].slice(0, 40) : "vendor";
}
