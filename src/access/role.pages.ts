import { Controller } from '@nestjs/common';

import { AdminRoles, accessOf } from '../auth/index.js';
import { versionOf } from '../http/index.js';
import type { RequestContext } from '../operations/index.js';
import { Page, PageMissing, defineList } from '../web/index.js';

import { ACCESS } from './menu.js';
import { PermissionWords } from './permission-words.js';
import { roleForm } from './role-form.js';
import { ServersOfRoles, codesOf } from './servers-of-roles.js';

const ROLES = defineList({
  id: 'roles',
  operation: 'listjs',
  empty: 'roles.empty',
  whole: true,
  columns: [
    {
      field: 'name',
      title: 'roles.name',
      kind: 'named',
      notes: [{ text: (row) => row.qxmc as readonly string[], fold: 'roles.permissions_n' }, { text: (row) => String(row.qxmb) }],
    },
    { field: 'jdmc', title: 'roles.servers' },
    { field: 'sl', title: 'roles.administrators' },
  ],
  actions: [
    { label: 'roles.edit', href: (row) => `/admin/role?id=${encodeURIComponent(String(row.id))}` },
    { label: 'roles.remove', when: (row) => row.sl === '0', tone: 'danger', operation: 'jssc', confirm: 'roles.remove_confirm' },
  ],
});

/** List of roles, and the page of one role with all available permissions. */
@Controller()
export class RolePages {
  constructor(
    private readonly roles: AdminRoles,
    private readonly words: PermissionWords,
    private readonly servers: ServersOfRoles,
  ) {}

  @Page({ side: 'admin', path: 'roles', title: 'access.menu.roles', menu: { under: ACCESS, order: 20 }, lists: [ROLES] })
  list(): object {
    return {};
  }

  @Page({ side: 'admin', path: 'role', title: 'access.menu.roles', needs: ['listjs', 'jsbc'] })
  async role(call: RequestContext): Promise<object> {
    const { id } = call.query;
    const role = id === undefined ? null : /^\d{1,9}$/.test(id) ? await this.roles.find(Number(id)) : null;
    if (id !== undefined && role === null) throw new PageMissing();
    const giver = accessOf(call.admin);
    const present = role?.patterns ?? [];
    const all = await this.servers.list(null);
    const servers = all.filter((server) => giver.servers?.includes(server.id) ?? true);
    return {
      role: { id: role?.id ?? 0, name: role?.name ?? '', limited: (role?.servers ?? giver.servers) !== null },
      row_version: role ? versionOf(roleForm(role, this.words, codesOf(all))) : '',
      groups: this.words.choices(giver, present, call.locale),
      further: this.words.further(present).join('\n'),
      servers: servers.map((server) => ({ ...server, chosen: role?.servers?.includes(server.id) ?? false })),
    };
  }
}
