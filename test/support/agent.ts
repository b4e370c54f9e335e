import { randomBytes } from 'node:crypto';

import type { Database } from '../../src/database/index.js';
import { HostingNode, NodeSystem } from '../../src/hosting/index.js';
import { AgentNode, sign, type NodeReply, type SigningSecrets } from '../../src/agents/index.js';

/** Answer of the node API, with its top-level fields. */
export type AgentAnswer = NodeReply<Record<string, unknown>> & Record<string, unknown> & { data: Record<string, unknown> };

/** Agent client of a panel. */
export class TestAgent {
  constructor(
    readonly url: string,
    readonly nodeId: string,
    readonly secrets: SigningSecrets,
    private readonly now: () => number,
  ) {}

  /** Sends a signed request. */
  async call(act: string, body: object = {}): Promise<AgentAnswer> {
    const text = JSON.stringify(body);
    return post(this.url, `/api/node.php?act=${act}`, text, this.headers(`/api/node.php?act=${act}`, text));
  }

  /** Sends a request with the secret in its body. */
  plain(act: string, body: object = {}): Promise<AgentAnswer> {
    const identity = {
      node_id: this.nodeId,
      node_secret: this.secrets.nodeSecret,
      nonce: newNonce(),
      timestamp: Math.floor(this.now() / 1_000),
    };
    return post(this.url, `/api/node.php?act=${act}`, JSON.stringify({ ...identity, ...body }));
  }

  /** Returns the headers that sign a request to `path`. */
  headers(path: string, body: string, prefix = 'X-SVC-'): Record<string, string> {
    const [time, nonce] = [String(Math.floor(this.now() / 1_000)), newNonce()];
    return {
      [`${prefix}Node`]: this.nodeId,
      [`${prefix}Time`]: time,
      [`${prefix}Nonce`]: nonce,
      [`${prefix}Sign`]: sign({ method: 'POST', url: path, body: Buffer.from(body), time, nonce }, this.secrets),
    };
  }
}

/** Posts a text unchanged. */
export async function post(url: string, path: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<AgentAnswer> {
  const response = await fetch(url + path, {
    method: 'POST',
    body: new Uint8Array(Buffer.from(body)),
    headers: { 'Content-Type': 'application/json', ...headers },
  });
  if (response.status !== 200) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
  return (await response.json()) as AgentAnswer;
}

const newNonce = (): string => randomBytes(12).toString('hex');

/** Creates an agent node without a panel, and its hosting node if it does not exist. */
export async function createAgentNode(database: Database, nodeId: string, values: Partial<AgentNode> = {}): Promise<AgentNode> {
  const servers = database.repository(HostingNode);
  const server =
    (await servers.findOneBy({ code: 'agents' })) ??
    (await servers.save({
      code: 'agents',
      codeKey: 'agents',
      driver: 'fake',
      openKey: 'k',
      signatureKey: 'q',
      system: NodeSystem.Linux,
      createdAt: new Date(),
    }));
  const nodes = database.repository(AgentNode);
  return nodes.save(
    nodes.create({
      nodeId,
      name: nodeId,
      secret: randomBytes(32).toString('hex'),
      hostingNodeId: server.id,
      enabled: true,
      capabilities: [],
      createdAt: new Date(),
      updatedAt: new Date(),
      ...values,
    }),
  );
}
