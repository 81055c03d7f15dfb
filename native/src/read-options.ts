import { wrongType } from "./check-arguments.ts";

/**
 * Options that were read, each once and all of them before anything is checked or opened: a getter could answer otherwise the next
 * time, change an array that was checked, or dispose of what is asked.
 */
export type Read<Options> = { readonly [Name in keyof Options]?: Options[Name] | undefined };

/** Refuses what holds no options. */
export function checkOptions<Options extends object>(name: string, options: Options): Options {
  if (typeof options === "object" && options !== null) return options;
  throw wrongType(name, "an object", options);
}
