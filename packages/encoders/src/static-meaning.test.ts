import { staticModelFolder } from "@setwise/model-static";
import { expect, test } from "vitest";
import { createStaticEncoder } from "./static-encoder.ts";
import { readStaticModel } from "./static-model.ts";

const encoder = createStaticEncoder(readStaticModel(staticModelFolder));

/** Cosines of the texts with the first, as this table gives them: another table, other figures. */
test("the shipped table says that returning money is a refund and not the weather", async () => {
  const texts = [
    "put money back on the customer's card",
    "refund_payment. Refund a charge to the customer",
    "get_weather. Forecast for a city",
  ];
  const vectors = await encoder.encode(texts);
  const cosine = (text: number): number => {
    let sum = 0;
    for (let i = 0; i < encoder.dimensions; i += 1)
      sum += (vectors[i] ?? 0) * (vectors[text * encoder.dimensions + i] ?? 0);
    return sum;
  };
  expect(cosine(1)).toBeCloseTo(0.3468, 3);
  expect(cosine(2)).toBeCloseTo(-0.0973, 3);
});
