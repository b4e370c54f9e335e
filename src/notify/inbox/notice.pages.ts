import { Controller } from '@nestjs/common';

import { Page, defineList, type ListColumn, type ListFilter } from '../../web/index.js';
import { NOTICES_MENU } from '../notices-menu.js';

const LEVELS: ListColumn['badges'] = {
  info: ['azure', 'notices.level_info'],
  success: ['green', 'notices.level_success'],
  warning: ['yellow', 'notices.level_warning'],
  danger: ['red', 'notices.level_danger'],
};
const READ: ListColumn['badges'] = { true: ['secondary', 'notices.state_read'], false: ['blue', 'notices.state_new'] };

const KIND_FILTER: ListFilter = {
  field: 'type',
  label: 'notices.kind',
  choices: [
    ['monitor', 'notices.kind_monitor'],
    ['expire', 'notices.kind_expire'],
    ['traffic', 'notices.kind_traffic'],
    ['scan', 'notices.kind_scan'],
    ['payment', 'notices.kind_payment'],
    ['backup', 'notices.kind_backup'],
    ['certificate', 'notices.kind_certificate'],
    ['report', 'notices.kind_report'],
    ['system', 'notices.kind_system'],
  ],
};
const LEVEL_FILTER: ListFilter = {
  field: 'level',
  label: 'notices.level',
  choices: [
    ['info', 'notices.level_info'],
    ['success', 'notices.level_success'],
    ['warning', 'notices.level_warning'],
    ['danger', 'notices.level_danger'],
  ],
};
const READ_FILTER: ListFilter = {
  field: 'is_read',
  label: 'notices.state',
  choices: [
    ['false', 'notices.state_new'],
    ['true', 'notices.state_read'],
  ],
};

const TITLE: ListColumn = { field: 'title', title: 'notices.title_column', kind: 'named', notes: [{ text: (row) => String(row.content) }] };
const REST: readonly ListColumn[] = [
  { field: 'lxmc', title: 'notices.kind', whole: true },
  { field: 'level', title: 'notices.level', kind: 'badge', badges: LEVELS },
  { field: 'created_at', title: 'notices.date', kind: 'moment' },
];

const OWN = defineList({
  id: 'notices',
  operation: 'listwdtz',
  empty: 'notices.empty',
  keyword: 'ss',
  filters: [KIND_FILTER, LEVEL_FILTER, READ_FILTER],
  columns: [TITLE, ...REST, { field: 'is_read', title: 'notices.state', kind: 'badge', badges: READ }],
  actions: [
    { label: 'notices.open', tone: 'primary', when: (row) => row.link !== '', href: (row) => String(row.link) },
    { label: 'notices.mark_read', when: (row) => String(row.is_read) === 'false', operation: 'notice_read', then: 'reload' },
    { label: 'notices.delete', tone: 'danger', operation: 'notice_sc', confirm: 'notices.delete_confirm', then: 'reload' },
  ],
  bulk: [
    { label: 'notices.mark_read', operation: 'notice_read', field: 'idsz', confirm: 'notices.read_many_confirm' },
    { label: 'notices.delete', operation: 'notice_sc', field: 'idsz', confirm: 'notices.delete_many_confirm', tone: 'danger' },
  ],
});

const SENT = defineList({
  id: 'sent-notices',
  operation: 'listtz',
  empty: 'notices.sent_empty',
  keyword: 'user',
  filters: [KIND_FILTER, LEVEL_FILTER, READ_FILTER],
  columns: [
    { field: 'user', title: 'notices.user', whole: true },
    TITLE,
    ...REST,
    { field: 'is_read', title: 'notices.state', kind: 'badge', badges: READ },
  ],
  actions: [{ label: 'notices.take_back', tone: 'danger', operation: 'tzsc', confirm: 'notices.take_back_confirm' }],
  bulk: [{ label: 'notices.take_back', operation: 'tzsc', field: 'idsz', confirm: 'notices.take_back_many_confirm', tone: 'danger' }],
});

/** Pages of one's own notices and of those sent by administrators. */
@Controller()
export class NoticePages {
  @Page({
    side: 'admin',
    path: 'notices',
    plain: true,
    title: 'notify.menu.my_notices',
    menu: { under: NOTICES_MENU, order: 10 },
    lists: [OWN],
  })
  ofAdmin(): object {
    return {};
  }

  @Page({
    side: 'user',
    path: 'notices',
    plain: true,
    title: 'notify.menu.my_notices',
    menu: { under: NOTICES_MENU, order: 10 },
    lists: [OWN],
  })
  ofUser(): object {
    return {};
  }

  @Page({ side: 'admin', path: 'sent-notices', title: 'notify.menu.sent_notices', menu: { under: NOTICES_MENU, order: 20 }, lists: [SENT] })
  sent(): object {
    return {};
  }
}
