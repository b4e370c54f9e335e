import { Controller } from '@nestjs/common';

import { accessOf } from '../../auth/index.js';
import { HOST_STATES } from '../../customers/index.js';
import type { RequestContext } from '../../operations/index.js';
import { SiteSettings } from '../../site/index.js';
import { Page, defineList, type ListRow } from '../../web/index.js';
import { HostingService } from '../hosting.service.js';

const isScanPaused = (row: ListRow): boolean =>
  String(row.ztyy ?? '')
    .split(',')
    .includes('scan');
const isActive = (row: ListRow): boolean => row.qk === 'true';

const HOSTS = defineList({
  id: 'hosts',
  operation: 'listzj',
  sort: '-id',
  empty: 'hosts.empty',
  given: ['idsz', 'zjzt', 'dq_days', 'where', 'ss'],
  search: [
    ['user', 'hosts.user'],
    ['ssbt', 'hosts.node'],
  ],
  filters: [
    {
      field: 'btdh',
      label: 'hosts.node',
      choices: [],
      from: { operation: 'listbt', fields: { mc: 'true' }, value: 'btdh', title: 'btdh' },
    },
    {
      field: 'zjzt',
      label: 'hosts.status',
      choices: [
        ['active', 'host.active'],
        ['paused', 'host.paused'],
        ['provisioning', 'host.preparing'],
        ['terminating', 'host.terminating'],
      ],
    },
    {
      field: 'dq_days',
      label: 'hosts.days_left',
      choices: [
        ['3', 'hosts.ends_in_three'],
        ['7', 'hosts.ends_in_seven'],
        ['15', 'hosts.ends_in_fifteen'],
        ['30', 'hosts.ends_in_thirty'],
        ['90', 'hosts.ends_in_ninety'],
        ['-1', 'hosts.ends_over'],
        ['-7', 'hosts.ended_in_seven'],
        ['-30', 'hosts.ended_in_thirty'],
        ['-90', 'hosts.ended_in_ninety'],
      ],
    },
    {
      field: 'kt_days',
      label: 'hosts.opened',
      choices: [
        ['7', 'hosts.opened_in_seven'],
        ['30', 'hosts.opened_in_thirty'],
        ['90', 'hosts.opened_in_ninety'],
      ],
    },
  ],
  columns: [
    { field: 'id', title: 'hosts.id', sortable: true },
    { field: 'user', title: 'hosts.user', sortable: true, whole: true },
    { field: 'url', title: 'hosts.site', kind: 'link' },
    { field: 'ssbt', title: 'hosts.node', sortable: true, whole: true },
    { field: 'hxa', title: 'hosts.space', kind: 'quota' },
    { field: 'datae', title: 'hosts.expires', kind: 'expiry', sortable: true, whole: true },
    { field: 'status', title: 'hosts.status', kind: 'badge', badges: HOST_STATES },
  ],
  actions: [
    {
      label: 'hosts.edit',
      dialog: 'edit-host',
      operation: 'zjxgjl',
      fills: ['id', 'user', 'datae', 'hxa', 'hxb', 'llmax', 'ymbds', 'jk_max', 'bf_max', 'mailuser', 'bzx', 'row_version'],
    },
    { label: 'hosts.open', operation: 'listzjls', href: (row) => `/admin/host?id=${String(row.id)}` },
    { label: 'certificates.menu.certificate', operation: 'getssl', href: (row) => `/admin/host-certificate?id=${String(row.id)}` },
    { label: 'hosting.menu.domains', operation: 'urllb', href: (row) => `/admin/host-domains?id=${String(row.id)}` },
    { label: 'renewal.menu.renew', operation: 'xfjg', href: (row) => `/admin/host-renewal?id=${String(row.id)}` },
    { label: 'packages.menu.package', operation: 'bgjg', href: (row) => `/admin/host-package?id=${String(row.id)}` },
    { label: 'hosts.files', href: (row) => `/admin/files?id=${String(row.id)}` },
    { label: 'hosts.backups', href: (row) => `/admin/site-backups?id=${String(row.id)}` },
    { label: 'site_moves.move', operation: 'zjqy', href: (row) => `/admin/host-move?id=${String(row.id)}` },
    { label: 'hosts.sign_in', when: isActive, operation: 'zjdl', opens: 'url', then: 'nothing' },
    { label: 'hosts.pause', when: isActive, dialog: 'pause-host', operation: 'zjzt', fills: ['id', 'user'] },
    { label: 'hosts.hold', dialog: 'hold-host', operation: 'zjgq', fills: ['id', 'user', 'gq', 'gqbb'] },
    {
      label: 'hosts.resume',
      when: (row) => !isActive(row) && row.ztyy !== 'scan',
      tone: 'primary',
      dialog: 'resume-host',
      operation: 'zjjc',
      fills: ['id', 'user'],
    },
    { label: 'hosts.resume_scan', when: isScanPaused, operation: 'zjjcwj', confirm: 'hosts.resume_scan_confirm' },
    { label: 'hosts.matches', when: isScanPaused, href: (row) => `/admin/scans?host_id=${String(row.id)}#matches` },
    { label: 'hosts.start', when: (row) => isActive(row) && row.wzqk === 'false', operation: 'zjqd' },
    { label: 'hosts.stop', when: (row) => isActive(row) && row.wzqk !== 'false', operation: 'zjtd', confirm: 'hosts.stop_confirm' },
    { label: 'hosts.second_remove', when: (row) => row.f2 === 'true', operation: 'zjf2', confirm: 'hosts.second_confirm' },
    { label: 'hosts.delete', when: (row) => row.hs === 'true', tone: 'danger', operation: 'zjsc', confirm: 'hosts.delete_keep_confirm' },
    { label: 'hosts.delete', when: (row) => row.hs !== 'true', tone: 'danger', operation: 'zjsc', confirm: 'hosts.delete_confirm' },
  ],
  bulk: [
    { label: 'hosts.pause', operation: 'zjpl', field: 'idsz', needs: 'zjzt', dialog: 'pause-hosts', confirm: 'hosts.pause_title' },
    { label: 'hosts.resume', operation: 'zjpl', field: 'idsz', needs: 'zjjc', dialog: 'resume-hosts', confirm: 'hosts.resume_title' },
    { label: 'hosts.renew', operation: 'zjpl', field: 'idsz', needs: 'zjxf', dialog: 'renew-hosts', confirm: 'hosts.renew_many_title' },
    { label: 'hosts.export', operation: 'zjdc', field: 'idsz', confirm: 'hosts.export_many_confirm' },
    {
      label: 'hosts.delete',
      operation: 'zjpl',
      field: 'idsz',
      needs: 'zjsc',
      fields: { cz: 'delete' },
      confirm: 'hosts.delete_many_confirm',
      tone: 'danger',
    },
  ],
});

/** Page of hosting accounts, for administrators. */
@Controller()
export class HostPages {
  constructor(
    private readonly settings: SiteSettings,
    private readonly hosting: HostingService,
  ) {}

  @Page({ side: 'admin', path: 'hosts', title: 'hosting.menu.hosts', menu: { icon: 'mdi-web', order: 20 }, lists: [HOSTS] })
  async hosts({ admin }: RequestContext): Promise<object> {
    const { monitorLimit, siteBackupLimit } = this.settings.current;
    // An administrator limited to some servers must choose one of them.
    const groups = accessOf(admin).servers === null ? await this.hosting.groups() : [];
    return { monitor_default: monitorLimit, backup_default: siteBackupLimit, groups };
  }
}
