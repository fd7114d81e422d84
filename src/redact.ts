/** Finds secrets in what agents were told and puts marks in their place. */
export { findSecrets } from "./redact/find.ts";
export { maskText } from "./redact/mask.ts";
export { maskChunks } from "./redact/mask-stream.ts";
export { maskEvent } from "./redact/mask-value.ts";
