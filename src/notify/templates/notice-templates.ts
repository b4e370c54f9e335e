import { Injectable } from '@nestjs/common';

import type { ChangedSubject, Locale } from '../../common/index.js';
import { Database, Generations } from '../../database/index.js';
import { checkVersion } from '../../http/index.js';
import { renderMarkdown } from '../../theme/index.js';
import { NoticeTemplate } from '../entities/index.js';
import type { NoticeWords } from '../notice.js';

import type { KnownNotice } from './known-notices.js';
import { NoticeTexts, TEMPLATES_GENERATION } from './notice-texts.js';

/** Editable fields of a template. */
export type TemplateText = Pick<NoticeTemplate, 'title' | 'body'>;

/** Number of newest notices searched for a preview. */
const SEARCHED = 2_000;

/** Stores, validates and resets administrators' templates of notices. */
@Injectable()
export class NoticeTemplates {
  private readonly newest;

  constructor(
    private readonly database: Database,
    private readonly generations: Generations,
    private readonly texts: NoticeTexts,
  ) {
    this.newest = database.statement<{ words: string }>(
      `SELECT {Notice.words} AS words FROM {Notice} WHERE {Notice.id} > (SELECT MAX({Notice.id}) FROM {Notice}) - ${SEARCHED}
       AND {Notice.words} LIKE ? ORDER BY {Notice.id} DESC LIMIT 1`,
    );
  }

  /** Returns all templates; at most one per notice and language. */
  list(): Promise<NoticeTemplate[]> {
    return this.database.repository(NoticeTemplate).find();
  }

  /** Returns the template for its form; the built-in text if there is none. */
  async form(key: string, locale: Locale): Promise<TemplateText & { readonly defect: string; readonly isOwn: boolean }> {
    const row = await this.database.repository(NoticeTemplate).findOneBy({ key, locale });
    return row ? { title: row.title, body: row.body, defect: row.defect, isOwn: true } : { ...BUILT_IN, defect: '', isOwn: false };
  }

  /** @throws StaleForm after a concurrent change */
  async save({ key, locale, title, body }: Pick<NoticeTemplate, 'key' | 'locale' | 'title' | 'body'>, version?: string): Promise<void> {
    const rows = this.database.repository(NoticeTemplate);
    await this.database.transaction(async () => {
      await this.database
        .statement(
          `${this.database.insertIgnore} {NoticeTemplate} ({NoticeTemplate.key}, {NoticeTemplate.locale}, {NoticeTemplate.title},
           {NoticeTemplate.body}, {NoticeTemplate.defect}) VALUES (?, ?, ?, ?, '')`,
        )
        .run(key, locale, BUILT_IN.title, BUILT_IN.body);
      const { id } = await rows.findOneByOrFail({ key, locale });
      await this.database.lockRow('NoticeTemplate', 'id', id);
      const present = await rows.findOneByOrFail({ id });
      checkVersion(version, { title: present.title, body: present.body });
      await rows.update({ id }, { title, body, defect: '' });
      this.database.noteChange(templateSubject(key, locale), present, { title, body });
    });
    await this.changed();
  }

  /** Restores the built-in text. */
  async reset(key: string, locale: Locale): Promise<void> {
    const rows = this.database.repository(NoticeTemplate);
    await this.database.transaction(async () => {
      const present = await rows.findOneBy({ key, locale });
      const { affected } = await rows.delete({ key, locale });
      if (present && affected === 1) this.database.noteChange(templateSubject(key, locale), present, null);
    });
    await this.changed();
  }

  /** Validates a template with all texts of the notice. @throws Error describing the problem, such as an unknown name */
  check(source: string, { title, texts }: KnownNotice, locale: Locale): void {
    const params = Object.assign({}, ...texts.map((text) => text.params)) as NoticeWords['text']['params'];
    const words = { title, text: { ...texts[0], params } };
    this.texts.render(source, words, locale, 'text', true);
    for (const text of texts) this.texts.render(source, { title, text }, locale);
  }

  /** Returns the latest notice of this kind, otherwise an example. */
  async latest({ title, texts }: KnownNotice): Promise<{ words: NoticeWords; isReal: boolean }> {
    const row = await this.newest.get(`%"key":"${title.key.replace(/[%_\\]/g, '_')}"%`);
    const words = row ? (JSON.parse(row.words) as NoticeWords) : null;
    return words?.title.key === title.key ? { words, isReal: true } : { words: { title, text: texts[0] }, isReal: false };
  }

  /** Renders title, text and mail body of a notice. @throws Error */
  async shown({ title, body }: TemplateText, words: NoticeWords, locale: Locale): Promise<{ title: string; text: string; html: string }> {
    return {
      title: this.texts.render(title, words, locale).trim(),
      text: this.texts.render(body, words, locale).trim(),
      html: (await renderMarkdown(this.texts.render(body, words, locale, 'markdown'), { images: false })).html,
    };
  }

  private async changed(): Promise<void> {
    await this.texts.reload();
    await this.generations.bump(TEMPLATES_GENERATION);
  }
}

/** Template that reproduces the built-in text. */
export const BUILT_IN: TemplateText = { title: '{{ title }}', body: '{{ text }}' };

const templateSubject = (key: string, locale: string): ChangedSubject => ({
  of: 'template',
  id: `${key}:${locale}`,
  only: ['title', 'body'],
});
