import { Get, Put } from '@nestjs/common';

import { Rate } from '../../auth/index.js';
import { AuditedWithin } from '../audit/index.js';
import { Answer, Call, sliceOf, type StoreCall } from '../call/index.js';
import { Body, Describe, Id, Query, shape, StoreAccess, StoreController } from '../http/index.js';

import { UserChangeForm, UsersQuery } from './account-forms.js';
import { UserAdministration } from './user-administration.js';
import { USER, userWire } from './user-wire.js';

/** Accounts, for administrators. */
@StoreController('admin/users')
export class AdminUsersController {
  constructor(private readonly users: UserAdministration) {}

  @Get()
  @Rate('read')
  @StoreAccess('admin')
  @Describe({ summary: 'Accounts, newest first', answers: shape.page(USER, 'users'), usual: { page: 1, page_size: 20 } })
  async list(@Query(UsersQuery) query: UsersQuery): Promise<object> {
    const slice = sliceOf(query, 20);
    const { total, users } = await this.users.page(query, slice);
    return { users: users.map(userWire), total, page: slice.page, page_size: slice.pageSize };
  }

  @Put(':id')
  @Rate('write')
  @StoreAccess('admin')
  @AuditedWithin('user.update')
  @Describe({
    summary: 'Bans, unbans, promotes or demotes somebody',
    details: 'A ban ends every session and token at once. One active administrator always remains.',
    answers: USER,
  })
  async change(@Id() id: number, @Body(UserChangeForm) form: UserChangeForm, @Call() call: StoreCall): Promise<Answer> {
    return new Answer('store.updated', userWire(await this.users.change(id, form, call)));
  }
}
