declare const REPRISE_VERSION: string | undefined;

/** The version of this program; the build puts it in. */
export const version = typeof REPRISE_VERSION === "string" ? REPRISE_VERSION : "0.0.0";
