import type { Environment } from "../../../base/env.ts";
import { lastColumns, textWidth } from "../terminal/width.ts";

/** A path with the home folder written `~`. */
export function homely(path: string, env: Environment): string {
  return path === env.home || path.startsWith(`${env.home}/`)
    ? `~${path.slice(env.home.length)}`
    : path;
}

/** A sentence with the paths below the home folder written `~`. */
export function withHomelyPaths(text: string, { home }: Environment): string {
  const parts = text.split(`${home}/`);
  return parts.reduce(
    (before, part) => `${before}${/(?:^|\s)$/.test(before) ? "~" : home}/${part}`,
  );
}

/** A path in so many columns: of a longer one its end, which says most. */
export function pathWithin(path: string, columns: number): string {
  return textWidth(path) <= columns ? path : `…${lastColumns(path, columns - 1)}`;
}
