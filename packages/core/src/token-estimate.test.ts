import { describe, expect, it } from "vitest";
import { tokenEstimate } from "./token-estimate.ts";

describe("tokenEstimate", () => {
  it("is near the o200k vocabulary", () => {
    // Second number: what the o200k_base vocabulary makes of it.
    const counted: readonly (readonly [string, number])[] = [
      ["find me a flight from Oslo to Rome on 12 May", 12],
      ['{"name":"get_weather","description":"Weather for a city.","parameters":{"type":"object"}}', 19],
      ["오늘 서울 날씨 알려줘", 6],
    ];
    for (const [text, tokens] of counted) {
      expect(Math.abs(tokenEstimate.count(text) - tokens), text).toBeLessThanOrEqual(2);
    }
  });

  it("counts nothing for nothing and grows with length, whatever the characters", () => {
    expect(tokenEstimate.count("")).toBe(0);
    expect(tokenEstimate.count(" \n\t")).toBe(0);
    for (const unit of ["a", "1", "-", "é", "字", "🙂"]) {
      expect(tokenEstimate.count(unit.repeat(4000)), unit).toBeGreaterThan(tokenEstimate.count(unit.repeat(400)) * 9);
    }
  });
});
