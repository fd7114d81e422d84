import { join } from "node:path";
import type { Home } from "../../store/home.ts";

/** Where the rows are kept between reports; it may be deleted at any time (P11). */
export function cachePath(home: Home): string {
  return join(home.derived, "usage.bin");
}
