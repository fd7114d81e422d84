import { afterAll } from "vitest";
import { removeTemporaryFolders } from "./temporary-folder.mjs";

/* Runs before each test file. */
afterAll(removeTemporaryFolders);
