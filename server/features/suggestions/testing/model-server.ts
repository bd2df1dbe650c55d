import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { ModelQuestion } from "../../../../domain/suggestion/model-question.ts";

/** A request as the server received it. */
export interface AskedQuestion {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly raw: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The part of it that is data. */
  readonly question: ModelQuestion;
}

/** What the model says: a response's text, or what is to be done with the connection. */
type Say = (asked: AskedQuestion, response: ServerResponse) => string | undefined;

/** A language model on this machine, which speaks the protocols of OpenAI and of Anthropic. */
export interface ModelServer {
  /** The base address for clients of either protocol. */
  readonly url: string;
  readonly asked: AskedQuestion[];
  /** How it responds from now on. `undefined`: the function responds by itself, or not at all. */
  say: Say;
  close(): Promise<void>;
}

/** A response with the same hours for every item, or with what a function gives for it. */
export const hoursFor =
  (hoursOf: (item: ModelQuestion["items"][number]) => unknown): Say =>
  ({ question }) =>
    JSON.stringify({ hours: question.items.map((item) => ({ item: item.item, hours: hoursOf(item) })) });

export async function startModelServer(): Promise<ModelServer> {
  const asked: AskedQuestion[] = [];
  const server = createServer(async (request, response) => {
    const raw = await text(request);
    const body = JSON.parse(raw);
    const last = body.messages.at(-1).content;
    const prompt = typeof last === "string" ? last : last[0].text;
    const received = { path: request.url ?? "", headers: request.headers, raw, body, question: JSON.parse(prompt) };
    asked.push(received);
    const said = model.say(received, response);
    if (said === undefined) return;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(received.path.endsWith("/messages") ? ofAnthropic(said, body) : ofOpenAi(said)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const model: ModelServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    say: hoursFor(() => 10),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return model;
}

const ofOpenAi = (content: string) => ({
  ...{ id: "chatcmpl-1", object: "chat.completion", created: 1_767_225_600, model: "local" },
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
});

/** Structured output is native, or for older models the input of a tool. */
const ofAnthropic = (response: string, { tools }: { readonly tools?: readonly { readonly name: string }[] }) => ({
  ...{ id: "msg_1", type: "message", role: "assistant", model: "local" },
  content: tools
    ? [{ type: "tool_use", id: "toolu_1", name: tools[0]?.name, input: inputOf(response) }]
    : [{ type: "text", text: response }],
  stop_reason: tools ? "tool_use" : "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 100, output_tokens: 20 },
});

const inputOf = (response: string): unknown => {
  try {
    return JSON.parse(response);
  } catch {
    return response;
  }
};
