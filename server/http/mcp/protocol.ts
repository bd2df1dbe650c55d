import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { guide } from "../../../clients/mcp/guide.ts";
import { prompts } from "../../../clients/mcp/prompts.ts";
import { requestOf, type ToolRequest } from "../../../clients/mcp/request.ts";
import { partOfResult } from "../../../clients/mcp/result.ts";
import { changesNothing, findTool, RESULT_CURSOR, toolsFor } from "../../../clients/mcp/tools.ts";
import { contract } from "../../../contract/index.ts";

/** What a request of the API was responded with. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

interface Caller {
  readonly scopes: readonly string[];
  /** Sends a request of the API as the caller. */
  send(request: ToolRequest): Promise<Answer>;
}

const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
const GUIDE = "guide://estimating";
const ESTIMATION = /^estimation:\/\/(\w+)$/;
const MARKDOWN = "text/markdown";
/** By the protocol: the resource does not exist. */
const RESOURCE_NOT_FOUND = -32_002;

/** Returns a server for one request of `caller`: it keeps nothing, so any process responds to the next one. */
export function createProtocol({ scopes, send }: Caller): Server {
  const server = new Server(
    { name: "estimation-service", version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: `Estimates of software projects. Read the resource ${GUIDE} before you make or judge one.`,
    },
  );

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolsFor(scopes) }));

  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given = {} } }) => {
    const tool = findTool(name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${name}`);
    const request = requestOf(tool.endpoint, given);
    if ("notAnId" in request) return failed(`${request.notAnId} must be the id of a record, such as est_… or opt_…`);
    const { status, text } = await send(request);
    if (status >= 400) return failed(text);
    const cursor = given[RESULT_CURSOR];
    const result = withoutEnvelope(text);
    const part = partOfResult(result, digestOf(result), typeof cursor === "string" ? cursor : undefined);
    if (!part) return failed("The result has changed since it was cut: call again without `resultCursor`.");
    const rest = changesNothing(tool.endpoint)
      ? `Cut here. Call again with ${RESULT_CURSOR} "${part.next}" for the next part.`
      : "Cut here: it was carried out. Read the record for the rest.";
    return { content: [part.text, ...(part.next === null ? [] : [rest])].map(asText) };
  });

  server.setRequestHandler(ListResourcesRequestSchema, async () => {
    const { status, text } = await send(requestTo(contract.listEstimations.path, "?limit=100"));
    // A key without that scope has no estimations.
    const estimations: { id: string; title: string }[] = status < 400 ? JSON.parse(text).data.estimations : [];
    return {
      resources: [
        { uri: GUIDE, name: "Guide to estimating", mimeType: MARKDOWN },
        ...estimations.map(({ id, title }) => ({ uri: `estimation://${id}`, name: title, mimeType: MARKDOWN })),
      ],
    };
  });

  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      {
        uriTemplate: "estimation://{id}",
        name: "Estimation",
        description: "An estimation with its tree, as an outline",
        mimeType: MARKDOWN,
      },
    ],
  }));

  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    if (uri === GUIDE) return { contents: [{ uri, mimeType: MARKDOWN, text: guide }] };
    const id = ESTIMATION.exec(uri)?.[1];
    const path = contract.exportEstimation.path.replace(":id", id ?? "");
    const answer = id === undefined ? null : await send(requestTo(path, "?format=markdown"));
    if (answer === null || answer.status === 404) throw new McpError(RESOURCE_NOT_FOUND, "Resource not found", { uri });
    if (answer.status >= 400) throw new McpError(ErrorCode.InvalidRequest, messageOf(answer.text), { uri });
    return { contents: [{ uri, mimeType: MARKDOWN, text: answer.text }] };
  });

  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: Object.entries(prompts).map(([name, { title, description, arguments: named }]) => ({
      ...{ name, title, description },
      arguments: [...named],
    })),
  }));

  server.setRequestHandler(GetPromptRequestSchema, ({ params: { name, arguments: given = {} } }) => {
    const prompt = Object.hasOwn(prompts, name) ? prompts[name] : undefined;
    if (!prompt) throw new McpError(ErrorCode.InvalidParams, `There is no prompt ${name}`);
    const missing = prompt.arguments.find((argument) => given[argument.name] === undefined);
    if (missing) throw new McpError(ErrorCode.InvalidParams, `${missing.name} is missing: ${missing.description}`);
    return {
      description: prompt.description,
      messages: [{ role: "user", content: asText(prompt.message(given)) }],
    };
  });

  return server;
}

const requestTo = (path: string, query: string): ToolRequest => ({
  method: "GET",
  url: `${path}${query}`,
  headers: {},
  body: undefined,
});

const asText = (text: string) => ({ type: "text", text }) as const;

/** A refusal, which the model can read and mend. */
const failed = (text: string) => ({ isError: true, content: [asText(text)] });

/** The data of a response in JSON, or the text of a file as it is. */
function withoutEnvelope(text: string): string {
  if (!text.startsWith('{"success":true,')) return text;
  const { success: _, ...rest } = JSON.parse(text);
  return JSON.stringify("data" in rest ? rest.data : rest);
}

const messageOf = (text: string): string => String(JSON.parse(text).message);

const digestOf = (text: string): string => hash("sha256", text, "hex").slice(0, 16);
