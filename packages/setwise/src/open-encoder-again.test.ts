import { expect, test, vi } from "vitest";
import { openEncoder } from "./open-encoder.ts";

const failures = [new Error("the disk was busy")];
vi.mock("@setwise/encoders/static", async (original) => {
  const real = await original<typeof import("@setwise/encoders/static")>();
  const readStaticModel: typeof real.readStaticModel = (...given) => {
    const failure = failures.pop();
    if (failure !== undefined) throw failure;
    return real.readStaticModel(...given);
  };
  return { ...real, readStaticModel };
});

test("a table that could not be read is read again the next time", async () => {
  await expect(openEncoder("static")).rejects.toThrow("the disk was busy");
  await expect(openEncoder("static")).resolves.toMatchObject({ name: expect.stringMatching(/^static:/) });
});
