import { Get, Put } from '@nestjs/common';

import { Rate } from '../../auth/index.js';
import { ApiOperation } from '../../http/index.js';
import { AuditedWithin } from '../audit/index.js';
import { Answer, Call, sliceOf, type StoreCall } from '../call/index.js';
import { Body, ApiData, ApiPage, Id, Query, StoreAccess, StoreController } from '../http/index.js';

import { UserChangeForm, UsersQuery } from './account-forms.js';
import { UserAdministration } from './user-administration.js';
import { User, userWire } from './user-wire.js';

/** Account management for administrators. */
@StoreController('admin/users')
export class AdminUsersController {
  constructor(private readonly users: UserAdministration) {}

  @Get()
  @Rate('read')
  @StoreAccess('admin')
  @ApiOperation({ summary: 'Accounts, newest first' })
  @ApiPage(User, 'users')
  async list(@Query() query: UsersQuery): Promise<object> {
    const slice = sliceOf(query);
    const { total, users } = await this.users.page(query, slice);
    return { users: users.map(userWire), total, page: slice.page, page_size: slice.pageSize };
  }

  @Put(':id')
  @Rate('write')
  @StoreAccess('admin')
  @AuditedWithin('user.update')
  @ApiOperation({
    summary: 'Bans, unbans, promotes or demotes an account',
    description: 'A ban ends all sessions and tokens immediately. At least one active administrator must remain.',
  })
  @ApiData(User)
  async change(@Id() id: number, @Body() form: UserChangeForm, @Call() call: StoreCall): Promise<Answer> {
    return new Answer('store.updated', userWire(await this.users.change(id, form, call)));
  }
}
