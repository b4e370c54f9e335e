import { Controller } from '@nestjs/common';

import { Page, defineList } from '../../web/index.js';
import { NodeChanges } from '../nodes/index.js';

const SERVERS = defineList({
  id: 'servers',
  operation: 'listbt',
  sort: 'id',
  empty: 'servers.empty',
  keyword: 'ss',
  columns: [
    { field: 'btdh', title: 'servers.code', kind: 'code', sortable: true },
    { field: 'driver', title: 'servers.kind', kind: 'badge', badges: { embedded: ['blue', 'servers.kind_embedded'] } },
    { field: 'btip', title: 'servers.address', whole: true },
    { field: 'zjs', title: 'servers.hosts' },
    { field: 'qk', title: 'servers.state', kind: 'badge', badges: { true: ['green', 'servers.on'], false: ['secondary', 'servers.off'] } },
    { field: 'jmsj', title: 'servers.old_key', whole: true },
  ],
  actions: [
    { label: 'servers.show_key', operation: 'btmyck', shows: 'server-key', then: 'nothing' },
    { label: 'servers.renew_key', dialog: 'renew-key', operation: 'btmygx', fills: ['id', 'btdh'] },
    {
      label: 'servers.end_key',
      when: (row) => row.jmsj !== '',
      tone: 'danger',
      operation: 'btmyjs',
      confirm: 'servers.end_key_confirm',
    },
    { label: 'servers.test', operation: 'btztjc', fields: (row) => ({ btid: String(row.id) }), then: 'nothing' },
    {
      label: 'servers.edit',
      dialog: 'edit-server',
      operation: 'xgjl',
      fills: ['id', 'btdh', 'btip', 'btdk', 'btos', 'als', 'ftpdz', 'ptl', 'qk', 'driver', 'bzx', 'bzxjd', 'row_version'],
    },
    {
      label: 'servers.delete',
      when: (row) => row.zjs === '0',
      tone: 'danger',
      operation: 'btsc',
      confirm: 'servers.delete_confirm',
    },
  ],
});

/** Servers that hosting accounts live on. */
@Controller()
export class ServerPages {
  constructor(private readonly nodes: NodeChanges) {}

  @Page({ side: 'admin', path: 'servers', title: 'theme.menu.servers', menu: { icon: 'mdi-server', order: 22 }, lists: [SERVERS] })
  async servers(): Promise<object> {
    const kinds = await this.nodes.kinds();
    return { kinds, anyKind: kinds.some(({ taken }) => !taken) };
  }
}
