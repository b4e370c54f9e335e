import { Injectable } from '@nestjs/common';

import { accessOf, authFailureBody } from '../auth/index.js';
import { isThenable, runInFrame } from '../common/index.js';
import { checkInput } from '../http/index.js';
import type { AuthPolicy, Scope } from '../sdk/index.js';

import { Admission } from './admission.js';
import { AuditLog } from './audit-log.js';
import { TakenBack } from './changeovers.js';
import { unknownOperation } from './core-operation.js';
import { isFailure } from './answers/envelope.js';
import { AuthFailure } from './errors.js';
import { RequestContext } from './call/call.js';
import { inputRefusal } from './input-refusal.js';
import type { OperationAnswer, OperationRecord } from './operation.js';
import { lineOfCall } from './operation-line.js';
import { OperationRegistry } from './operation-registry.js';
import { OperationTimes } from './operation-times.js';
import { SecondProof } from './second-proof.js';
import { ServerScopes } from './server-scopes.js';

const UNKNOWN: Record<Scope, OperationRecord> = { admin: unknownOperation('admin'), user: unknownOperation('user') };

/** Runs AJAX operations as their records declare: find → {@link Admission} → second proof → servers → input → handle → answer → audit. */
@Injectable()
export class OperationPipeline {
  constructor(
    private readonly registry: OperationRegistry,
    private readonly admission: Admission,
    private readonly proof: SecondProof,
    private readonly audit: AuditLog,
    private readonly scopes: ServerScopes,
    private readonly times: OperationTimes,
  ) {}

  /** Runs the operation `call.gn` of one side; never throws. */
  async run(side: Scope, call: RequestContext): Promise<OperationAnswer> {
    const { changeovers } = this.registry;
    const { mark } = changeovers;
    const find = (): OperationRecord => this.registry.find(side, call.gn ?? '') ?? UNKNOWN[side];
    const start = performance.now();
    let record = find();
    if (record === UNKNOWN[side] && (await changeovers.passed(mark))) record = find();
    let answer = await this.answer(record, call);
    if (answer instanceof TakenBack) {
      await changeovers.passed(mark);
      record = find();
      answer = await this.answer(record, call);
    }
    if (answer instanceof TakenBack) answer = record.failure(answer, call.locale);
    this.times.note(side, record.name || 'unknown', performance.now() - start, answer.kind === 'json' && isFailure(answer.reply.body));
    return answer;
  }

  private async answer(record: OperationRecord, call: RequestContext): Promise<OperationAnswer | TakenBack> {
    try {
      // A promise only if something has to be looked up; see Admission.
      const admitting = this.admission.admit(record, call, (access, permissions) => permissions.mayRun(access, record));
      if (admitting) await admitting;
      if (record.secondProof) await this.proof.require(record.side, call);
      const limited = record.side === 'admin' && record.servers !== undefined;
      const body = limited ? await this.scopes.confine(record.servers, accessOf(call.admin), call.body) : call.body;
      const handled = this.handle(record, call, body);
      const result = isThenable(handled.result) ? await handled.result : handled.result;
      const answer = record.answer(result, call.locale);
      const line = record.audit?.line(handled.input, result);
      if (line) await this.audit.write(lineOfCall({ side: record.side, gn: record.name }, line, call));
      return answer;
    } catch (error) {
      if (error instanceof AuthFailure) return authFailure(error.policy);
      if (error instanceof TakenBack) return error;
      return record.failure(error, call.locale);
    }
  }

  /**
   * Runs an operation that changes nothing for a page that shows its result, under the same requirements as a call of it.
   *
   * @param fields the operation's form
   * @returns what the handler returns
   * @throws as {@link Admission.authorize}; Error if the operation does not exist or changes something; what the operation throws
   */
  async show(side: Scope, name: string, fields: Readonly<Record<string, string>>, call: RequestContext): Promise<unknown> {
    const record = this.registry.find(side, name);
    if (!record || record.audit) throw new Error(`The ${side} side has no read-only operation "${name}".`);
    await this.admission.authorize(record, call, (access, permissions) => permissions.mayRun(access, record));
    const body = await this.scopes.confine(record.servers, accessOf(call.admin), fields);
    return this.handle(record, Object.create(call, { body: { value: body } }) as RequestContext, body).result;
  }

  private handle(record: OperationRecord, call: RequestContext, body: RequestContext['body']): { input: object; result: unknown } {
    const { locale } = call;
    const input = record.input ? checkInput(record.input, body, (problems) => inputRefusal(problems, locale)) : body;
    return { input, result: runInFrame({ owner: record.owner, call }, () => record.handle(input, call)) };
  }
}

function authFailure(policy: AuthPolicy): OperationAnswer {
  return { kind: 'json', reply: { status: 200, body: authFailureBody(policy) } };
}
