import { Injectable } from '@nestjs/common';

import { PasswordHasher, SignInLimits } from '../../auth/index.js';
import { Semaphore } from '../../common/index.js';
import { AskedCaptcha } from '../../customers/index.js';
import type { PasswordsService, PluginAccount } from '../../sdk/index.js';

import { withMessages } from './refusals.js';

/** Concurrent hashes: sign-ins may wait, so that they do not delay all other requests. */
const CONCURRENT = 4;
/** Significant characters of a name; no account's name is longer. */
const MAX_NAME = 64;

/** Passwords of plugins' own accounts. */
@Injectable()
export class PasswordFunctionsFactory {
  private readonly turns = new Semaphore(CONCURRENT);

  constructor(
    private readonly hasher: PasswordHasher,
    private readonly limits: SignInLimits,
    private readonly captchas: AskedCaptcha,
  ) {}

  serviceFor(slug: string): PasswordsService {
    const { captchas, hasher, turns } = this;
    const calls: Omit<PasswordsService, 'captchaWanted'> = {
      hash: (password) => turns.take(() => hasher.hash(password)),
      checkCaptcha: (ctx, answer) => captchas.check(ctx, answer),
      check: ({ ip }, account, password) => this.check(slug, ip, account, password),
    };
    return { captchaWanted: () => captchas.wanted, ...withMessages(calls) };
  }

  private async check(slug: string, ip: string, { name, hash }: PluginAccount, password: string): Promise<boolean> {
    const account = `${slug}:${name.trim().toLowerCase().slice(0, MAX_NAME)}`;
    const counted = await this.limits.begin({ side: 'plugin', account, accountId: null, ip, deviceToken: undefined });
    await counted.delay();
    const isRight = await this.turns.take(() => this.hasher.verify(password, hash));
    await (isRight ? counted.succeeded() : counted.failed());
    return isRight;
  }
}
