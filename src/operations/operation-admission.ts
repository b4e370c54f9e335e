import { Injectable } from '@nestjs/common';

import { AuthPolicyChecker, accessOf, isApiKey } from '../auth/index.js';
import { runInFrame } from '../common/index.js';
import type { AdminIdentity, AuthPolicy } from '../sdk/index.js';

import { OperationError } from './errors.js';
import type { RequestContext } from './call/call.js';
import { UserPanelSwitch } from './user-panel-switch.js';
import type { OperationRecord } from './operation.js';
import { Permissions } from './permissions.js';
import { SecondFactorGate } from './second-factor-gate.js';
import { SecondProof } from './second-proof.js';

/** Decides whether a caller may run an operation: auth policy, second factor, role, fresh proof. */
@Injectable()
export class OperationAdmission {
  constructor(
    private readonly policies: AuthPolicyChecker,
    private readonly userPanel: UserPanelSwitch,
    private readonly permissions: Permissions,
    private readonly secondFactors: SecondFactorGate,
    private readonly proof: SecondProof,
  ) {}

  /** @throws OperationError for one of the user side while that is closed */
  requireOpen(record: OperationRecord): void {
    if (record.closesWithUserPanel) this.userPanel.requireOpen();
  }

  /** Whether who calls is whom the policy of the operation asks for. */
  admits({ owner, auth }: OperationRecord, call: RequestContext): boolean | Promise<boolean> {
    if (typeof auth !== 'function') return this.policies.check(auth, call);
    return runInFrame({ owner, call }, () => this.policies.check(auth, call));
  }

  /**
   * @returns a promise where it has to be looked up
   * @throws OperationError for who has yet to set up his second factor, by rejection
   */
  requireSecondFactor(record: OperationRecord, { admin, user }: RequestContext): void | Promise<void> {
    if (isOpen(record.auth) || record.own || isProgram(record, admin)) return;
    return this.secondFactors.require(record.side, record.side === 'admin' ? admin : user);
  }

  /** @throws OperationError for an administrator whose role leaves the operation out */
  requireRole(record: OperationRecord, { admin }: RequestContext): void {
    // A program has no account of its own.
    if (record.own && isProgram(record, admin)) throw new OperationError('NOT_ALLOWED');
    if (isOpen(record.auth) || record.own || record.side !== 'admin' || admin === null) return;
    if (!this.permissions.mayRun(accessOf(admin), record)) throw new OperationError('NOT_ALLOWED');
  }

  /** @throws OperationError where who calls does not show once more who he is */
  requireProof(record: OperationRecord, call: RequestContext): Promise<void> {
    return this.proof.require(record.side, call);
  }
}

/** Called with a key: a program has no second factor. */
function isProgram({ side }: OperationRecord, admin: AdminIdentity | null): boolean {
  return side === 'admin' && admin !== null && isApiKey(admin);
}

/** Anybody may call it, signed in or not. */
function isOpen(auth: AuthPolicy): boolean {
  return auth === null || auth === '' || auth === 'none';
}
