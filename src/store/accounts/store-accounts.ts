import { Injectable } from '@nestjs/common';

import { KnownDevices, PasswordHasher } from '../../auth/index.js';
import { Clock, nameSkeleton, Semaphore } from '../../common/index.js';
import { AppConfig } from '../../config/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { checkVersion } from '../../http/index.js';
import { StoreAuditLog } from '../audit/index.js';
import { StoreUser, nameKey } from '../entities/index.js';
import { StoreError } from '../errors.js';
import type { StoreCall } from '../call/index.js';
import { hasInvisible } from '../packages/index.js';

import { MAX_PASSWORD, type LoginForm, type PasswordForm, type ProfileForm, type RegisterForm } from './account-forms.js';
import { AttemptLimits } from './attempt-limits.js';
import { emailKey, nameProblem } from './names.js';
import { isPlainEmail } from './plain-text.js';
import { checkStorePassword } from './password-rules.js';
import { StoreSessions } from './store-sessions.js';
import { StoreTokens } from './store-tokens.js';
import { profileForm } from './user-wire.js';

/** Passwords worked on at a time: the rest of fifty sign-ins at once need not come before everybody else's requests. */
const CONCURRENT_HASHES = 4;

/** Client of a sign-in: address, browser and device. */
export type Visitor = Pick<StoreCall, 'ip' | 'userAgent'> & Partial<Pick<StoreCall, 'deviceToken'>>;

/** The tokens for the cookies of somebody who signed in. */
export interface SignedInTokens {
  readonly token: string;
  /** Of the device, which is known from now on. */
  readonly device: string;
}

/** Tokens of a session under a new password, with how many API tokens ended and how many are left. */
export interface PasswordChange extends SignedInTokens {
  readonly tokensEnded: number;
  readonly tokensLeft: number;
}

/** Checks a code of an account's second factor; `right` where it has none. */
export type CodeCheck = (accountId: number, code: string) => Promise<'right' | 'wrong' | 'missing'>;

/** Accounts of the store: registration, sign-in, passwords, profiles. */
@Injectable()
export class StoreAccounts {
  private readonly turns = new Semaphore(CONCURRENT_HASHES);

  constructor(
    private readonly database: Database,
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly hasher: PasswordHasher,
    private readonly limits: AttemptLimits,
    private readonly sessions: StoreSessions,
    private readonly tokens: StoreTokens,
    private readonly devices: KnownDevices,
    private readonly log: StoreAuditLog,
  ) {}

  /** Somebody's row. @throws StoreError NOT_FOUND */
  async get(id: number): Promise<StoreUser> {
    const user = await this.rows.findOneBy({ id });
    if (!user) throw new StoreError('USER_MISSING');
    return user;
  }

  /** Whether this account still has the published default password. */
  hasDefaultPassword(id: number): Promise<boolean> {
    return this.rows.existsBy({ id, hasDefaultPassword: true });
  }

  /** What stands against a new account, before its captcha is used up. @throws StoreError INVALID */
  checkNew({ username, password, email }: RegisterForm): void {
    if (!username || !password || !email) throw new StoreError('REGISTER_FIELDS');
    const problem = nameProblem(username);
    if (problem) throw new StoreError(problem);
    checkStorePassword(password, 'PASSWORD_SHORT');
    if (!isPlainEmail(email)) throw new StoreError('EMAIL_INVALID');
  }

  /**
   * Makes the account of a developer; the form has passed {@link checkNew}.
   *
   * @throws StoreError INVALID for a name or address that is taken
   */
  async register({ username, password, email }: RegisterForm, { ip }: Visitor): Promise<StoreUser> {
    const passwordHash = await this.turns.take(() => this.hasher.hash(password));
    const now = this.clock.now();
    const names = { username, usernameKey: nameKey(username), usernameSkeleton: nameSkeleton(username), email, emailKey: emailKey(email) };
    const row = this.rows.create({
      ...names,
      passwordHash,
      hasDefaultPassword: false,
      role: 'developer',
      avatar: '',
      bio: '',
      status: 'active',
      createdAt: now,
      updatedAt: now,
    });
    try {
      return await this.database.transaction(async () => {
        const user = await this.rows.save(row);
        await this.log.record({ caller: user, ip }, { action: 'auth.register', subject: 'user', subjectId: user.id });
        return user;
      });
    } catch (error) {
      throw isUniqueViolation(error) ? new StoreError('NAME_TAKEN') : error;
    }
  }

  /** Signs in who has just registered. */
  async enter({ id }: StoreUser, visitor: Visitor): Promise<SignedInTokens> {
    return { token: await this.sessions.open(id, visitor), device: await this.devices.remember('store', id, visitor.deviceToken) };
  }

  /**
   * Checks name and password and opens a session. An unknown name is answered like a wrong password, and takes as long.
   *
   * @param factor says whether the code is right, of an account that is asked for one
   * @throws StoreError CREDENTIALS_WRONG; CODE_REQUIRED, CODE_WRONG; TOO_MANY_REQUESTS; ACCOUNT_BANNED for who knows the password
   */
  async signIn(
    { username, password, code }: LoginForm,
    visitor: Visitor,
    factor: CodeCheck,
  ): Promise<{ user: StoreUser } & SignedInTokens> {
    const key = nameKey(username);
    // Not by the rules for new names: whoever has an older one comes in with it.
    const known = hasInvisible(username) ? null : await this.rows.findOneBy({ usernameKey: key });
    const counted = await this.limits.signIn({
      account: key,
      accountId: known?.id ?? null,
      ip: visitor.ip,
      deviceToken: visitor.deviceToken,
    });
    const fits = [...password].length <= MAX_PASSWORD;
    const right = await this.turns.take(() => this.hasher.verify(fits ? password : '', fits ? (known?.passwordHash ?? null) : null));
    if (!right || !known) {
      await counted.failed();
      if (known) await this.log.recordFailedSignIn(known, visitor.ip);
      throw new StoreError('CREDENTIALS_WRONG');
    }
    const shown = await factor(known.id, code ?? '');
    if (shown === 'wrong') {
      await counted.failed();
      await this.log.recordFailedSignIn(known, visitor.ip);
    }
    if (shown !== 'right') throw new StoreError(shown === 'wrong' ? 'CODE_WRONG' : 'CODE_REQUIRED');
    await counted.succeeded();
    if (known.hasDefaultPassword && !this.config.defaultPasswordAllowed) throw new StoreError('DEFAULT_PASSWORD_REFUSED');
    if (known.status !== 'active') throw new StoreError('ACCOUNT_BANNED');
    const token = await this.sessions.openWithPassword(known.id, known.passwordHash, visitor);
    // Banned, or given another password, since it was read.
    if (token === null) throw new StoreError('CREDENTIALS_WRONG');
    await this.log.record({ caller: known, ip: visitor.ip }, { action: 'auth.login', subject: 'user', subjectId: known.id });
    return { user: known, token, device: await this.devices.remember('store', known.id, visitor.deviceToken) };
  }

  /**
   * Changes the password: every session ends and every device is forgotten, and the caller goes on under new tokens. Tokens for
   * programs end as well where the form says so.
   *
   * @throws StoreError INVALID
   */
  async changePassword(id: number, { oldPassword, newPassword, endTokens }: PasswordForm, visitor: Visitor): Promise<PasswordChange> {
    if (!oldPassword || !newPassword) throw new StoreError('PASSWORD_FIELDS');
    checkStorePassword(newPassword, 'NEW_PASSWORD_SHORT');
    const forget = await this.limits.oldPassword(id);
    const { passwordHash: present, username } = await this.get(id);
    if (!(await this.turns.take(() => this.hasher.verify(oldPassword, present)))) throw new StoreError('OLD_PASSWORD_WRONG');
    const passwordHash = await this.turns.take(() => this.hasher.hash(newPassword));
    const change = await this.database.transaction(async () => {
      const { affected } = await this.rows.update(
        { id, passwordHash: present },
        { passwordHash, hasDefaultPassword: false, updatedAt: this.clock.now() },
      );
      if (affected !== 1) return null;
      const token = await this.sessions.rotate(id, visitor);
      await this.devices.forgetEvery('store', id);
      const device = await this.devices.remember('store', id, visitor.deviceToken);
      const tokensEnded = endTokens ? await this.tokens.revokeEvery(id) : 0;
      const detail = { tokens_ended: tokensEnded };
      await this.log.record(
        { caller: { id, username }, ip: visitor.ip },
        { action: 'auth.password', subject: 'user', subjectId: id, detail },
      );
      return { token, device, tokensEnded, tokensLeft: await this.tokens.countLive(id) };
    });
    // Two changes at once: the other one was first, and this one's old password is no longer right.
    if (change === null) throw new StoreError('OLD_PASSWORD_WRONG');
    await forget();
    return change;
  }

  /** Changes what an account says of itself. @throws StoreError INVALID @throws StaleForm */
  async changeProfile(id: number, { email, avatar, bio, row_version: version }: ProfileForm): Promise<StoreUser> {
    await this.limits.ownAccount(id);
    const changes = {
      ...(email === undefined ? {} : { email, emailKey: emailKey(email) }),
      ...(avatar === undefined ? {} : { avatar }),
      ...(bio === undefined ? {} : { bio }),
    };
    if (Object.keys(changes).length === 0) throw new StoreError('NOTHING_TO_CHANGE');
    try {
      return await this.database.transaction(async () => {
        await this.database.lockRow('StoreUser', 'id', id);
        checkVersion(version, profileForm(await this.get(id)), Object.keys(changes));
        await this.rows.update({ id }, { ...changes, updatedAt: this.clock.now() });
        return this.get(id);
      });
    } catch (error) {
      throw isUniqueViolation(error) ? new StoreError('EMAIL_TAKEN') : error;
    }
  }

  private get rows() {
    return this.database.repository(StoreUser);
  }
}
