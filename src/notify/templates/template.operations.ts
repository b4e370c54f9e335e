import { Injectable } from '@nestjs/common';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';

import { LOCALES, errorMessage, localeOf, translate, type Locale } from '../../common/index.js';
import { VersionField } from '../../http/index.js';
import { NoInput, ListReply, Operation, SuccessReply, Trimmed } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import { NotifyError } from '../errors.js';

import { knownNotice, knownNotices, type KnownNotice } from './known-notices.js';
import { NoticeTemplates } from './notice-templates.js';

/** A row of `listmb`: a notice in a language. */
export interface TemplateLine {
  readonly id: string;
  readonly key: string;
  readonly lang: Locale;
  /** Name of the language. */
  readonly yymc: string;
  /** Name of its kind. */
  readonly lxmc: string;
  readonly title: string;
  readonly zt: 'builtin' | 'own' | 'broken';
  /** Error of the template; empty for none. */
  readonly cw: string;
}

class TemplateInput {
  /** Key of the notice from `listmb`. */
  @IsString() @MaxLength(100) key!: string;
  @IsIn(LOCALES) lang!: Locale;
  /** Liquid; empty together with `body` restores the built-in text. */
  @IsOptional() @Trimmed() @IsString() @MaxLength(250) title = '';
  /** Liquid that produces Markdown. */
  @IsOptional() @IsString() @MaxLength(8_000) body = '';
}

class TemplateChange extends TemplateInput {
  @VersionField() row_version?: string;
}

/** Administrators' operations on notice templates. Source: docs/panel-api.md "Notices". */
@Injectable()
export class TemplateOperations {
  constructor(private readonly templates: NoticeTemplates) {}

  @Operation({ side: 'admin', gn: 'listmb', auth: 'admin', input: NoInput, audit: null, rate: 'read' })
  async list(_input: NoInput, ctx: CallContext): Promise<ListReply<TemplateLine>> {
    const locale = localeOf(ctx.locale);
    const rows = await this.templates.list();
    const lines = knownNotices().flatMap((notice) =>
      LOCALES.map((lang): TemplateLine => {
        const row = rows.find(({ key, locale }) => key === notice.title.key && locale === lang);
        return {
          id: `${notice.title.key}:${lang}`,
          key: notice.title.key,
          lang,
          yymc: translate(locale, `notify.language.${lang}`),
          lxmc: translate(locale, `notify.kind.${notice.kind}`),
          title: translate(locale, notice.title.key, notice.title.params),
          zt: row ? (row.defect ? 'broken' : 'own') : 'builtin',
          cw: row?.defect ?? '',
        };
      }),
    );
    return new ListReply(lines.length, lines);
  }

  @Operation({ side: 'admin', gn: 'mbbc', auth: 'admin', input: TemplateChange, audit: 'notify.audit_template', rate: 'write' })
  async save({ key, lang, title, body, row_version }: TemplateChange): Promise<SuccessReply> {
    const notice = noticeOf(key);
    if (title === '' && body.trim() === '') {
      await this.templates.reset(key, lang);
      return new SuccessReply('notify.template_reset', {}, { key, lang });
    }
    await this.refuseDefects(notice, lang, { title, body });
    await this.templates.save({ key, locale: lang, title, body }, row_version);
    return new SuccessReply('notify.template_saved', {}, { key, lang });
  }

  /** Previews a template with the latest notice of this kind, or an example. */
  @Operation({ side: 'admin', gn: 'mbyl', auth: 'admin', input: TemplateInput, audit: null, rate: 'read' })
  async preview({ key, lang, title, body }: TemplateInput, ctx: CallContext): Promise<SuccessReply> {
    const notice = noticeOf(key);
    await this.refuseDefects(notice, lang, { title, body });
    const { words, isReal } = await this.templates.latest(notice);
    const source = translate(localeOf(ctx.locale), isReal ? 'notify.template_real' : 'notify.template_example');
    return new SuccessReply('notify.done', { source, ...(await this.templates.shown({ title, body }, words, lang)) });
  }

  /** @throws NotifyError `TEMPLATE_BROKEN` naming the field and its problem */
  private async refuseDefects(notice: KnownNotice, lang: Locale, fields: { title: string; body: string }): Promise<void> {
    for (const [field, source] of Object.entries(fields)) {
      if (source.trim() === '') throw new NotifyError('TEMPLATE_EMPTY', {}, { [field]: 'notify.template_empty' });
      try {
        this.templates.check(source, notice, lang);
      } catch (error) {
        const reason = errorMessage(error).split('\n')[0]!.slice(0, 200);
        throw new NotifyError('TEMPLATE_BROKEN', { reason }, { [field]: { key: 'notify.template_broken', params: { reason } } });
      }
    }
  }
}

function noticeOf(key: string): KnownNotice {
  const notice = knownNotice(key);
  if (!notice) throw new NotifyError('TEMPLATE_MISSING', {}, { key: 'notify.template_missing' });
  return notice;
}
