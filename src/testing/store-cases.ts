import { appendCases } from "./append-cases.ts";
import { readCases } from "./read-cases.ts";
import { sessionCases } from "./session-cases.ts";
import type { StoreCase } from "./store-scene.ts";

/** The suite that proves a store; works with any test runner. */
export const storeCases: readonly StoreCase[] = [...sessionCases, ...appendCases, ...readCases];
