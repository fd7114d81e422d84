import { signatureOf } from "./private-copy.ts";

/**
 * What was made of a database, remembered until its files change: who lists and then reads heads asks again and again.
 * Of more than `most` databases those asked for longest ago are forgotten.
 */
export function remembered<T>(make: (path: string) => T, most: number): (path: string) => T {
  const kept = new Map<string, { readonly state: string; readonly made: T }>();
  return (path) => {
    const { state } = signatureOf(path);
    const known = kept.get(path);
    if (known?.state === state) return known.made;
    const made = make(path);
    kept.delete(path);
    kept.set(path, { state, made });
    for (const oldest of kept.keys()) {
      if (kept.size <= most) break;
      kept.delete(oldest);
    }
    return made;
  };
}
