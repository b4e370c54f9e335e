import { Controller } from '@nestjs/common';

import type { RequestContext } from '../../operations/index.js';
import { renderMarkdown } from '../../theme/index.js';
import { Page, defineList } from '../../web/index.js';
import { NOTICES_MENU } from '../notices-menu.js';

import { Announcements } from './announcements.js';

const ANNOUNCEMENTS = defineList({
  id: 'announcements',
  operation: 'gglist',
  empty: 'announcements.empty',
  columns: [
    { field: 'title', title: 'announcements.name' },
    {
      field: 'level',
      title: 'notices.level',
      kind: 'badge',
      badges: {
        info: ['azure', 'notices.level_info'],
        warning: ['yellow', 'notices.level_warning'],
        danger: ['red', 'notices.level_danger'],
      },
    },
    { field: 'btdh', title: 'announcements.server', kind: 'code' },
    { field: 'datea', title: 'announcements.from', kind: 'moment' },
    { field: 'dateb', title: 'announcements.until', kind: 'moment' },
    {
      field: 'hf',
      title: 'announcements.banner',
      kind: 'badge',
      badges: { true: ['green', 'announcements.yes'], false: ['secondary', 'announcements.no'] },
    },
  ],
  actions: [
    {
      label: 'announcements.edit',
      dialog: 'edit-announcement',
      operation: 'ggxg',
      fills: ['id', 'title', 'content', 'level', 'btdh', 'hf', 'datea', 'dateb', 'row_version'],
    },
    { label: 'notices.delete', tone: 'danger', operation: 'ggsc', confirm: 'announcements.delete_confirm' },
  ],
});

/** Pages of announcements for administrators and users. */
@Controller()
export class AnnouncementPages {
  constructor(private readonly announcements: Announcements) {}

  @Page({
    side: 'admin',
    path: 'announcements',
    plain: true,
    title: 'notify.menu.announcements',
    menu: { under: NOTICES_MENU, order: 30 },
    lists: [ANNOUNCEMENTS],
  })
  ofAdmin(): object {
    return {};
  }

  @Page({ side: 'user', path: 'announcements', plain: true, title: 'notify.menu.announcements', menu: { under: NOTICES_MENU, order: 20 } })
  async ofUser(call: RequestContext): Promise<object> {
    const rows = await this.announcements.current(call.user!.id);
    return {
      announcements: await Promise.all(
        rows.map(async ({ id, title, content, level, createdAt }) => ({
          id,
          title,
          level,
          created_at: createdAt,
          html: await renderMarkdown(content),
        })),
      ),
    };
  }
}
