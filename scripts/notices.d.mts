/** The folders of the packages that lie behind files which esbuild put into an output, each once. */
export function packagesOf(inputs: readonly string[]): readonly string[];

/** The notices of these packages; throws where one has no licence to quote. */
export function noticesOf(folders: readonly string[], root: string): string;
