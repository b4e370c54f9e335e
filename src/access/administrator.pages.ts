import { Controller } from '@nestjs/common';

import { AdminRoles } from '../auth/index.js';
import { Page, defineList } from '../web/index.js';

import { ACCESS } from './menu.js';

const isOther = (row: Readonly<Record<string, unknown>>): boolean => row.me !== 'true';

const ADMINISTRATORS = defineList({
  id: 'administrators',
  operation: 'listadmin',
  empty: 'script.empty',
  whole: true,
  columns: [
    {
      field: 'user',
      title: 'administrators.name',
      kind: 'named',
      notes: [{ text: (row, translate) => (row.me === 'true' ? translate('administrators.you') : '') }],
    },
    { field: 'js', title: 'administrators.role', kind: 'badge', badges: { '': ['purple', 'administrators.everything'] } },
    {
      field: 'kg',
      title: 'administrators.state',
      kind: 'badge',
      badges: { true: ['green', 'administrators.enabled'], false: ['secondary', 'administrators.disabled'] },
    },
    {
      field: 'f2',
      title: 'administrators.second',
      kind: 'badge',
      badges: { true: ['green', 'administrators.second_on'], false: ['secondary', 'administrators.second_off'] },
    },
    { field: 'hhs', title: 'administrators.sessions' },
    { field: 'last', title: 'administrators.last', kind: 'moment' },
    { field: 'date', title: 'administrators.since', kind: 'moment' },
  ],
  actions: [
    { label: 'administrators.own', when: (row) => !isOther(row), href: () => '/admin/settings?tab=account' },
    {
      label: 'administrators.edit',
      when: isOther,
      dialog: 'edit-administrator',
      operation: 'adminxg',
      fills: ['id', 'user', 'kg', 'js_id', 'row_version'],
    },
    {
      label: 'administrators.second_remove',
      when: (row) => isOther(row) && row.f2 === 'true',
      tone: 'danger',
      operation: 'adminf2',
      confirm: 'administrators.second_confirm',
    },
    { label: 'administrators.remove', when: isOther, tone: 'danger', operation: 'adminsc', confirm: 'administrators.remove_confirm' },
  ],
});

/** Page of the administrators. */
@Controller()
export class AdministratorPages {
  constructor(private readonly roles: AdminRoles) {}

  @Page({
    side: 'admin',
    path: 'administrators',
    title: 'access.menu.administrators',
    menu: { under: ACCESS, order: 10 },
    lists: [ADMINISTRATORS],
  })
  async administrators(): Promise<object> {
    return { roles: (await this.roles.list()).map(({ id, name }) => ({ id, name })) };
  }
}
