import type { IncomingHttpHeaders } from 'node:http';

import { Injectable } from '@nestjs/common';

import { RateGate, type RateClass } from '../../auth/index.js';
import { chooseLocale, Clock, DEFAULT_LOCALE, translate, type Locale } from '../../common/index.js';
import { type AuthenticRequest, isSigned, jsonObject, NodeAuthenticator, type NodeConnection, type NodeRequest } from '../access/index.js';
import { NodeApiError } from '../node-api-error.js';
import { Enrollment } from '../registry/index.js';
import { ScanSettings } from '../scans/index.js';
import {
  type BodyAct,
  type ExtendLeaseData,
  LEASE_SECONDS,
  MAX_REPORT_BYTES,
  MAX_REQUEST_BYTES,
  MAX_UNSIGNED_REPORT_BYTES,
  type NodeAct,
  type NodeReply,
} from '../wire/index.js';

import { Heartbeats } from './heartbeats.js';
import { TaskPulls } from './task-pulls.js';
import { TaskReports } from './task-reports.js';

/** For requests whose connection is not monitored. */
const NOBODY_GOES: NodeConnection = { isGone: () => false, onGone: () => undefined };

/** Text and data of a response. */
type Answer = readonly [text: string, data: object];

/** An action of the API. */
interface Act {
  /** Rate limit class. */
  readonly rate: RateClass;
  readonly run: (request: AuthenticRequest, ip: string, connection: NodeConnection) => Promise<Answer>;
}

const act = (run: Act['run']): Act => ({ rate: 'node', run });

/** Serves agents. Source: docs/panel-api.md "Node API". */
@Injectable()
export class NodeApi {
  /** By name, as in the query. */
  readonly acts: ReadonlyMap<string, Act> = new Map(
    Object.entries({
      heartbeat: act(async ({ node, body }, ip) => ['node.api_heartbeat', await this.heartbeats.take(node, body, ip)]),
      pull_task: act(async ({ node, body }, _ip, connection) => ['node.api_pulled', await this.pulls.pull(node, body, connection)]),
      report_result: act(async ({ node, body }) => ['node.api_received', await this.reports.take(node.nodeId, body)]),
      get_config: act(() => Promise.resolve(['node.api_config', this.scanSettings.forAgents()])),
      extend_lease: act(async ({ node, body }) => [
        'node.api_extended',
        { task_id: await this.reports.extend(node.nodeId, body), lease_seconds: LEASE_SECONDS } satisfies ExtendLeaseData,
      ]),
    } satisfies Record<Exclude<NodeAct, BodyAct | 'enroll'>, Act>),
  );

  constructor(
    private readonly authenticator: NodeAuthenticator,
    private readonly heartbeats: Heartbeats,
    private readonly pulls: TaskPulls,
    private readonly reports: TaskReports,
    private readonly scanSettings: ScanSettings,
    private readonly clock: Clock,
    private readonly gate: RateGate,
    private readonly enrollment: Enrollment,
  ) {}

  /**
   * Returns the maximum body size of an act in bytes. Large reports are read only if the headers could be those of a known node.
   *
   * @returns null for a request that {@link handle} rejects by its headers regardless of its body
   */
  async bodyLimit(act: string, headers: IncomingHttpHeaders): Promise<number | null> {
    if (act !== 'report_result') return MAX_REQUEST_BYTES;
    if (!isSigned(headers)) return MAX_UNSIGNED_REPORT_BYTES;
    return (await this.authenticator.couldBeSigned(headers)) ? MAX_REPORT_BYTES : null;
  }

  /**
   * Authenticates and runs a request. Refusals become replies; only the error below is thrown.
   *
   * @param name of the act, as in the query
   * @throws RateLimited
   */
  async handle(name: string, request: NodeRequest): Promise<NodeReply> {
    try {
      const known = this.acts.get(name);
      if (name === 'enroll') return await this.enroll(request);
      if (!known) throw new NodeApiError('UNKNOWN_ACT');
      const authentic = await this.authenticator.authenticate(request, name === 'heartbeat');
      await this.gate.admit(known.rate, request.ip, `node:${authentic.node.id}`);
      const [text, data] = await known.run(authentic, request.ip, request.connection ?? NOBODY_GOES);
      return { ...data, success: true, code: 200, msg: translate(DEFAULT_LOCALE, text), data };
    } catch (error) {
      if (!(error instanceof NodeApiError)) throw error;
      return this.refused(error, name === 'enroll' ? ofInstaller(request) : DEFAULT_LOCALE);
    }
  }

  private async enroll(request: NodeRequest): Promise<NodeReply> {
    const data = await this.enrollment.enroll(jsonObject(request.rawBody).token, request.ip);
    return { ...data, success: true, code: 200, msg: translate(ofInstaller(request), 'node.api_enrolled'), data };
  }

  /** Builds the reply for an error, also of {@link NodeBodies}. */
  refused(error: NodeApiError, locale: Locale = DEFAULT_LOCALE): NodeReply {
    const refusal: NodeReply = { success: false, code: 400, msg: translate(locale, error.shape.text, error.params), data: [] };
    if (error.code !== 'CLOCK') return refusal;
    const data = { timestamp: Math.floor(this.clock.now().getTime() / 1_000) };
    return { ...data, ...refusal, data };
  }
}

/** The installer shows the message to a person. Running agents only log it, and deployed versions match its default text. */
function ofInstaller({ headers }: NodeRequest): Locale {
  return chooseLocale(undefined, '', headers['accept-language']);
}
