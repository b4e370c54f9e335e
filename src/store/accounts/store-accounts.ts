import { Injectable } from '@nestjs/common';

import { Clock, nameSkeleton } from '../../common/index.js';
import { Database, isUniqueViolation } from '../../database/index.js';
import { checkVersion } from '../../http/index.js';
import { StoreAuditLog } from '../audit/index.js';
import { StoreUser, nameKey } from '../entities/index.js';
import { StoreError } from '../errors.js';

import type { ProfileForm, RegisterForm } from './account-forms.js';
import { AttemptLimits } from './attempt-limits.js';
import { emailKey, nameProblem } from './names.js';
import { isPlainEmail } from './plain-text.js';
import { checkStorePassword } from './password-rules.js';
import { StorePasswordHasher } from './store-password-hasher.js';
import { profileForm } from './user-wire.js';

/** Accounts of the store: registration and profiles. */
@Injectable()
export class StoreAccounts {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly hasher: StorePasswordHasher,
    private readonly limits: AttemptLimits,
    private readonly log: StoreAuditLog,
  ) {}

  /** Returns an account. @throws StoreError USER_MISSING */
  async get(id: number): Promise<StoreUser> {
    const user = await this.rows.findOneBy({ id });
    if (!user) throw new StoreError('USER_MISSING');
    return user;
  }

  /** Returns the account of this name, in any case and width; null if there is none. */
  find(username: string): Promise<StoreUser | null> {
    return this.rows.findOneBy({ usernameKey: nameKey(username) });
  }

  /** Returns whether this account still has the published default password. */
  hasDefaultPassword(id: number): Promise<boolean> {
    return this.rows.existsBy({ id, hasDefaultPassword: true });
  }

  /** Checks the form of a new account, before its captcha is used up. @throws StoreError INVALID */
  checkNew({ username, password, email }: RegisterForm): void {
    if (!username || !password || !email) throw new StoreError('REGISTER_FIELDS');
    const problem = nameProblem(username);
    if (problem) throw new StoreError(problem);
    checkStorePassword(password, 'PASSWORD_SHORT');
    if (!isPlainEmail(email)) throw new StoreError('EMAIL_INVALID');
  }

  /**
   * Creates the account of a developer; the form has passed {@link checkNew}.
   *
   * @throws StoreError NAME_TAKEN
   */
  async register({ username, password, email }: RegisterForm, ip: string): Promise<StoreUser> {
    const passwordHash = await this.hasher.hash(password);
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

  /**
   * Replaces a password, and runs `then` in the same transaction.
   *
   * @param known the account as it was when the right to do so was proved
   * @returns what `then` returns; null, with nothing changed, if the password changed since
   */
  replacePassword<T>(known: Pick<StoreUser, 'id' | 'passwordHash'>, passwordHash: string, then: () => Promise<T>): Promise<T | null> {
    const { id, passwordHash: present } = known;
    return this.database.transaction(async () => {
      const changes = { passwordHash, hasDefaultPassword: false, updatedAt: this.clock.now() };
      const { affected } = await this.rows.update({ id, passwordHash: present }, changes);
      return affected === 1 ? then() : null;
    });
  }

  /** Changes address, avatar or text of an account. @throws StoreError NOTHING_TO_CHANGE, EMAIL_TAKEN @throws StaleForm */
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
