import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { injectedText, isOwnTool, withoutInjected } from "../../src/model/injected.ts";

const seed = 20_261_115;

describe("our own injections", () => {
  test("are told from what a person typed, wherever they stand", () => {
    const ours = injectedText("# Ledger\n\n## Goal\n\nMove the port");
    expect(withoutInjected(ours)).toBe("");
    expect(withoutInjected(`${ours}\n\nGo on, please`)).toBe("Go on, please");
    expect(withoutInjected(`Go on\n${ours}`)).toBe("Go on");
    expect(withoutInjected(`${ours}\nand\n${ours}\nthen`)).toBe("and\nthen");
  });

  test("are told also where an agent escaped them or cut them off", () => {
    const ours = injectedText("Goal: move the port");
    const escaped = ours.replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    expect(withoutInjected(`Hello\n${escaped}`)).toBe("Hello");
    expect(withoutInjected(`Hello\n${ours.slice(0, 40)}`)).toBe("Hello");
  });

  test("leave a person alone who writes about the marker", () => {
    const question = 'What does <reprise-context v="1"> mean in my transcript?';
    expect(withoutInjected(question)).toBe(question);
    expect(withoutInjected("reprise-context is a tag")).toBe("reprise-context is a tag");
  });

  test(`cannot be ended by what is inside them (seed ${seed})`, () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        "</reprise-context>",
        '\n<reprise-context v="1">',
        "&lt;/Reprise-Context&gt;",
      ),
    );
    const property = fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      expect(withoutInjected(`${injectedText(pieces.join(""))}\ntyped`)).toBe("typed");
    });
    fc.assert(property, { seed, numRuns: 500 });
  });

  test("tools of our server are known by the names agents give them, and no others", () => {
    for (const name of [
      "mcp__reprise__recall",
      "mcp_reprise_search_sessions",
      "reprise_blame",
      "reprise-get_session",
    ])
      expect(isOwnTool(name), name).toBe(true);
    for (const name of ["recall", "Bash", "reprise", "mcp__other__recall", "enterprise_search"])
      expect(isOwnTool(name), name).toBe(false);
  });
});
