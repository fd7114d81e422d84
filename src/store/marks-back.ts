import type { Marks } from "./marks.ts";

/** Says what the title, tags and pin of a session are again, once a change of them is undone. */
export function marksBack({
  before,
  change,
}: {
  readonly before: Marks;
  readonly change: Marks;
}): string {
  const said: string[] = [];
  if (change.title !== undefined && change.title !== before.title) {
    const { title } = before;
    said.push(
      typeof title === "string"
        ? `its title is ${JSON.stringify(title)} again`
        : "it has its own title again",
    );
  }
  const tags = before.tags ?? [];
  if (change.tags !== undefined && change.tags.join("\n") !== tags.join("\n"))
    said.push(tags.length === 0 ? "it has no tags again" : `its tags are ${tags.join(", ")} again`);
  const { pinned = false } = before;
  if (change.pinned !== undefined && change.pinned !== pinned)
    said.push(pinned ? "it is pinned again" : "it is not pinned any more");
  return said.join(", ") || "nothing had changed";
}
