import { Controller } from '@nestjs/common';

import { LOCALES, localeOf, translate } from '../../common/index.js';
import { versioned } from '../../http/index.js';
import { OperationPipeline, type ListReply, type RequestContext } from '../../operations/index.js';
import { Page, PageMissing } from '../../web/index.js';
import { NOTICES_MENU } from '../notices-menu.js';

import { knownNotice } from './known-notices.js';
import { NoticeTemplates } from './notice-templates.js';
import { NoticeTexts } from './notice-texts.js';
import type { TemplateLine } from './template.operations.js';

/** A notice's template in a language. */
interface Wording {
  readonly lang: string;
  readonly language: string;
  readonly state: TemplateLine['zt'];
  readonly problem: string;
  readonly href: string;
}

/** Notices of a kind. */
interface Group {
  readonly title: string;
  readonly notices: { readonly title: string; readonly wordings: Wording[] }[];
  /** Number of custom templates. */
  own: number;
  broken: number;
}

/** Pages of notice templates. */
@Controller()
export class TemplatePages {
  constructor(
    private readonly pipeline: OperationPipeline,
    private readonly templates: NoticeTemplates,
    private readonly texts: NoticeTexts,
  ) {}

  @Page({
    side: 'admin',
    path: 'notice-templates',
    title: 'notify.menu.notice_templates',
    menu: { under: NOTICES_MENU, order: 45 },
    needs: ['listmb'],
  })
  async all(call: RequestContext): Promise<object> {
    const { rows } = (await this.pipeline.show('admin', 'listmb', {}, call)) as ListReply<TemplateLine>;
    return { groups: groupsOf(rows) };
  }

  /** Form of one notice (`?key=`) in one language (`in`). */
  @Page({ side: 'admin', path: 'notice-template', title: 'notify.menu.notice_templates', needs: ['mbbc'] })
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

/** Groups by kind in the order of the notices, with the languages of a notice side by side. */
function groupsOf(lines: readonly TemplateLine[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { lxmc, title, zt, ...line } of lines) {
    const group = groups.get(lxmc) ?? { title: lxmc, notices: [], own: 0, broken: 0 };
    groups.set(lxmc, group);
    let notice = group.notices.at(-1);
    if (notice?.title !== title) group.notices.push((notice = { title, wordings: [] }));
    const href = `/admin/notice-template?key=${encodeURIComponent(line.key)}&in=${line.lang}`;
    notice.wordings.push({ lang: line.lang, language: line.yymc, state: zt, problem: line.cw, href });
    if (zt === 'own') group.own += 1;
    if (zt === 'broken') group.broken += 1;
  }
  return [...groups.values()];
}
