import { expect, test } from "vitest";
import { withSection } from "./report-section.ts";

test("a report replaces what stood between its marks, and nothing else", () => {
  const page = "# Page\n\n<!-- begin one -->\n\nold\n\n<!-- end one -->\n\nbehind\n";
  expect(withSection(page, "one", "new\n")).toBe("# Page\n\n<!-- begin one -->\n\nnew\n\n<!-- end one -->\n\nbehind\n");
});

test("a page without the marks gets them at its end, an empty one as well", () => {
  expect(withSection("# Page\n", "two", "new")).toBe("# Page\n\n<!-- begin two -->\n\nnew\n\n<!-- end two -->\n");
  expect(withSection("", "two", "new")).toBe("<!-- begin two -->\n\nnew\n\n<!-- end two -->\n");
});
