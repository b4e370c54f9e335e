import { Injectable } from '@nestjs/common';

import { localeOf, translate, type Locale, type TextRef } from '../../common/index.js';
import { NoInput, Operation, SuccessReply } from '../../operations/index.js';
import type { CallContext } from '../../sdk/index.js';
import type { Asker } from '../records/index.js';
import { MonitorError } from '../errors.js';

import { MonitorImport, type ImportLine } from './monitor-import.js';

/** Import of monitors from an Uptime-Kuma file, for an account and for the installation. Source: docs/panel-api.md "Monitors". */
@Injectable()
export class ImportOperations {
  constructor(private readonly imports: MonitorImport) {}

  /** Previews an import without changing anything. */
  @Operation({ side: 'user', gn: 'monitor_import_look', auth: 'user', input: NoInput, audit: null, rate: 'expensive' })
  previewOfUser(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    return this.preview(ctx, ctx.user!);
  }

  @Operation({ side: 'user', gn: 'monitor_import', auth: 'user', input: NoInput, audit: 'monitor.audit.imported', rate: 'expensive' })
  runOfUser(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    return this.run(ctx, ctx.user!);
  }

  /** Previews an import without changing anything. */
  @Operation({ side: 'admin', gn: 'jkdryl', auth: 'admin', input: NoInput, audit: null, rate: 'expensive' })
  previewOfAdmin(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    return this.preview(ctx, 'admin');
  }

  /** Imported monitors belong to the installation. */
  @Operation({ side: 'admin', gn: 'jkdr', auth: 'admin', input: NoInput, audit: 'monitor.audit.imported', rate: 'expensive' })
  runOfAdmin(_input: NoInput, ctx: CallContext): Promise<SuccessReply> {
    return this.run(ctx, 'admin');
  }

  private async preview(ctx: CallContext, asker: Asker): Promise<SuccessReply> {
    const lines = await this.imports.preview(fileOf(ctx), asker);
    return replyOf('monitor.import.would', lines, localeOf(ctx.locale));
  }

  private async run(ctx: CallContext, asker: Asker): Promise<SuccessReply> {
    const lines = await this.imports.run(fileOf(ctx), asker);
    return replyOf('monitor.import.done', lines, localeOf(ctx.locale));
  }
}

function fileOf({ files }: CallContext): Buffer {
  const file = files.find(({ fieldname }) => fieldname === 'file');
  if (!file) throw new MonitorError('FIELD_WRONG', {}, { file: 'monitor.import.file_missing' });
  return file.buffer;
}

const OUTCOMES = ['new', 'there', 'refused'] as const;

/** Builds the reply with rows for programs and a text per outcome for people. */
function replyOf(text: string, lines: readonly ImportLine[], locale: Locale): SuccessReply {
  const translated = ({ key, params }: TextRef): string => translate(locale, key, params);
  const rows = lines.map(({ name, values, outcome, notes, reason, pushUrl }) => ({
    name,
    task_type: values?.type ?? '',
    url: values?.url ?? '',
    outcome,
    notes: notes.map(translated),
    reason: reason ? translated(reason) : '',
    push_url: pushUrl ?? '',
  }));
  const of = (wanted: ImportLine['outcome']) => rows.filter(({ outcome }) => outcome === wanted);
  const described = ({ name, task_type, url, notes, reason, push_url }: (typeof rows)[number]): string => {
    const what = [name, ...(task_type ? [translate(locale, `monitor.kind.${task_type}`)] : []), url].filter(Boolean).join(' · ');
    return [what, ...[reason, ...notes, push_url].filter(Boolean).map((line) => `– ${line}`)].join('\n');
  };
  const none = translate(locale, 'monitor.import.none');
  const texts = OUTCOMES.map((outcome) => [`${outcome}_text`, of(outcome).map(described).join('\n') || none] as const);
  const counts = Object.fromEntries(OUTCOMES.map((outcome) => [`${outcome}_count`, of(outcome).length]));
  const summary = translate(locale, text, counts);
  return new SuccessReply(text, { ...counts, ...Object.fromEntries(texts), summary, rows }, counts);
}
