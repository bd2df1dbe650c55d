import { join } from "node:path";
import { createGithub, createJira, type Trackers } from "../features/exports/index.ts";
import { type AskModel, createAskModel } from "../features/suggestions/index.ts";
import { createOutbound, type Outbound, type OutboundOptions } from "../platform/outbound/index.ts";
import type { Services } from "./index.ts";

/** Clients for outgoing requests. */
export interface HttpClients {
  /** To addresses that users give. */
  readonly outbound: Outbound;
  readonly trackers: Trackers;
  /** Null: no language model is configured. */
  readonly askModel: AskModel | null;
  close(): Promise<unknown>;
}

const EVERY_NETWORK = ["0.0.0.0/0", "::/0"];

/** Returns the clients for outgoing requests. */
export function createHttpClients({ config, clock, log }: Services, resolve: OutboundOptions["resolve"]): HttpClients {
  const trustedFolder = join(config.dataDir, "trusted-ca");
  const common = { clock, log, trustedFolder, ...(resolve ? { resolve } : {}) };
  const outbound = createOutbound({
    ...common,
    allowedNetworks: config.webhookAllowedNetworks,
    allowedPorts: config.webhookAllowedPorts,
  });
  // The operator names the language model's address, and may run it on this machine or in a network of their own.
  const toModel = createOutbound({ ...common, allowedNetworks: EVERY_NETWORK, allowedPorts: [] });
  const askModel = config.languageModel && createAskModel({ ...config.languageModel, outbound: toModel });
  const { githubApiUrl, githubWritesPerMinute, jiraWritesPerMinute } = config;
  const trackers = {
    github: createGithub({ outbound, clock, githubApiUrl, githubWritesPerMinute }),
    jira: createJira({ outbound, clock, jiraWritesPerMinute }),
  };
  const close = () => Promise.all([outbound.close(), toModel.close()]);
  return { outbound, trackers, askModel, close };
}
