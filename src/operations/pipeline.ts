import { Injectable } from '@nestjs/common';

import { AuthPolicyChecker, RateGate, authFailureBody } from '../auth/index.js';
import { runInFrame } from '../common/index.js';
import { checkInput } from '../http/index.js';
import type { AuthPolicy, Scope } from '../sdk/index.js';

import { AuditLog, type AuditLine } from './audit-log.js';
import { unknownOperation } from './core-operation.js';
import { AuthFailure } from './errors.js';
import type { RequestContext } from './http/call.js';
import { UserPanelSwitch } from './http/user-panel-switch.js';
import { inputRefusal } from './input-refusal.js';
import type { OperationAnswer, OperationRecord } from './operation.js';
import { OperationRegistry } from './operation-registry.js';

const UNKNOWN: Record<Scope, OperationRecord> = { admin: unknownOperation('admin'), user: unknownOperation('user') };

/** Runs every AJAX operation as its record says: find → auth → rate → input → handle → answer → audit. */
@Injectable()
export class OperationPipeline {
  constructor(
    private readonly registry: OperationRegistry,
    private readonly policies: AuthPolicyChecker,
    private readonly gate: RateGate,
    private readonly audit: AuditLog,
    private readonly userPanel: UserPanelSwitch,
  ) {}

  /** Runs the operation `call.gn` of one side; never throws. */
  async run(side: Scope, call: RequestContext): Promise<OperationAnswer> {
    const record = this.registry.find(side, call.gn ?? '') ?? UNKNOWN[side];
    try {
      if (record.closesWithUserPanel) this.userPanel.requireOpen();
      if (!(await this.admits(record, call))) return authFailure(record.auth);
      return await this.execute(record, call);
    } catch (error) {
      return error instanceof AuthFailure ? authFailure(error.policy) : record.failure(error, call.locale);
    }
  }

  /**
   * What an operation answers to a page of its side that shows it, as it comes from the handler: who may not call it does not see it there either.
   *
   * @param fields its form
   * @throws AuthFailure; Error for an operation there is not, or that changes something; what the operation throws
   */
  async show(side: Scope, name: string, fields: Readonly<Record<string, string>>, call: RequestContext): Promise<unknown> {
    const record = this.registry.find(side, name);
    if (!record || record.audit) throw new Error(`The ${side} side has no operation "${name}" that changes nothing.`);
    if (!(await this.admits(record, call))) throw new AuthFailure(record.auth);
    return this.handle(record, Object.create(call, { body: { value: fields } }) as RequestContext).result;
  }

  private admits({ owner, auth }: OperationRecord, call: RequestContext): boolean | Promise<boolean> {
    if (typeof auth !== 'function') return this.policies.check(auth, call);
    return runInFrame({ owner, call }, () => this.policies.check(auth, call));
  }

  private async execute(record: OperationRecord, call: RequestContext): Promise<OperationAnswer> {
    const counting = this.gate.admit(record.rate, call.ip, accountOf(record.side, call));
    if (counting) await counting;
    const handled = this.handle(record, call);
    const { input } = handled;
    const result = await handled.result;
    const answer = record.answer(result, call.locale);
    const line = record.audit?.line(input, result);
    if (line) await this.writeAudit(record, line, call);
    return answer;
  }

  private handle(record: OperationRecord, call: RequestContext): { input: object; result: unknown } {
    const { locale, body } = call;
    const input = record.input ? checkInput(record.input, body, (problems) => inputRefusal(problems, locale)) : body;
    return { input, result: runInFrame({ owner: record.owner, call }, () => record.handle(input, call)) };
  }

  private async writeAudit({ side, name }: OperationRecord, line: AuditLine, call: RequestContext): Promise<void> {
    const actor = side === 'admin' ? call.admin?.username : call.user?.username;
    await this.audit.write({ actor: actor ?? '-', category: name, ...line, ip: call.ip, outcome: 'ok' });
  }
}

function authFailure(policy: AuthPolicy): OperationAnswer {
  return { kind: 'json', reply: { status: 200, body: authFailureBody(policy) } };
}

/** Whose requests are counted together. */
function accountOf(side: Scope, { admin, user }: RequestContext): string | null {
  const identity = side === 'admin' ? admin : user;
  return identity && `${side}:${identity.id}`;
}
