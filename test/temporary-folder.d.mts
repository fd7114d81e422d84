/** Makes an empty folder under its real path; it is gone after the test file, in a program when that ends. */
export function temporaryFolder(): string;

/** Lets a folder stay, and returns it. */
export function kept(folder: string): string;

/** Removes every folder that was made. */
export function removeTemporaryFolders(): void;
