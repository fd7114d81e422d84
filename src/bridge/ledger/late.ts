// Needed at few events: the hook program keeps it in a file of its own and loads that when it is needed.
// scripts/build.mjs puts the loading in the place of this file.
export { contributeNow } from "./contribute-now.ts";
export { keepNow } from "./keep-now.ts";
