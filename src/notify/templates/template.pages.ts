import { Controller } from '@nestjs/common';

import { LOCALES, localeOf, translate } from '../../common/index.js';
import { versioned, type RequestContext } from '../../operations/index.js';
import { Page, PageMissing, defineList } from '../../web/index.js';
import { NOTICES_MENU } from '../notices-menu.js';

import { knownNotice } from './known-notices.js';
import { NoticeTemplates } from './notice-templates.js';
import { NoticeTexts } from './notice-texts.js';

const TEMPLATES = defineList({
  id: 'templates',
  operation: 'listmb',
  empty: 'templates.empty',
  whole: true,
  columns: [
    { field: 'title', title: 'templates.notice', kind: 'named', notes: [{ text: (row) => String(row.cw), tone: 'danger' }] },
    { field: 'lxmc', title: 'notices.kind', whole: true },
    { field: 'yymc', title: 'notices.language', whole: true },
    {
      field: 'zt',
      title: 'templates.state',
      kind: 'badge',
      badges: {
        builtin: ['secondary', 'templates.builtin'],
        own: ['green', 'templates.own'],
        broken: ['red', 'templates.broken'],
      },
    },
  ],
  actions: [
    {
      label: 'templates.edit',
      tone: 'primary',
      href: (row) => `/admin/notice-template?key=${encodeURIComponent(String(row.key))}&in=${String(row.lang)}`,
    },
    {
      label: 'templates.reset',
      when: (row) => row.zt !== 'builtin',
      operation: 'mbbc',
      fields: (row) => ({ key: String(row.key), lang: String(row.lang), title: '', body: '' }),
      confirm: 'templates.reset_confirm',
    },
  ],
});

/** How notices are worded. */
@Controller()
export class TemplatePages {
  constructor(
    private readonly templates: NoticeTemplates,
    private readonly texts: NoticeTexts,
  ) {}

  @Page({
    side: 'admin',
    path: 'notice-templates',
    title: 'theme.menu.notice_templates',
    menu: { under: NOTICES_MENU, order: 45 },
    lists: [TEMPLATES],
  })
  all(): object {
    return {};
  }

  /** Of one notice (`?key=`) in one language (`in`). */
  @Page({ side: 'admin', path: 'notice-template', title: 'theme.menu.notice_templates', needs: ['mbbc'] })
  async one({ query, locale }: RequestContext): Promise<object> {
    const notice = knownNotice(query.key ?? '');
    const lang = LOCALES.find((one) => one === query.in);
    if (!notice || !lang) throw new PageMissing();
    const { title, body, defect, isOwn } = await this.templates.form(notice.title.key, lang);
    const { words } = await this.templates.latest(notice);
    return {
      key: notice.title.key,
      lang,
      language: translate(localeOf(locale), `notify.language.${lang}`),
      name: translate(localeOf(locale), notice.title.key, notice.title.params),
      defect,
      is_own: isOwn,
      values: Object.entries(this.texts.valuesOf(words, lang)).map(([name, value]) => ({ name, value: String(value) })),
      ...versioned({ title, body }),
    };
  }
}
