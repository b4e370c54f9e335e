import { Injectable } from '@nestjs/common';
import { isEmail } from 'class-validator';

import { PasswordHasher } from '../../auth/index.js';
import { Clock, Turns } from '../../common/index.js';
import { AppConfig, DEFAULT_ADMIN_PASSWORD } from '../../config/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { StoreUser } from '../entities/index.js';
import { StoreError } from '../errors.js';
import type { StoreCall } from '../http/index.js';

import { MAX_PASSWORD, type LoginForm, type PasswordForm, type ProfileForm, type RegisterForm } from './account-forms.js';
import { AttemptLimits } from './attempt-limits.js';
import { emailKey, nameKey, nameProblem } from './names.js';
import { StoreSessions } from './store-sessions.js';

/** Passwords worked on at a time: the rest of fifty sign-ins at once need not come before everybody else's requests. */
const CONCURRENT_HASHES = 4;

/** Who is who: new accounts, passwords, what an account says of itself. */
@Injectable()
export class StoreAccounts {
  private readonly turns = new Turns(CONCURRENT_HASHES);

  constructor(
    private readonly database: Database,
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly hasher: PasswordHasher,
    private readonly limits: AttemptLimits,
    private readonly sessions: StoreSessions,
  ) {}

  /** Somebody's row. @throws StoreError NOT_FOUND */
  async get(id: number): Promise<StoreUser> {
    const user = await this.rows.findOneBy({ id });
    if (!user) throw new StoreError('NOT_FOUND', {}, 'store.user_missing');
    return user;
  }

  /** Whether this account still has the published default password. */
  hasDefaultPassword(id: number): Promise<boolean> {
    return this.rows.existsBy({ id, hasDefaultPassword: true });
  }

  /** What stands against a new account, before its captcha is used up. @throws StoreError INVALID */
  checkNew({ username, password, email }: RegisterForm): void {
    if (!username || !password || !email) throw StoreError.invalid('store.register_fields');
    const problem = nameProblem(username);
    if (problem) throw StoreError.invalid(problem);
    checkPassword(password, 'store.password_short');
    if (!isEmail(email)) throw StoreError.invalid('store.email_invalid');
  }

  /** Makes the account of a developer; the form has passed {@link checkNew}. @throws StoreError INVALID for a name or address that is taken */
  async register({ username, password, email }: RegisterForm): Promise<StoreUser> {
    const passwordHash = await this.turns.take(() => this.hasher.hash(password));
    const now = this.clock.now();
    const names = { username, usernameKey: nameKey(username), email, emailKey: emailKey(email) };
    const row = this.rows.create({ ...names, passwordHash, hasDefaultPassword: false, role: 'developer', avatar: '', bio: '', status: 'active', createdAt: now, updatedAt: now });
    try {
      return await this.rows.save(row);
    } catch (error) {
      throw isUniqueViolation(error) ? StoreError.invalid('store.name_taken') : error;
    }
  }

  /**
   * Checks name and password and opens a session. An unknown name is answered like a wrong password, and takes as long.
   *
   * @throws StoreError CREDENTIALS_WRONG; ACCOUNT_BANNED for who knows the password
   */
  async signIn({ username, password }: LoginForm, visitor: Pick<StoreCall, 'ip' | 'userAgent'>): Promise<{ user: StoreUser; token: string }> {
    const key = nameKey(username);
    const known = nameProblem(username) === null || /^[\w.@-]{2,30}$/.test(username) ? await this.rows.findOneBy({ usernameKey: key }) : null;
    const fits = [...password].length <= MAX_PASSWORD;
    const right = await this.turns.take(() => this.hasher.verify(fits ? password : '', fits ? (known?.passwordHash ?? null) : null));
    if (!right || !known) throw new StoreError('CREDENTIALS_WRONG');
    if (known.hasDefaultPassword && !this.config.defaultPasswordAllowed) throw new StoreError('CREDENTIALS_WRONG', {}, 'store.default_password_refused');
    if (known.status !== 'active') throw new StoreError('ACCOUNT_BANNED');
    const token = await this.sessions.openWithPassword(known.id, known.passwordHash, visitor);
    // Banned, or given another password, since it was read.
    if (token === null) throw new StoreError('CREDENTIALS_WRONG');
    return { user: known, token };
  }

  /** Changes the password: every session ends, and the caller goes on under a new one. @returns its token @throws StoreError INVALID */
  async changePassword(id: number, { oldPassword, newPassword }: PasswordForm, visitor: Pick<StoreCall, 'ip' | 'userAgent'>): Promise<string> {
    if (!oldPassword || !newPassword) throw StoreError.invalid('store.password_fields');
    checkPassword(newPassword, 'store.new_password_short');
    const forget = await this.limits.oldPassword(id);
    const { passwordHash: present } = await this.get(id);
    if (!(await this.turns.take(() => this.hasher.verify(oldPassword, present)))) throw StoreError.invalid('store.old_password_wrong');
    const passwordHash = await this.turns.take(() => this.hasher.hash(newPassword));
    const token = await this.database.transaction(async () => {
      const { affected } = await this.rows.update({ id, passwordHash: present }, { passwordHash, hasDefaultPassword: false, updatedAt: this.clock.now() });
      return affected === 1 ? this.sessions.rotate(id, visitor) : null;
    });
    // Two changes at once: the other one was first, and this one's old password is no longer right.
    if (token === null) throw StoreError.invalid('store.old_password_wrong');
    await forget();
    return token;
  }

  /** Changes what an account says of itself. @throws StoreError INVALID */
  async changeProfile(id: number, { email, avatar, bio }: ProfileForm): Promise<StoreUser> {
    await this.limits.ownAccount(id);
    const changes = {
      ...(email === undefined ? {} : { email, emailKey: emailKey(email) }),
      ...(avatar === undefined ? {} : { avatar }),
      ...(bio === undefined ? {} : { bio }),
    };
    if (Object.keys(changes).length === 0) throw StoreError.invalid('store.nothing_to_change');
    try {
      await this.rows.update({ id }, { ...changes, updatedAt: this.clock.now() });
    } catch (error) {
      throw isUniqueViolation(error) ? StoreError.invalid('store.email_taken') : error;
    }
    return this.get(id);
  }

  private get rows() {
    return this.database.repository(StoreUser);
  }
}

/** @throws StoreError INVALID */
function checkPassword(password: string, short: string): void {
  const { length } = [...password];
  if (length < 6) throw StoreError.invalid(short);
  if (length > MAX_PASSWORD) throw StoreError.invalid('store.password_long');
  if (password === DEFAULT_ADMIN_PASSWORD) throw StoreError.invalid('store.password_published');
}
