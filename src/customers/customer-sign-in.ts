import { Injectable } from '@nestjs/common';

import { DEVICE_COOKIES, MAX_PASSWORD, PasswordHasher, SignInLimits } from '../auth/index.js';
import { Semaphore } from '../common/index.js';
import type { CallContext } from '../sdk/index.js';

import { CustomerCodes, type Proven } from './customer-codes.js';
import { CustomerEntry } from './customer-entry.js';
import { CustomerLog } from './customer-log.js';
import { ACTIVE, Customers } from './customers.js';
import type { Customer } from './entities/index.js';
import { CustomerError } from './errors.js';

const SIDE = 'customer';
/** Limits concurrent sign-ins: they wait for hashing anyway, and must not delay other requests. */
const CONCURRENT = 4;
const MAX_NAME = 128;
/** Characters not allowed in names and mail addresses. */
const DANGEROUS = /["',/\\\p{Cc}]/u;

/** Fields of the login form. */
export interface CustomerLogin {
  /** The name, or a confirmed mail address. */
  readonly username: string;
  readonly password: string;
}

/** Signed in; or a code is required first. */
export type Entered = SignedIn | { readonly step: string };

/** A successful sign-in. */
export interface SignedIn {
  readonly customerId: number;
  readonly cookies: string[];
}

/** Signs customers in, with the limits common to all sign-ins. Source: docs/panel-api.md "Customers". */
@Injectable()
export class CustomerSignIn {
  private readonly turns = new Semaphore(CONCURRENT);

  constructor(
    private readonly customers: Customers,
    private readonly hasher: PasswordHasher,
    private readonly limits: SignInLimits,
    private readonly codes: CustomerCodes,
    private readonly entry: CustomerEntry,
    private readonly log: CustomerLog,
  ) {}

  /**
   * The attempt is counted before its password is verified; the captcha, if required, has been checked ({@link AskedCaptcha}).
   *
   * @throws CustomerError CREDENTIALS_EMPTY, USERNAME_CHARACTERS, LOCKED, and CREDENTIALS_WRONG, the same for an unknown name;
   *  LoginError TOO_MANY_TRIES
   */
  async login(login: CustomerLogin, call: CallContext): Promise<Entered> {
    this.check(login);
    const { username, password } = login;
    const typed = username.trim();
    const candidate = await this.candidate(typed);
    const counted = await this.limits.begin({
      side: SIDE,
      account: candidate?.usernameKey ?? typed.toLowerCase(),
      accountId: candidate?.id ?? null,
      ip: call.ip,
      deviceToken: call.cookies[DEVICE_COOKIES[SIDE]],
    });
    await counted.delay();
    const isRight = await this.turns.take(() => this.hasher.verify(password, candidate?.passwordHash ?? null));
    if (!isRight || !candidate || password.length > MAX_PASSWORD) {
      await counted.failed();
      throw new CustomerError('CREDENTIALS_WRONG');
    }
    // The password was right, so it was no guess, even if the account is locked.
    await counted.succeeded();
    if (candidate.status !== ACTIVE) throw new CustomerError('LOCKED');
    const step = await this.codes.begin(candidate);
    return step === null ? this.enter(candidate, call) : { step };
  }

  /**
   * Validates the input before the captcha, which is valid for a single attempt.
   *
   * @throws CustomerError CREDENTIALS_EMPTY, USERNAME_CHARACTERS
   */
  check({ username, password }: CustomerLogin): void {
    if (username.trim() === '' || password === '') throw new CustomerError('CREDENTIALS_EMPTY');
    if (DANGEROUS.test(username.trim())) throw new CustomerError('USERNAME_CHARACTERS');
  }

  /** Completes a sign-in with a code. @throws CustomerError CODE_WRONG; LoginError STEP_OVER, TOO_MANY_TRIES */
  async finish(step: string, code: string, call: CallContext): Promise<SignedIn> {
    return this.enter(await this.codes.finish(step, code, call), call, true);
  }

  private async enter(customer: Proven, call: CallContext, proven = false): Promise<SignedIn> {
    const cookies = await this.entry.open(customer, call, proven);
    if (cookies === null) throw new CustomerError('CREDENTIALS_WRONG');
    await this.log.note('signed_in', customer.username, call);
    return { customerId: customer.id, cookies };
  }

  private async candidate(typed: string): Promise<Customer | null> {
    if (typed.length > MAX_NAME) return null;
    return (await this.customers.findByName(typed)) ?? (typed.includes('@') ? this.customers.findByMail(typed) : null);
  }
}
