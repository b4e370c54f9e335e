import { Injectable } from '@nestjs/common';

import { AuthPolicyChecker, accessOf, isApiKey } from '../auth/index.js';
import { runInFrame } from '../common/index.js';
import type { AuthPolicy } from '../sdk/index.js';

import { OperationError } from './errors.js';
import type { RequestContext } from './http/call.js';
import { UserPanelSwitch } from './http/user-panel-switch.js';
import type { OperationRecord } from './operation.js';
import { Permissions } from './permissions.js';
import { SecondFactorGate } from './second-factor-gate.js';
import { SecondProof } from './second-proof.js';

/** Who may run an operation, and with what he shows. */
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
   * @throws OperationError for an administrator whose role leaves the operation out, and for who has yet to set up his second factor
   */
  async requireRole(record: OperationRecord, { admin, user }: RequestContext): Promise<void> {
    const program = record.side === 'admin' && admin !== null && isApiKey(admin);
    // A program has no account of its own, and no second factor.
    if (program && record.own) throw new OperationError('NOT_ALLOWED');
    if (isOpen(record.auth) || record.own) return;
    if (!program) await this.secondFactors.require(record.side, record.side === 'admin' ? admin : user);
    if (record.side !== 'admin' || admin === null) return;
    if (!this.permissions.mayRun(accessOf(admin), record)) throw new OperationError('NOT_ALLOWED');
  }

  /** @throws OperationError where who calls does not show once more who he is */
  requireProof(record: OperationRecord, call: RequestContext): Promise<void> {
    return this.proof.require(record.side, call);
  }
}

/** Anybody may call it, signed in or not. */
function isOpen(auth: AuthPolicy): boolean {
  return auth === null || auth === '' || auth === 'none';
}
