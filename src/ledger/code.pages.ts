import { Controller } from '@nestjs/common';

import type { RequestContext } from '../operations/index.js';
import { Page, PageMissing, defineList } from '../web/index.js';

import { CodeBatches, MAX_CODES } from './code-batches.js';

const BATCHES = defineList({
  id: 'code-batches',
  operation: 'listdhpc',
  empty: 'codes.empty',
  columns: [
    { field: 'date', title: 'codes.date', kind: 'moment' },
    { field: 'name', title: 'codes.name' },
    { field: 'rmb', title: 'codes.amount', kind: 'money' },
    { field: 'sl', title: 'codes.count' },
    { field: 'wsy', title: 'codes.unused' },
    { field: 'ysy', title: 'codes.used' },
    { field: 'yzf', title: 'codes.revoked' },
    { field: 'dateb', title: 'codes.until', kind: 'moment' },
    { field: 'czuser', title: 'codes.who', whole: true },
  ],
  actions: [
    { label: 'codes.open', operation: 'listdhm', href: (row) => `/admin/code-batch?id=${String(row.id)}` },
    {
      label: 'codes.revoke',
      tone: 'danger',
      when: (row) => row.wsy !== 0,
      operation: 'dhmzf',
      confirm: 'codes.revoke_confirm',
    },
  ],
});

const CODES = defineList({
  id: 'codes',
  operation: 'listdhm',
  given: ['id'],
  empty: 'codes.none',
  filters: [
    {
      field: 'qk',
      label: 'codes.state',
      choices: [
        ['unused', 'codes.unused'],
        ['used', 'codes.used'],
        ['revoked', 'codes.revoked'],
      ],
    },
  ],
  columns: [
    { field: 'dhm', title: 'codes.code', kind: 'code' },
    {
      field: 'qk',
      title: 'codes.state',
      kind: 'badge',
      badges: { unused: ['blue', 'codes.unused'], used: ['green', 'codes.used'], revoked: ['secondary', 'codes.revoked'] },
    },
    { field: 'date', title: 'codes.used_at', kind: 'moment' },
  ],
  actions: [
    {
      label: 'codes.credit',
      when: (row) => row.ye_id !== null,
      operation: 'listyelog',
      href: (row) => `/admin/credit?id=${String(row.ye_id)}`,
    },
  ],
});

/** Pages of redeem codes for the reseller. */
@Controller()
export class CodePages {
  constructor(private readonly batches: CodeBatches) {}

  @Page({ side: 'admin', path: 'codes', title: 'ledger.menu.codes', menu: { icon: 'mdi-gift-outline', order: 33 }, lists: [BATCHES] })
  all(): object {
    return {};
  }

  @Page({ side: 'admin', path: 'code-new', title: 'ledger.menu.codes', needs: ['listdhpc', 'adddhm'] })
  add(): object {
    return { most: MAX_CODES };
  }

  @Page({ side: 'admin', path: 'code-batch', title: 'ledger.menu.codes', needs: ['listdhm'], lists: [CODES] })
  async one(call: RequestContext): Promise<object> {
    const id = call.query.id ?? '';
    const batch = /^[1-9]\d{0,9}$/.test(id) ? await this.batches.one(Number(id)) : null;
    if (!batch) throw new PageMissing();
    return { batch };
  }
}
