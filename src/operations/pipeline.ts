import { Injectable } from '@nestjs/common';

import { Faults, LOCALES, ownerContact, PluginCallError, runInFrame, translate, type TextParams } from '../common/index.js';
import { AuthPolicyChecker, RateGate, RateLimited, authFailureBody } from '../auth/index.js';
import type { AuthPolicy, Scope } from '../sdk/index.js';

import { AUDIT_LOCALE, AuditLog, type AuditEntry } from './audit-log.js';
import { codedReply, failureReply, refuses, successReply, type WireReply } from './envelope.js';
import { AuthFailure, OperationError } from './errors.js';
import type { RequestContext } from './http/call.js';
import { HTML_TYPE, JSON_TYPE } from './http/send.js';
import { UserPanelSwitch } from './http/user-panel-switch.js';
import { parseInput } from './input-parser.js';
import type { OperationRecord } from './operation.js';
import { OperationRegistry } from './operation-registry.js';
import { SuccessReply, RawReply } from './replies.js';

/** What a plugin's operation returned, on its way out. */
export type PipelineResult = { kind: 'json'; reply: WireReply } | { kind: 'text'; type: string; body: string } | { kind: 'empty' };

const EMPTY: PipelineResult = { kind: 'empty' };
const json = (reply: WireReply): PipelineResult => ({ kind: 'json', reply });

/** Runs every AJAX operation, a core one and a plugin's alike: find → auth → rate → input → handle → audit → envelope. */
@Injectable()
export class OperationPipeline {
  constructor(
    private readonly registry: OperationRegistry,
    private readonly policies: AuthPolicyChecker,
    private readonly gate: RateGate,
    private readonly audit: AuditLog,
    private readonly faults: Faults,
    private readonly userPanel: UserPanelSwitch,
  ) {}

  /** Runs the operation `call.gn` of one side; never throws. */
  async run(side: Scope, call: RequestContext): Promise<PipelineResult> {
    const record = this.registry.find(side, call.gn ?? '');
    try {
      // Plugins decide themselves: what they offer on the user side may be none of the panel's.
      if (side === 'user' && (record?.owner ?? 'core') === 'core' && !this.userPanel.isOpen()) {
        throw new OperationError('USER_PANEL_CLOSED', { contact: ownerContact(this.userPanel.contact) });
      }
      // An unknown name needs what a known one would: who is not signed in learns nothing of the names.
      const policy = record ? record.auth : side;
      if (!(await this.admits(record, policy, call))) return json({ status: 200, body: authFailureBody(policy) });
      if (!record) throw new OperationError(side === 'admin' ? 'UNKNOWN_ADMIN_OPERATION' : 'UNKNOWN_USER_OPERATION');
      return await this.execute(record, call);
    } catch (error) {
      return this.failure(record, error, call);
    }
  }

  private admits(record: OperationRecord | undefined, policy: AuthPolicy, call: RequestContext): boolean | Promise<boolean> {
    if (typeof policy !== 'function') return this.policies.check(policy, call);
    return runInFrame({ owner: record?.owner ?? 'core', call }, () => this.policies.check(policy, call));
  }

  private async execute(record: OperationRecord, call: RequestContext): Promise<PipelineResult> {
    const counting = this.gate.admit(record.rate, call.ip, accountOf(record.side, call));
    if (counting) await counting;
    const input = record.input ? parseInput(record.input, call.body, call.locale) : call.body;
    const result = await runInFrame({ owner: record.owner, call }, () => record.handle(input, call));
    if (record.owner !== 'core') {
      const answer = pluginResult(result);
      if (record.audit && !refuses(result)) await this.writeAudit(record, { summary: `[${record.owner}] ${record.audit}` }, call);
      return answer;
    }
    if (record.audit && !saysFailure(result))
      await this.writeAudit(record, auditText(record.audit, { ...auditParams(input), ...replyParams(result) }), call);
    return json(codedReply(successReply(result, call.locale), record));
  }

  private failure(record: OperationRecord | undefined, error: unknown, call: RequestContext): PipelineResult {
    if (error instanceof AuthFailure) return json({ status: 200, body: authFailureBody(error.policy) });
    if (!record || record.owner === 'core' || error instanceof RateLimited)
      return json(codedReply(failureReply(error, call.locale), record));
    this.faults.report(record.owner, `operation ${record.name}`, error);
    return json(failureReply(error instanceof PluginCallError ? error : new OperationError('PLUGIN_FAILED'), call.locale));
  }

  private async writeAudit(record: OperationRecord, line: Pick<AuditEntry, 'summary' | 'text'>, call: RequestContext): Promise<void> {
    const actor = record.side === 'admin' ? call.admin?.username : call.user?.username;
    await this.audit.write({
      actor: actor ?? '-',
      category: record.name,
      ...line,
      ip: call.ip,
      outcome: 'ok',
    });
  }
}

/** Whose requests are counted together. */
function accountOf(side: Scope, { admin, user }: RequestContext): string | null {
  const identity = side === 'admin' ? admin : user;
  return identity && `${side}:${identity.id}`;
}

const SECRET_FIELD = /pass|pwd|secret|key|token|code/i;

/** A line's text, and what it is made of: of a form nothing is kept but what the text has places for. */
function auditText(key: string, params: TextParams): Pick<AuditEntry, 'summary' | 'text'> {
  const places = new Set(LOCALES.flatMap((locale) => [...translate(locale, key).matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)));
  const kept = Object.fromEntries(Object.entries(params).filter(([name]) => places.has(name)));
  return { summary: translate(AUDIT_LOCALE, key, params), text: { key, params: kept } };
}

function auditParams(input: object): TextParams {
  const params: TextParams = {};
  for (const [name, value] of Object.entries(input)) {
    if (SECRET_FIELD.test(name) || value === null || value === undefined) continue;
    params[name] = typeof value === 'number' ? value : String(value).slice(0, 100);
  }
  return params;
}

/** An answer in a shape of its own that says nothing was done. */
function saysFailure(result: unknown): boolean {
  return result instanceof RawReply && refuses(result.body);
}

/** What only the answer knows: the name behind an id, how many there were. */
function replyParams(result: unknown): TextParams {
  return result instanceof SuccessReply || result instanceof RawReply ? result.params : {};
}

function pluginResult(result: unknown): PipelineResult {
  if (result === undefined || result === null) return EMPTY;
  if (typeof result === 'string') return { kind: 'text', type: HTML_TYPE, body: result };
  // Written here, inside the plugin's responsibility: a value that is no JSON is its failure, not the panel's.
  if (typeof result === 'object') return { kind: 'text', type: JSON_TYPE, body: JSON.stringify(result) };
  throw new Error(`An operation answers with an object or a string, not with a ${typeof result}.`);
}
