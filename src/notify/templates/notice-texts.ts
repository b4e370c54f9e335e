import { Injectable } from '@nestjs/common';

import { errorMessage, loggerFor, translate, type Locale, type TextParams } from '../../common/index.js';
import { Database, Generations } from '../../database/index.js';
import { SiteSettings } from '../../site/index.js';
import { renderText, type TextFormat, type TextValues } from '../../theme/index.js';
import { NoticeTemplate, type Notice } from '../entities/index.js';
import type { NoticeWords } from '../notice.js';

const log = loggerFor('notices');
/** Generation that is bumped when a template changes. */
export const TEMPLATES_GENERATION = 'notice-templates';
const MAX_TITLE = 250;

/** Title and text in one language. */
export interface RenderedNotice {
  readonly title: string;
  readonly content: string;
}

/** Renders notices with the administrator's template if there is a working one, otherwise with the built-in text. */
@Injectable()
export class NoticeTexts {
  private templates: ReadonlyMap<string, NoticeTemplate> = new Map();

  constructor(
    private readonly database: Database,
    private readonly generations: Generations,
    private readonly settings: SiteSettings,
  ) {}

  /** Loads the templates and subscribes to changes. */
  async start(): Promise<void> {
    await this.generations.follow(TEMPLATES_GENERATION, () => this.reload());
    await this.reload();
  }

  /** Reloads the templates. */
  async reload(): Promise<void> {
    const rows = await this.database.repository(NoticeTemplate).find();
    this.templates = new Map(rows.map((row) => [placeOf(row.key, row.locale), row]));
  }

  /** Returns a notice in a language; typed text stays unchanged. */
  of({ words, title, content }: Pick<Notice, 'words' | 'title' | 'content'>, locale: Locale): RenderedNotice {
    return words ? this.rendered(words, locale) : { title, content };
  }

  /** Renders text keys in a language. */
  rendered(words: NoticeWords, locale: Locale): RenderedNotice {
    const builtIn = builtInWords(words, locale);
    return (
      this.byTemplate(words, locale, (template) => ({
        title: oneLine(this.render(template.title, words, locale)) || builtIn.title,
        content: this.render(template.body, words, locale).trim(),
      })) ?? builtIn
    );
  }

  /** Renders the template's body as Markdown with escaped values; null without a template. */
  markdown(words: NoticeWords | null, locale: Locale): string | null {
    return words && this.byTemplate(words, locale, ({ body }) => this.render(body, words, locale, 'markdown'));
  }

  /** Renders a template with the values of a notice. @throws Error describing the problem */
  render(source: string, words: NoticeWords, locale: Locale, format: TextFormat = 'text', isStrict = false): string {
    return renderText(source, this.valuesOf(words, locale), format, isStrict);
  }

  /** Returns the values available to a template: those of title and text, both built-in texts, and the site's name. */
  valuesOf(words: NoticeWords, locale: Locale): TextValues {
    const { title, content } = builtInWords(words, locale);
    return {
      ...inWords(words.title.params, locale),
      ...inWords(words.text.params, locale),
      site: this.settings.current.name,
      title,
      text: content,
    };
  }

  private byTemplate<T>(words: NoticeWords, locale: Locale, render: (template: NoticeTemplate) => T): T | null {
    const template = this.templates.get(placeOf(words.title.key, locale));
    if (!template || template.defect !== '') return null;
    try {
      return render(template);
    } catch (error) {
      void this.disable(template, errorMessage(error));
      return null;
    }
  }

  /** Disables a broken template in favor of the built-in text and stores the reason. */
  private async disable(template: NoticeTemplate, reason: string): Promise<void> {
    template.defect = reason.slice(0, 300);
    log.warn({ key: template.key, locale: template.locale, reason }, 'a notice template is broken; the built-in text is used');
    try {
      const { id, title, body, defect } = template;
      const { affected } = await this.database.repository(NoticeTemplate).update({ id, title, body, defect: '' }, { defect });
      if (affected) await this.generations.bump(TEMPLATES_GENERATION);
    } catch (error) {
      log.warn({ reason: errorMessage(error) }, 'the error of a broken template could not be stored');
    }
  }
}

/** Returns the built-in title and text. */
function builtInWords({ title, text }: NoticeWords, locale: Locale): RenderedNotice {
  return { title: translate(locale, title.key, title.params), content: translate(locale, text.key, text.params) };
}

const placeOf = (key: string, locale: string): string => `${key} ${locale}`;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE);

/** Translates values that are text keys. */
function inWords(params: TextParams = {}, locale: Locale): Record<string, string | number> {
  const words = Object.entries(params).map(([name, value]) => [name, wordOf(value, locale)] as const);
  return Object.fromEntries(words);
}

function wordOf(value: TextParams[string], locale: Locale): string | number {
  if (typeof value !== 'object') return value;
  return 'key' in value
    ? translate(locale, value.key, value.params)
    : value.map((text) => wordOf(text, locale)).join(translate(locale, 'common.list_comma'));
}
