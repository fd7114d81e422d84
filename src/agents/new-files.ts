import { removeAdded } from "../additions/added-file.ts";
import type { AgentWriter } from "./contract.ts";

/** The images that every model API takes. */
export const commonImages = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;

/** Takes back what was written as new files alone, if they are unchanged. */
export const takeBackFiles: AgentWriter["takeBack"] = async ({ files }) => {
  removeAdded(files);
  return [];
};
