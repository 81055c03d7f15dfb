import { refuseAborted, SetwiseError } from "@setwise/core";
import { encodeState } from "./encode-state.ts";
import { type Selector, selectorOver } from "./selector.ts";
import { openSetting, type SettingOptions } from "./selector-setting.ts";
import { readState } from "./selector-state.ts";

export interface SelectorOptions extends SettingOptions {
  /** Tool lists in any form that `@setwise/sources` reads, alone or mixed in an array, or what `loadTools` gave. */
  readonly tools: unknown;
}

/**
 * Reads tools, indexes them and gives a selector. No network, no key, no download, unless the encoder is an address.
 *
 * @throws SetwiseError `not-a-tool-list`, `not-a-tool`, `empty-catalog` or `aborted`, and what {@link openEncoder} and
 * {@link openReranker} throw.
 */
export async function createSelector(options: SelectorOptions): Promise<Selector> {
  if (typeof options !== "object" || options === null || !("tools" in options)) {
    throw new SetwiseError("invalid-argument", "Expected createSelector({ tools }), with tools in any form.");
  }
  const { tools, encoder, tokenCounter, signal, onProgress } = options;
  refuseAborted(signal);
  const read = readState(tools, tokenCounter);
  const setting = await openSetting(encoder, options);
  const progress = { ...(signal === undefined ? {} : { signal }), ...(onProgress === undefined ? {} : { onProgress }) };
  return selectorOver(await encodeState(read, setting, progress), setting);
}
