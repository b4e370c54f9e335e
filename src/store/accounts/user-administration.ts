import { Injectable } from '@nestjs/common';

import { Clock } from '../../common/index.js';
import { Database, EntityPages, isUniqueViolation, likeAnywhere, type SqlValue } from '../../database/index.js';
import { actorOf, StoreAuditLog } from '../audit/index.js';
import { StoreUser, nameKey } from '../entities/index.js';
import { StoreError } from '../errors.js';
import type { PageSlice, StoreCall } from '../call/index.js';

import type { UserChangeForm, UsersQuery } from './account-forms.js';
import { emailKey } from './names.js';
import { StoreSessions } from './store-sessions.js';
import { StoreTokens } from './store-tokens.js';

const CHANGEABLE = ['status', 'role', 'email', 'avatar', 'bio'] as const;

/** Changes to accounts by administrators. */
@Injectable()
export class UserAdministration {
  private readonly lists;
  private readonly activeAdministrators;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly sessions: StoreSessions,
    private readonly tokens: StoreTokens,
    private readonly log: StoreAuditLog,
  ) {
    this.lists = new EntityPages(database, StoreUser);
    // Locks all administrators: if two demote each other, the second sees the first one's change.
    // SQLite transactions are serialized anyway.
    const locked = database.engine === 'mysql' ? ' FOR UPDATE' : '';
    this.activeAdministrators = database.statement<{ id: number }>(
      `SELECT {StoreUser.id} AS id FROM {StoreUser} WHERE {StoreUser.role} = 'admin' AND {StoreUser.status} = 'active'
        ORDER BY {StoreUser.id}${locked}`,
    );
  }

  /** Returns a page of accounts, newest first. */
  async page({ keyword, role, status }: UsersQuery, slice: PageSlice): Promise<{ total: number; users: StoreUser[] }> {
    const conditions: string[] = [];
    const params: SqlValue[] = [];
    const addCondition = (condition: string, ...values: SqlValue[]): void => {
      conditions.push(condition);
      params.push(...values);
    };
    if (role) addCondition('{StoreUser.role} = ?', role);
    if (status) addCondition('{StoreUser.status} = ?', status);
    if (keyword) {
      addCondition(
        "({StoreUser.usernameKey} LIKE ? ESCAPE '!' OR {StoreUser.emailKey} LIKE ? ESCAPE '!')",
        likeAnywhere(nameKey(keyword)),
        likeAnywhere(emailKey(keyword)),
      );
    }
    const { total, rows } = await this.lists.page({
      conditions,
      params,
      sort: null,
      direction: 'desc',
      offset: slice.offset,
      limit: slice.pageSize,
    });
    return { total, users: rows };
  }

  /**
   * Changes an account and records it in the audit log. A ban ends its sessions and tokens immediately.
   *
   * @throws StoreError NOT_FOUND; INVALID for a taken address or the last active administrator; ADMIN_REQUIRED if the caller is no longer
   *   an administrator
   */
  async change(id: number, form: UserChangeForm, call: StoreCall): Promise<StoreUser> {
    const { status, role, email } = form;
    const given = Object.fromEntries(CHANGEABLE.filter((name) => form[name] !== undefined).map((name) => [name, form[name]]));
    const changes: Partial<StoreUser> = {
      ...given,
      ...(email === undefined ? {} : { emailKey: emailKey(email) }),
      ...(form.trusted === undefined ? {} : { trustedAt: form.trusted ? this.clock.now() : null }),
    };
    if (Object.keys(changes).length === 0) throw new StoreError('NOTHING_TO_CHANGE');
    try {
      return await this.database.transaction(async () => {
        const administrators = (await this.activeAdministrators.all()).map((row) => Number(row.id));
        if (!administrators.includes(call.caller!.id)) throw new StoreError('ADMIN_REQUIRED');
        const before = await this.users.findOneBy({ id });
        if (!before) throw new StoreError('USER_MISSING');
        const leaves = administrators.includes(id) && (status === 'banned' || role === 'developer');
        if (leaves && administrators.length === 1) throw new StoreError('LAST_ADMIN');
        await this.users.update({ id }, { ...changes, updatedAt: this.clock.now() });
        if (status === 'banned') {
          await this.sessions.endEvery(id);
          await this.tokens.revokeEvery(id);
        }
        await this.log.record(actorOf(call), { action: 'user.update', subject: 'user', subjectId: id, detail: difference(before, form) });
        return this.users.findOneByOrFail({ id });
      });
    } catch (error) {
      throw isUniqueViolation(error) ? new StoreError('EMAIL_TAKEN') : error;
    }
  }

  private get users() {
    return this.database.repository(StoreUser);
  }
}

/** Audit detail of a change. For addresses and texts it records only that they changed, because the log outlives accounts. */
function difference(before: StoreUser, form: UserChangeForm): Record<string, unknown> {
  const { status, role, trusted } = form;
  return {
    ...(trusted === undefined ? {} : { trusted: [before.trustedAt !== null, trusted].map(String) }),
    ...(status === undefined ? {} : { status: [before.status, status] }),
    ...(role === undefined ? {} : { role: [before.role, role] }),
    ...Object.fromEntries(
      (['email', 'avatar', 'bio'] as const).filter((name) => form[name] !== undefined).map((name) => [name, 'changed']),
    ),
  };
}
