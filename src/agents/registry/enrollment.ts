import { randomBytes } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { FailureLimits, RateLimited } from '../../auth/index.js';
import { Clock, hashToken, loggerFor } from '../../common/index.js';
import { BaseUrl } from '../../config/index.js';
import { Database } from '../../database/index.js';
import { HostingNode } from '../../hosting/index.js';
import { AgentError } from '../agent-error.js';
import { AgentNode } from '../entities/index.js';
import { NodeApiError } from '../node-api-error.js';
import type { EnrollData } from '../wire/index.js';

import { agentConfig, DEFAULT_INTERVAL_SECONDS } from './agent-config.js';
import { AgentsService } from './agents.service.js';

const log = loggerFor('node-api');

/** How long an installation command is valid, in milliseconds. */
const GOOD_MS = 15 * 60_000;
/** Limit of wrong tokens per address. */
const WRONG = { limit: 10, windowSeconds: 900 };
const TOKEN = /^[0-9a-f]{48}$/;
const BATCH = 500;

/** An installation command. */
export interface Installation {
  readonly command: string;
  readonly expiresAt: Date;
}

/** Enrolls new agents: a one-time installation token is exchanged for the secrets of its node. */
@Injectable()
export class Enrollment {
  private readonly insert;
  private readonly find;
  private readonly use;
  private readonly drop;
  private readonly removeOld;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly agents: AgentsService,
    private readonly baseUrl: BaseUrl,
    private readonly failures: FailureLimits,
  ) {
    this.insert = database.statement(
      'INSERT INTO {NodeToken} ({NodeToken.tokenHash}, {NodeToken.nodePk}, {NodeToken.expiresAt}, ' +
        '{NodeToken.createdAt}) VALUES (?, ?, ?, ?)',
    );
    this.find = database.statement<{ nodePk: number }>(
      'SELECT {NodeToken.nodePk} AS nodePk FROM {NodeToken} WHERE {NodeToken.tokenHash} = ?',
    );
    this.use = database.statement(
      'UPDATE {NodeToken} SET {NodeToken.usedAt} = ? WHERE {NodeToken.tokenHash} = ? AND {NodeToken.usedAt} IS NULL ' +
        'AND {NodeToken.expiresAt} > ?',
    );
    this.drop = database.statement('DELETE FROM {NodeToken} WHERE {NodeToken.nodePk} = ?');
    this.removeOld = database.statement(`DELETE FROM {NodeToken} WHERE {NodeToken.expiresAt} < ? LIMIT ${BATCH}`);
  }

  /**
   * Creates an installation command for a server and invalidates the previous one. Adds a node if the server has none.
   *
   * @param adminer host name for Adminer on that server
   * @throws AgentError SERVER_UNKNOWN; INSTALL_ADDRESS if the panel's address is plain HTTP over a network, which would expose the secrets
   */
  async command(hostingNodeId: number, adminer?: string): Promise<Installation> {
    const url = this.baseUrl.current();
    if (!isPrivate(url)) throw new AgentError('INSTALL_ADDRESS', { url });
    const node = await this.nodeOf(hostingNodeId);
    const token = randomBytes(24).toString('hex');
    const now = this.clock.now();
    const expiresAt = new Date(now.getTime() + GOOD_MS);
    await this.database.transaction(async () => {
      await this.drop.run(node.id);
      await this.insert.run(hashToken(token), node.id, expiresAt, now);
    });
    const script = `'${url}/api/agent-install.sh'`;
    const options = `--panel '${url}' --token '${token}'${adminer === undefined ? '' : ` --adminer-name '${adminer}'`}`;
    // Debian has wget more often than curl; the script uses whichever exists.
    return { command: `(wget -qO- ${script} || curl -fsS ${script}) | sh -s -- ${options}`, expiresAt };
  }

  /**
   * Renews and returns the secrets of the token's node; the old ones become invalid.
   *
   * @throws NodeApiError TOKEN; RateLimited after too many failures
   */
  async enroll(token: unknown, ip: string): Promise<EnrollData> {
    const hash = typeof token === 'string' && TOKEN.test(token) ? hashToken(token) : null;
    const now = this.clock.now();
    const found = hash === null ? undefined : await this.find.get(hash);
    if (!found || (await this.use.run(now, hash, now)).affected === 0) {
      const seconds = await this.failures.count('node:enroll', ip, WRONG);
      if (seconds > 0) throw new RateLimited(seconds);
      log.warn({ ip }, 'an agent used an invalid token');
      throw new NodeApiError('TOKEN');
    }
    const { node, secrets } = await this.agents.rotate(found.nodePk, 0);
    log.info({ node: node.nodeId, ip }, 'an agent was installed');
    const { config } = agentConfig(node, secrets, { url: this.baseUrl.current(), intervalSeconds: DEFAULT_INTERVAL_SECONDS });
    return { config };
  }

  /** Removes expired tokens. */
  async removeExpired(): Promise<void> {
    for (let affected = BATCH; affected === BATCH;) ({ affected } = await this.removeOld.run(this.clock.now()));
  }

  private async nodeOf(hostingNodeId: number): Promise<AgentNode> {
    const server = await this.database.repository(HostingNode).findOneBy({ id: hostingNodeId });
    if (!server) throw new AgentError('SERVER_UNKNOWN');
    const present = await this.database.repository(AgentNode).findOne({ where: { hostingNodeId }, order: { id: 'DESC' } });
    return present ?? this.agents.add({ hostingNodeId, name: '', nodeId: '' });
  }
}

/** Whether requests to an address cannot be read by third parties. */
function isPrivate(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
