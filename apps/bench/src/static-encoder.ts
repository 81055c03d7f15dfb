import type { Encoder } from "@setwise/core";
import { createStaticEncoder, readStaticModel } from "@setwise/encoders/static";
import { staticModelFolder } from "@setwise/model-static";

/** The encoder that Setwise has by default. */
export const staticEncoder: Encoder = createStaticEncoder(readStaticModel(staticModelFolder));
