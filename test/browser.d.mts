import type { Browser } from "playwright-core";

export declare function startBrowser(): Promise<Browser>;
