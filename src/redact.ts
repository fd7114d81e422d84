/** Finds secrets in what agents were told and puts marks in their place. */
export { maskText } from "./redact/mask.ts";
export { maskEvent } from "./redact/mask-value.ts";
