import { Injectable } from '@nestjs/common';

import { Clock, loggerFor, oneLine, type Locale, type LoggedChange, type TextRef } from '../common/index.js';
import { Database } from '../database/index.js';
import type { Scope } from '../sdk/index.js';

const log = loggerFor('audit');

/** Maximum lengths of the columns, in characters; the outcome's column holds 64 KB, at up to 4 bytes per character. */
const LENGTHS = {
  actor: 64,
  source: 64,
  plugin: 64,
  category: 64,
  summary: 255,
  ip: 64,
  outcome: 16_000,
  text: 16_000,
  rid: 40,
  subject: 100,
  fields: 498,
} as const;
/** Maximum size of the changes as JSON, in bytes. */
const MAX_CHANGES = 8 * 1_024;

/** Text of a log line as key and parameters, so that each reader sees it in their own language. */
export interface AuditText extends TextRef {
  /** The outcome likewise; without it the stored text is shown. */
  readonly outcome?: TextRef;
}

/** Language of the stored text, for searches and programs that read the table; people read a line in their own language. */
export const AUDIT_LOCALE: Locale = 'zh-CN';

/** Entry of the operation log: actor, action, origin and outcome. */
export interface AuditEntry {
  readonly actor: string;
  /** Entry point of a request from outside, such as a callback; such lines are kept for 90 days. */
  readonly source?: string;
  /** Slug of the plugin that acted. */
  readonly plugin?: string;
  /** Kind of action, such as `zjsc` or `登陆`. */
  readonly category: string;
  /** In Chinese; used by searches. */
  readonly summary: string;
  /** Key and values of the same text, for readers of other languages; without it {@link summary} is shown. */
  readonly text?: AuditText;
  readonly ip?: string;
  readonly outcome?: string | null;
  /** Account concerned; its owner sees the line in their own history. */
  readonly account?: { readonly side: Scope; readonly id: number } | null;
  /** Id of the request. */
  readonly rid?: string;
  /** Old and new values. */
  readonly changes?: readonly LoggedChange[];
}

/** The part of an {@link AuditEntry} that the operation itself provides. */
export type AuditLine = Pick<AuditEntry, 'summary' | 'text' | 'plugin'>;

/** Writes the operation log (`SVC_log`). Texts too long for their column are truncated and end in `…`. */
@Injectable()
export class AuditLog {
  private readonly insert;
  private readonly setText;

  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    this.insert = database.statement(
      `INSERT INTO {OperationLog} ({OperationLog.actor}, {OperationLog.createdAt}, {OperationLog.category},
        {OperationLog.summary}, {OperationLog.ip}, {OperationLog.outcome}, {OperationLog.text}, {OperationLog.side},
        {OperationLog.accountId}, {OperationLog.rid}, {OperationLog.subject}, {OperationLog.fields}, {OperationLog.changes},
        {OperationLog.source}, {OperationLog.plugin})
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.setText = database.statement(
      'UPDATE {OperationLog} SET {OperationLog.summary} = ?, {OperationLog.text} = ? WHERE {OperationLog.id} = ?',
    );
  }

  /**
   * Writes one line, as part of an open transaction if any. Never throws: the action is already done, so a line that cannot be written goes
   * to the process log instead.
   */
  async write(entry: AuditEntry): Promise<void> {
    try {
      await this.add(entry);
    } catch (error) {
      log.error({ err: error, entry }, 'a line of the operation log could not be written');
    }
  }

  /**
   * Writes a line that its action depends on, as part of an open transaction if any.
   *
   * @returns its id, for {@link retell}
   * @throws Error of the database if it cannot be written
   */
  async add(entry: AuditEntry): Promise<number> {
    const { insertId } = await this.insert.run(
      clip(oneLine(entry.actor), LENGTHS.actor),
      this.clock.now(),
      clip(oneLine(entry.category), LENGTHS.category),
      clip(oneLine(entry.summary), LENGTHS.summary),
      clip(oneLine(entry.ip ?? ''), LENGTHS.ip),
      entry.outcome === undefined || entry.outcome === null ? null : clip(entry.outcome, LENGTHS.outcome),
      keepableText(entry.text),
      entry.account?.side ?? null,
      entry.account?.id ?? null,
      entry.rid?.slice(0, LENGTHS.rid) ?? null,
      ...changeColumns(entry.changes ?? []),
      entry.source === undefined ? null : clip(oneLine(entry.source), LENGTHS.source),
      entry.plugin?.slice(0, LENGTHS.plugin) ?? null,
    );
    return insertId;
  }

  /**
   * Replaces the text of a line, such as with the progress of its action; as part of an open transaction if any.
   *
   * @throws Error of the database
   */
  async retell(id: number, { summary, text }: AuditLine): Promise<void> {
    await this.setText.run(clip(oneLine(summary), LENGTHS.summary), keepableText(text), id);
  }
}

/**
 * Returns the columns subject, fields and changes. If the changes exceed the limit, their field values are dropped, but the record that
 * they changed stays.
 */
function changeColumns(changes: readonly LoggedChange[]): [subject: string | null, fields: string | null, changes: string | null] {
  if (changes.length === 0) return [null, null, null];
  const subjects = new Set(changes.map(subjectOf));
  const names = new Set(changes.flatMap(({ fields }) => fields.map(({ name }) => name)));
  const kept = [...changes];
  let json = JSON.stringify(kept);
  for (let at = kept.length - 1; Buffer.byteLength(json) > MAX_CHANGES && at >= 0; at -= 1) {
    kept[at] = { ...kept[at]!, fields: [], more: kept[at]!.fields.length + (kept[at]!.more ?? 0) };
    json = JSON.stringify(kept);
  }
  const [subject] = subjects;
  return [subjects.size === 1 ? subject!.slice(0, LENGTHS.subject) : null, `,${[...names].join(',').slice(0, LENGTHS.fields)},`, json];
}

/** Returns the search key of a changed object. */
export function subjectOf({ of, id }: Pick<LoggedChange, 'of' | 'id'>): string {
  return id === '' ? of : `${of}:${id}`;
}

/** Returns the text as JSON; null if it exceeds its column, since truncated JSON cannot be parsed. */
function keepableText(text: AuditEntry['text']): string | null {
  if (text === undefined) return null;
  const params = Object.fromEntries(
    Object.entries(text.params ?? {}).map(([name, value]) => [name, typeof value === 'string' ? oneLine(value) : value]),
  );
  const json = JSON.stringify({ ...text, params });
  return json.length > LENGTHS.text ? null : json;
}

/** Columns count characters, JavaScript counts UTF-16 units. */
function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  const characters = Array.from(text.slice(0, 2 * length + 2));
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`;
}
