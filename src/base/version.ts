declare const REPRISE_VERSION: string | undefined;
declare const REPRISE_BUILD: string | undefined;

/** The version of this package; the build puts it in. */
export const version = typeof REPRISE_VERSION === "string" ? REPRISE_VERSION : "0.0.0";

/** Names this build of the package, library and programs alike, for what is kept of what it found. */
export const buildName = `${version} ${typeof REPRISE_BUILD === "string" ? REPRISE_BUILD : "sources"}`;
