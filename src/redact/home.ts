const homeShape =
  /(?<![\w.~-])(?:\/(?:home|Users)\/|[A-Za-z]:(?:\\{1,2}|\/)Users(?:\\{1,2}|\/))[^/\\\s"'`:;,<>|()[\]{}*?$]+/g;

/** Replaces home directories by `~`: all that look like one, or the one that is named. */
export function maskHomes(
  text: string,
  home: true | string,
): { readonly text: string; readonly count: number } {
  let count = 0;
  const mark = (mask: string) => () => {
    count += 1;
    return mask;
  };
  if (home === true) {
    if (!/\/home\/|[\\/]Users[\\/]/.test(text)) return { text, count };
    return { text: text.replace(homeShape, mark("~")), count };
  }
  if (home.length < 2) return { text, count };
  // Agents also name folders after a path, with each separator written as a dash.
  const slug = home.replace(/[^A-Za-z0-9]/g, "-");
  const masked = text
    .replace(new RegExp(`(?<![\\w.~-])${escaped(home)}(?![\\w.-])`, "g"), mark("~"))
    .replace(new RegExp(`(?<![\\w.~-])${escaped(slug)}(?![A-Za-z0-9])`, "g"), mark("-~"));
  return { text: masked, count };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\-]/g, "\\$&");
}
