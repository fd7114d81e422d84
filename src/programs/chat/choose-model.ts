import { RepriseError } from "../../base/errors.ts";
import { windowOf } from "../../bridge/state/context-size.ts";
import type { Model } from "../../loop/model.ts";
import { anthropic } from "../../loop/models/anthropic.ts";
import type { Endpoint } from "../../loop/models/endpoint.ts";
import { gemini } from "../../loop/models/gemini.ts";
import { openai } from "../../loop/models/openai.ts";
import { offlineModel } from "./offline-model.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** Who offers models: how they are spoken to, and which variables say where and with which key. */
interface Provider {
  readonly names: readonly string[];
  /** Names of models that are theirs without a prefix. */
  readonly models: RegExp;
  readonly make: (endpoint: Endpoint) => Model;
  readonly keys: readonly string[];
  readonly addresses: readonly string[];
  /** Asked where only a key says which provider it shall be. */
  readonly usual: string;
}

const providers: readonly Provider[] = [
  {
    names: ["anthropic"],
    models: /^claude/i,
    make: anthropic,
    keys: ["ANTHROPIC_API_KEY"],
    addresses: ["ANTHROPIC_BASE_URL"],
    usual: "claude-sonnet-4-5",
  },
  {
    names: ["openai"],
    models: /^(?:gpt-|chatgpt|o\d|codex)/i,
    make: openai,
    keys: ["OPENAI_API_KEY"],
    addresses: ["OPENAI_BASE_URL"],
    usual: "gpt-5",
  },
  {
    names: ["google", "gemini"],
    models: /^(?:models\/)?(?:gemini|gemma)/i,
    make: gemini,
    keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
    addresses: ["GOOGLE_GEMINI_BASE_URL", "GEMINI_BASE_URL"],
    usual: "gemini-2.5-pro",
  },
];

const ollamaAddress = "http://127.0.0.1:11434";
const ollamaWindow = 32_768;

/** How to give a chat a model. */
export const threeWays = `A chat needs a model. There are three ways to give it one:

  1. A key of a provider in the environment: ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY.
       reprise chat
       reprise chat --model claude-sonnet-4-5
  2. A model on this machine or any other server that speaks the API of OpenAI.
       reprise chat --model ollama/llama3.2
       OPENAI_BASE_URL=http://127.0.0.1:1234/v1 reprise chat --model openai/any-name
  3. None: the built-in stand-in only recalls what was said, to try how a chat is kept.
       reprise chat --model offline

REPRISE_MODEL names the model to use when --model is not given. Keys are sent to the model's server and kept nowhere.`;

/** The keys of models in the environment: nothing but requests may hold them. */
export function keysIn(variables: Variables): readonly string[] {
  const names = providers.flatMap(({ keys }) => keys);
  return names.flatMap((name) => {
    const key = variables[name] ?? "";
    // A short one would be found in any text.
    return key.length >= 8 ? [key] : [];
  });
}

/** The model that is named, or the one a key in the environment stands for; `no_model` where there is none. */
export function chooseModel(
  given: string | undefined,
  variables: Variables,
  options: { readonly windowTokens?: number | undefined } = {},
): Model {
  const named = given ?? variables["REPRISE_MODEL"];
  if (named !== undefined && named !== "") return modelNamed(named, variables, options);
  const provider = providers.find(({ keys }) => firstOf(keys, variables) !== undefined);
  if (provider === undefined) throw noModel("No model was given.", threeWays);
  return made(provider, provider.usual, { variables, ...options });
}

function modelNamed(
  name: string,
  variables: Variables,
  options: { readonly windowTokens?: number | undefined },
): Model {
  if (name === "offline") return offlineModel;
  const [, prefix = "", rest = ""] = /^([a-z]+)[/:](.+)$/i.exec(name) ?? [];
  if (prefix.toLowerCase() === "ollama") return ollama(rest, variables, options);
  const byPrefix = providers.find(({ names }) => names.includes(prefix.toLowerCase()));
  if (byPrefix !== undefined) return made(byPrefix, rest, { variables, ...options });
  const byName = providers.find(({ models }) => models.test(name));
  if (byName !== undefined) return made(byName, name, { variables, ...options });
  const compatible = providers.find(({ names }) => names.includes("openai"))!;
  if (firstOf(compatible.addresses, variables) !== undefined)
    return made(compatible, name, { variables, ...options });
  throw noModel(
    `It is not known who offers the model ${JSON.stringify(name)}.`,
    "Put the provider before it: anthropic/…, openai/…, google/… or ollama/….",
  );
}

function made(
  { make, keys, addresses }: Provider,
  model: string,
  given: { readonly variables: Variables; readonly windowTokens?: number | undefined },
): Model {
  const { variables } = given;
  const apiKey = firstOf(keys, variables);
  const baseUrl = firstOf(addresses, variables);
  // A server of one's own may need no key.
  if (apiKey === undefined && baseUrl === undefined) {
    throw noModel(`${keys[0]} is not set.`, threeWays);
  }
  const windowTokens = given.windowTokens ?? windowOf(model).windowTokens;
  return make({ model, windowTokens, apiKey, baseUrl });
}

function ollama(
  model: string,
  variables: Variables,
  given: { readonly windowTokens?: number | undefined },
): Model {
  const host = variables["OLLAMA_HOST"] ?? "";
  const address = host === "" ? ollamaAddress : /^https?:/.test(host) ? host : `http://${host}`;
  const stated = Number(variables["OLLAMA_CONTEXT_LENGTH"]);
  const windowTokens = given.windowTokens ?? (stated > 0 ? stated : ollamaWindow);
  return openai({ model, windowTokens, baseUrl: `${address.replace(/\/+$/, "")}/v1` });
}

function firstOf(names: readonly string[], variables: Variables): string | undefined {
  const found = names.find((name) => (variables[name] ?? "") !== "");
  return found === undefined ? undefined : variables[found];
}

function noModel(message: string, hint: string): RepriseError {
  return new RepriseError("no_model", message, { hint });
}
