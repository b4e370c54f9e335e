import { Controller } from '@nestjs/common';

import { ApiKeys, accessOf } from '../auth/index.js';
import { versionOf } from '../http/index.js';
import type { RequestContext } from '../operations/index.js';
import { Page, PageMissing, defineList } from '../web/index.js';

import { keyForm } from './key-form.js';
import { ACCESS } from './menu.js';
import { PermissionWords } from './permission-words.js';

const KEYS = defineList({
  id: 'api-keys',
  operation: 'listmy',
  empty: 'keys.empty',
  whole: true,
  columns: [
    {
      field: 'name',
      title: 'keys.name',
      kind: 'named',
      notes: [{ text: (row) => row.qxmc as readonly string[], fold: 'roles.permissions_n' }, { text: (row) => String(row.qxmb) }],
    },
    {
      field: 'zt',
      title: 'keys.state',
      kind: 'badge',
      badges: { on: ['green', 'keys.on'], off: ['secondary', 'keys.off'], over: ['red', 'keys.over'] },
    },
    { field: 'ips', title: 'keys.addresses' },
    { field: 'dq', title: 'keys.expires', kind: 'expiry', whole: true },
    { field: 'sl', title: 'keys.uses' },
    { field: 'last', title: 'keys.last', kind: 'moment' },
  ],
  actions: [
    { label: 'keys.edit', href: (row) => `/admin/api-key?id=${encodeURIComponent(String(row.id))}` },
    { label: 'keys.remove', tone: 'danger', operation: 'mysc', confirm: 'keys.remove_confirm' },
  ],
});

/** List of API keys, and the page of one key with all available permissions. */
@Controller()
export class ApiKeyPages {
  constructor(
    private readonly keys: ApiKeys,
    private readonly words: PermissionWords,
  ) {}

  @Page({ side: 'admin', path: 'api-keys', title: 'access.menu.api_keys', menu: { under: ACCESS, order: 30 }, lists: [KEYS] })
  list(): object {
    return {};
  }

  @Page({ side: 'admin', path: 'api-key', title: 'access.menu.api_keys', needs: ['listmy', 'addmy', 'myxg'] })
  async key(call: RequestContext): Promise<object> {
    const { id } = call.query;
    const key = id === undefined ? null : /^\d{1,9}$/.test(id) ? await this.keys.find(Number(id)) : null;
    if (id !== undefined && key === null) throw new PageMissing();
    const present = key?.patterns ?? [];
    const form = key && keyForm(key, this.words);
    return {
      key: {
        id: key?.id ?? 0,
        name: form?.name ?? '',
        addresses: form?.ips ?? '',
        expires: form?.dq ?? '',
        enabled: form?.kg ?? true,
      },
      row_version: form ? versionOf(form) : '',
      groups: this.words.choices(accessOf(call.admin), present, call.locale, true),
      further: this.words.further(present).join('\n'),
    };
  }
}
