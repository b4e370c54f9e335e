import { Injectable } from '@nestjs/common';

import { AuthPolicyChecker, RateGate, accessOf, authFailureBody, isApiKey } from '../auth/index.js';
import { runInFrame } from '../common/index.js';
import { checkInput } from '../http/index.js';
import type { AuthPolicy, Scope } from '../sdk/index.js';

import { AuditLog } from './audit-log.js';
import { unknownOperation } from './core-operation.js';
import { refuses } from './envelope.js';
import { AuthFailure, OperationError } from './errors.js';
import { RequestContext } from './http/call.js';
import { UserPanelSwitch } from './http/user-panel-switch.js';
import { inputRefusal } from './input-refusal.js';
import type { OperationAnswer, OperationRecord } from './operation.js';
import { lineOfCall } from './operation-line.js';
import { OperationRegistry } from './operation-registry.js';
import { OperationTimes } from './operation-times.js';
import { Permissions } from './permissions.js';
import { SecondFactorGate } from './second-factor-gate.js';
import { SecondProof } from './second-proof.js';
import { ServerScopes } from './server-scopes.js';

const UNKNOWN: Record<Scope, OperationRecord> = { admin: unknownOperation('admin'), user: unknownOperation('user') };

/** Runs every AJAX operation as its record says: find → auth → role → rate → second proof → input → handle → answer → audit. */
@Injectable()
export class OperationPipeline {
  constructor(
    private readonly registry: OperationRegistry,
    private readonly policies: AuthPolicyChecker,
    private readonly gate: RateGate,
    private readonly audit: AuditLog,
    private readonly userPanel: UserPanelSwitch,
    private readonly permissions: Permissions,
    private readonly scopes: ServerScopes,
    private readonly secondFactors: SecondFactorGate,
    private readonly proof: SecondProof,
    private readonly times: OperationTimes,
  ) {}

  /** Runs the operation `call.gn` of one side; never throws. */
  async run(side: Scope, call: RequestContext): Promise<OperationAnswer> {
    const record = this.registry.find(side, call.gn ?? '') ?? UNKNOWN[side];
    const start = performance.now();
    const answer = await this.answer(record, call);
    this.times.note(side, record.name || 'unknown', performance.now() - start, answer.kind === 'json' && refuses(answer.reply.body));
    return answer;
  }

  private async answer(record: OperationRecord, call: RequestContext): Promise<OperationAnswer> {
    try {
      if (record.closesWithUserPanel) this.userPanel.requireOpen();
      if (!(await this.admits(record, call))) return authFailure(record.auth);
      await this.requireRole(record, call);
      return await this.execute(record, call);
    } catch (error) {
      if (error instanceof AuthFailure) return authFailure(error.policy);
      return record.failure(error, call.locale);
    }
  }

  /**
   * What an operation answers to a page of its side that shows it, as it comes from the handler: who may not call
   * it does not see it there either.
   *
   * @param fields its form
   * @throws AuthFailure; OperationError NOT_ALLOWED; Error for an operation there is not, or that changes
   * something; what the operation throws
   */
  async show(side: Scope, name: string, fields: Readonly<Record<string, string>>, call: RequestContext): Promise<unknown> {
    const record = this.registry.find(side, name);
    if (!record || record.audit) throw new Error(`The ${side} side has no operation "${name}" that changes nothing.`);
    if (!(await this.admits(record, call))) throw new AuthFailure(record.auth);
    await this.requireRole(record, call);
    const body = await this.scopes.confine(record.servers, accessOf(call.admin), fields);
    return this.handle(record, Object.create(call, { body: { value: body } }) as RequestContext, body).result;
  }

  private admits({ owner, auth }: OperationRecord, call: RequestContext): boolean | Promise<boolean> {
    if (typeof auth !== 'function') return this.policies.check(auth, call);
    return runInFrame({ owner, call }, () => this.policies.check(auth, call));
  }

  /** @throws OperationError for an administrator whose role leaves the operation out, and for who has yet to set up his second factor */
  private async requireRole(record: OperationRecord, { admin, user }: RequestContext): Promise<void> {
    const program = record.side === 'admin' && admin !== null && isApiKey(admin);
    // A program has no account of its own, and no second factor.
    if (program && record.own) throw new OperationError('NOT_ALLOWED');
    if (isOpen(record.auth) || record.own) return;
    if (!program) await this.secondFactors.require(record.side, record.side === 'admin' ? admin : user);
    if (record.side !== 'admin' || admin === null) return;
    if (!this.permissions.mayRun(accessOf(admin), record)) throw new OperationError('NOT_ALLOWED');
  }

  private async execute(record: OperationRecord, call: RequestContext): Promise<OperationAnswer> {
    const counting = this.gate.admit(record.rate, call.ip, accountOf(record.side, call));
    if (counting) await counting;
    if (record.secondProof) await this.proof.require(record.side, call);
    const body = record.side === 'admin' ? await this.scopes.confine(record.servers, accessOf(call.admin), call.body) : call.body;
    const handled = this.handle(record, call, body);
    const { input } = handled;
    const result = await handled.result;
    const answer = record.answer(result, call.locale);
    const line = record.audit?.line(input, result);
    if (line) await this.audit.write(lineOfCall({ side: record.side, gn: record.name }, line, call));
    return answer;
  }

  private handle(record: OperationRecord, call: RequestContext, body: RequestContext['body']): { input: object; result: unknown } {
    const { locale } = call;
    const input = record.input ? checkInput(record.input, body, (problems) => inputRefusal(problems, locale)) : body;
    return { input, result: runInFrame({ owner: record.owner, call }, () => record.handle(input, call)) };
  }
}

/** Anybody may call it, signed in or not. */
function isOpen(auth: AuthPolicy): boolean {
  return auth === null || auth === '' || auth === 'none';
}

function authFailure(policy: AuthPolicy): OperationAnswer {
  return { kind: 'json', reply: { status: 200, body: authFailureBody(policy) } };
}

/** Whose requests are counted together. */
function accountOf(side: Scope, { admin, user }: RequestContext): string | null {
  const identity = side === 'admin' ? admin : user;
  return identity && `${side}:${identity.id}`;
}
