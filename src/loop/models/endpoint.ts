import type { JsonObject } from "../../base/json.ts";
import type { Conversation, RequestOptions } from "../../providers/request.ts";
import type { Model, ModelPart } from "../model.ts";
import { postForEvents } from "./post.ts";

/** Which model of which server, and how it is asked. */
export interface Endpoint {
  readonly model: string;
  /** Sent with each request and kept nowhere. */
  readonly apiKey?: string | undefined;
  /** Where the API is; the provider's own address unless given. */
  readonly baseUrl?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** How much the model can hold. */
  readonly windowTokens?: number | undefined;
}

/** How a model API is spoken. */
export interface Protocol {
  /** Where it is unless somebody says otherwise. */
  readonly address: string;
  path(model: string): string;
  /** What carries the key. */
  key(apiKey: string): Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  body(conversation: Conversation, options: RequestOptions): object;
  /** An answer, from the events of its stream. */
  parts(events: AsyncIterable<JsonObject>): AsyncIterable<ModelPart>;
}

/** A model behind an API. */
export function modelAt(endpoint: Endpoint, protocol: Protocol): Model {
  const { model, apiKey, baseUrl = protocol.address, headers, windowTokens } = endpoint;
  return {
    id: model,
    ...(windowTokens !== undefined && { windowTokens }),
    stream: ({ messages, tools, maxTokens, signal }) => {
      const options = {
        model,
        ...(tools.length > 0 && { tools }),
        ...(maxTokens !== undefined && { maxTokens }),
      };
      const keyed = apiKey === undefined ? {} : protocol.key(apiKey);
      const events = postForEvents({
        url: urlBelow(baseUrl, protocol.path(model)),
        headers: { ...protocol.headers, ...keyed, ...headers },
        body: protocol.body({ messages }, options),
        signal,
        key: apiKey,
      });
      return protocol.parts(events);
    },
  };
}

/** An address below the API's, whether or not the base ends with a slash or names the version already. */
function urlBelow(base: string, path: string): string {
  const trimmed = base.replace(/\/+$/, "");
  const version = /^\/(v\d+[a-z]*)\//.exec(path)?.[1];
  const isNamed = version !== undefined && trimmed.endsWith(`/${version}`);
  return `${trimmed}${isNamed ? path.slice(version.length + 1) : path}`;
}
