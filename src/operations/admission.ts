import { Injectable } from '@nestjs/common';

import { type Access, AuthPolicyChecker, type RateClass, RateGate, accessOf, isApiKey } from '../auth/index.js';
import { isThenable, runInFrame } from '../common/index.js';
import type { AdminIdentity, AuthPolicy, Scope } from '../sdk/index.js';

import type { RequestContext } from './call/call.js';
import { AuthFailure, OperationError } from './errors.js';
import { Permissions } from './permissions.js';
import { SecondFactorGate } from './second-factor-gate.js';
import { UserPanelSwitch } from './user-panel-switch.js';

/** Requirements that a caller has to meet before an operation, a route, a page or another handler runs. */
export interface Requirements {
  /** Owner of the code; a policy that is a function runs in its name. */
  readonly owner: string;
  readonly auth: AuthPolicy;
  /** Side whose account also needs its second factor and, on the admin side, a role; null: the policy decides alone. */
  readonly side: Scope | null;
  /** Concerns the caller's own account only: needs no second factor, and is closed to programs, which have no account. */
  readonly own?: true;
  readonly closesWithUserPanel: boolean;
  /** Rate class the request counts against; null if it has been counted already. */
  readonly rate: RateClass | null;
}

/** Whether the role of an administrator permits what is asked for. */
export type RolePermits = (access: Access, permissions: Permissions) => boolean;

/**
 * Admits callers, in one order for everything that can be called: user panel open → policy → second factor → role → rate.
 *
 * Both methods return a promise only if something has to be looked up: awaiting every step would cost more than the steps themselves.
 */
@Injectable()
export class Admission {
  constructor(
    private readonly policies: AuthPolicyChecker,
    private readonly userPanel: UserPanelSwitch,
    private readonly secondFactors: SecondFactorGate,
    private readonly permissions: Permissions,
    private readonly rates: RateGate,
  ) {}

  /**
   * Checks all requirements and counts the request.
   *
   * @throws as {@link authorize}; RateLimited
   */
  admit(required: Requirements, call: RequestContext, permits: RolePermits): void | Promise<void> {
    return after(this.authorize(required, call, permits), () => {
      if (required.rate !== null) return this.rates.admit(required.rate, call.ip, accountOf(required.side, call));
    });
  }

  /**
   * Checks all requirements except the rate.
   *
   * @throws AuthFailure of the policy; OperationError USER_PANEL_CLOSED, SECOND_FACTOR_FIRST, NOT_ALLOWED; what the policy throws
   */
  authorize(required: Requirements, call: RequestContext, permits: RolePermits): void | Promise<void> {
    if (required.closesWithUserPanel) this.userPanel.requireOpen();
    return after(this.meetsPolicy(required, call), (meets) => {
      if (!meets) throw new AuthFailure(required.auth);
      if (required.side === null || isOpen(required.auth)) return;
      return after(this.requireSecondFactor(required, required.side, call), () => this.requireRole(required, call, permits));
    });
  }

  private meetsPolicy({ owner, auth }: Requirements, call: RequestContext): boolean | Promise<boolean> {
    if (typeof auth !== 'function') return this.policies.check(auth, call);
    return runInFrame({ owner, call }, () => this.policies.check(auth, call));
  }

  private requireSecondFactor({ own }: Requirements, side: Scope, call: RequestContext): void | Promise<void> {
    if (own || (side === 'admin' && isProgram(call.admin))) return;
    return this.secondFactors.require(side, call[side]);
  }

  private requireRole({ own, side }: Requirements, { admin }: RequestContext, permits: RolePermits): void {
    if (side !== 'admin' || admin === null) return;
    if ((own && isProgram(admin)) || !permits(accessOf(admin), this.permissions)) throw new OperationError('NOT_ALLOWED');
  }
}

/** The caller uses an API key: a program has no second factor. */
function isProgram(admin: AdminIdentity | null): boolean {
  return admin !== null && isApiKey(admin);
}

/** Anybody may call it, signed in or not. */
function isOpen(auth: AuthPolicy): boolean {
  return auth === null || auth === '' || auth === 'none';
}

/** Account whose requests are counted together, such as `user:12`; null: they are counted by address. */
function accountOf(side: Scope | null, { admin, user }: RequestContext): string | null {
  if (side !== 'admin' && user) return `user:${user.id}`;
  return side !== 'user' && admin ? `admin:${admin.id}` : null;
}

/** Continues with a value at once if it is there, or when its promise resolves. */
function after<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return isThenable(value) ? (value as Promise<T>).then(next) : next(value as T);
}
