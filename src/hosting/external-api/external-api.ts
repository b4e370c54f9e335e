import { createHash, timingSafeEqual } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { assertUnreachable, DEFAULT_LOCALE, loggerFor, translate, type TextParams } from '../../common/index.js';
import { Database, SiteConfig } from '../../database/index.js';
import { withCurrentNames } from '../../operations/index.js';
import type { HostingNode } from '../entities/index.js';
import { HostingError } from '../hosting-errors.js';
import { HostingService } from '../hosting.service.js';
import { NodesService } from '../nodes/nodes.service.js';
import { callingKey } from '../wire/host-row.js';

import { BadField, expiryOf, quotaOfFields, type ExternalFields } from './external-form.js';
import { FailedKeys } from './failed-keys.js';

const log = loggerFor('external-api');

/** Oldest client version that is served. */
export const MIN_CLIENT_VERSION = 15;
const REQUEST_KEY = /^[\x21-\x7e]{1,63}$/;
const PROVISION_QUOTA = { webMb: 'webdx', databaseMb: 'sqldx', trafficGb: 'sizemax', domains: 'ymbds' } as const;

/** Body of an answer; sent with HTTP 200 always. */
export interface ExternalReply {
  readonly success: boolean;
  /** 200 done, 100 refused, 300 the client is too old. */
  readonly code: 100 | 200 | 300;
  readonly msg: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** What shop modules of other systems open and connect hosts with. Source: docs/panel-api.md "Provisioning API". */
@Injectable()
export class ExternalApi {
  private readonly operations: Readonly<Record<string, (node: HostingNode, fields: ExternalFields) => Promise<ExternalReply>>> = {
    cfif: () => Promise.resolve(done('api_connected')),
    kt: (node, fields) => this.open(node, fields),
  };

  constructor(
    private readonly database: Database,
    private readonly nodes: NodesService,
    private readonly hosting: HostingService,
    private readonly failedKeys: FailedKeys,
  ) {}

  /**
   * Checks and runs one call, in the order deployed clients rely on. Never throws for a refusal.
   *
   * @param gn the operation
   * @param fields the form as it came; names with the legacy prefix are understood
   * @param ip who calls: wrong keys are counted by address
   */
  async handle(gn: string, fields: ExternalFields, ip: string): Promise<ExternalReply> {
    const form = withCurrentNames(fields);
    const site = await this.database.repository(SiteConfig).findOneByOrFail({ id: 1 });
    if (!site.apiOpen) return refused('api_closed');
    if (!(Number.parseInt(form.svc_vs ?? '', 10) >= MIN_CLIENT_VERSION)) {
      return { ...refused('api_version', { version: MIN_CLIENT_VERSION }), code: 300 };
    }
    const { svc_bh: code, svc_key: key, svc_keye: nodeKey, username } = form;
    if (!gn || !code || !key || !nodeKey || !username) return refused('api_incomplete');
    const minutes = await this.failedKeys.blockedMinutes(ip);
    if (minutes) return refused('api_blocked', { n: minutes });
    if (!site.api || !sameText(key, site.api)) return this.wrongKey('api_key', ip, code);
    const node = await this.nodes.find(code);
    if (!node?.enabled) return refused('api_node');
    if (!sameText(nodeKey, callingKey(node))) return this.wrongKey('api_call_key', ip, code);
    if (!Object.hasOwn(this.operations, gn)) return refused('api_unknown');
    try {
      return await this.operations[gn]!(node, form);
    } catch (error) {
      if (error instanceof BadField) return failure(error.text);
      if (error instanceof HostingError) return failure(...textOf(error));
      throw error;
    }
  }

  private async open(node: HostingNode, fields: ExternalFields): Promise<ExternalReply> {
    const requestId = fields.qqh && REQUEST_KEY.test(fields.qqh) ? `${node.code}:${fields.qqh}` : undefined;
    const { host, created } = await this.hosting.open(
      {
        node: node.code,
        user: fields.username!,
        password: fields.password ?? '',
        expiresOn: expiryOf(fields.dqtime),
        ...quotaOfFields(fields, PROVISION_QUOTA),
        ...(requestId ? { idempotencyKey: requestId } : {}),
      },
      'api',
    );
    log.info({ account: host.id, node: node.code, created }, 'opened through the API');
    return done('api_opened');
  }

  private async wrongKey(text: 'api_key' | 'api_call_key', ip: string, node: string): Promise<ExternalReply> {
    log.warn({ ip, node: node.slice(0, 64), which: text }, 'a call with a wrong key');
    await this.failedKeys.failed(ip);
    return refused(text);
  }
}

function done(text: string): ExternalReply {
  return { success: true, code: 200, msg: translate(DEFAULT_LOCALE, `hosting.${text}`) };
}

function refused(text: string, params?: TextParams): ExternalReply {
  return failure(`hosting.${text}`, params);
}

function failure(text: string, params?: TextParams): ExternalReply {
  return { success: false, code: 100, msg: translate(DEFAULT_LOCALE, text, params) };
}

/** Compares without telling by its time how much of the text was right. */
function sameText(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Text of a refusal as shop modules know it. */
function textOf(error: HostingError): [text: string, params: TextParams] {
  switch (error.code) {
    case 'ACCOUNT_EXISTS':
    case 'REQUEST_REUSED':
      return ['hosting.api_opened_before', {}];
    case 'CREATION_REFUSED':
      return ['hosting.api_create_failed', error.params];
    case 'NODE_NOT_FOUND':
    case 'NODE_DISABLED':
      return ['hosting.api_node', {}];
    case 'INVALID_INPUT':
      return [Object.values(error.fields ?? {})[0] ?? error.shape.text, {}];
    case 'CREDENTIALS_TOO_SHORT':
    case 'ACCOUNT_NOT_FOUND':
    case 'ACCOUNT_BUSY':
    case 'ACCOUNT_STATE':
    case 'ACCOUNT_PAUSED':
    case 'DRIVER_MISSING':
    case 'NODE_REFUSED':
    case 'SITE_MISSING':
    case 'NODE_UNREACHABLE':
    case 'NODE_UNCERTAIN':
      return [error.shape.text, error.params];
    default:
      return assertUnreachable(error.code);
  }
}
