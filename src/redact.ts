/** Finds secrets in what agents were reported and puts marks in their place. */
export { findSecrets } from "./redact/find.ts";
export type { Found as FoundSecrets, MaskOptions } from "./redact/mask.ts";
export { maskText } from "./redact/mask.ts";
export { maskChunks } from "./redact/mask-stream.ts";
export { maskEvent } from "./redact/mask-value.ts";
export type { Span } from "./redact/span.ts";
