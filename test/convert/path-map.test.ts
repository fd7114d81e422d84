import { expect, test } from "vitest";
import { mapPath, mapPaths, mappingOf } from "../../src/convert/path-map.ts";

test("a slash at the end of either folder says nothing", () => {
  for (const from of ["/old/app", "/old/app/", "/old/app//"]) {
    for (const to of ["/new", "/new/"]) {
      const mappings = [mappingOf(from, to)];
      expect(mapPath("/old/app", mappings)).toBe("/new");
      expect(mapPath("/old/app/src/a.ts", mappings)).toBe("/new/src/a.ts");
      expect(mapPath("/old/apple", mappings)).toBe("/old/apple");
    }
  }
});

test("the root can be mapped, and mapped to", () => {
  expect(mapPath("/a/b", [mappingOf("/", "/new")])).toBe("/new/a/b");
  expect(mapPath("/", [mappingOf("/", "/new")])).toBe("/new");
  expect(mapPath("/old/b", [mappingOf("/old/", "/")])).toBe("/b");
});

test("text that only mentions a path stays", () => {
  const value = { file_path: "/old/a.ts", said: "see /old/a.ts", lines: "/old/a\n/old/b" };
  expect(mapPaths(value, [mappingOf("/old", "/new")])).toEqual({
    ...value,
    file_path: "/new/a.ts",
  });
});
