const homeShape =
  /(?<![\w.~-])(?:\/(?:home|Users)\/|[A-Za-z]:(?:\\{1,2}|\/)Users(?:\\{1,2}|\/))[^/\\\s"'`:;,<>|()[\]{}*?$]+/g;

/** What hiding home directories made of a text. */
interface HomesHidden {
  readonly text: string;
  readonly count: number;
}

/** Makes what replaces home directories by `~`: all that look like one, or the one that is named. */
export function homeMasker(home: true | string): (text: string) => HomesHidden {
  if (home === true) {
    return (text) =>
      /\/home\/|[\\/]Users[\\/]/.test(text)
        ? replaced(text, [[homeShape, "~"]])
        : { text, count: 0 };
  }
  if (home.length < 2) return (text) => ({ text, count: 0 });
  // Agents also name folders after a path, with each separator written as a dash.
  const slug = home.replace(/[^A-Za-z0-9]/g, "-");
  const shapes = [
    [new RegExp(`(?<![\\w.~-])${escaped(home)}(?![\\w.-])`, "g"), "~"],
    [new RegExp(`(?<![\\w.~-])${escaped(slug)}(?![A-Za-z0-9])`, "g"), "-~"],
  ] as const;
  return (text) => replaced(text, shapes);
}

function replaced(text: string, shapes: readonly (readonly [RegExp, string])[]): HomesHidden {
  let count = 0;
  let masked = text;
  for (const [shape, mask] of shapes) {
    masked = masked.replace(shape, () => {
      count += 1;
      return mask;
    });
  }
  return { text: masked, count };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\-]/g, "\\$&");
}
