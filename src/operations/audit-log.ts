import { Injectable } from '@nestjs/common';

import { Clock, loggerFor, oneLine, type Locale, type LoggedChange, type TextRef } from '../common/index.js';
import { Database } from '../database/index.js';
import type { Scope } from '../sdk/index.js';

const log = loggerFor('audit');

/** Characters the columns hold; the outcome's is 64 KB of text, 4 bytes a character at worst. */
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
/** Bytes of what was changed, as JSON. */
const MAX_CHANGES = 8 * 1_024;

/** Text of a log line as key and params, so that every reader gets it in his own language. */
export interface AuditText extends TextRef {
  /** The outcome likewise; without one it is shown as it was written. */
  readonly outcome?: TextRef;
}

/** Language of the stored text, which searches and programs that read the table use; people read a line in their own language. */
export const AUDIT_LOCALE: Locale = 'zh-CN';

/** Entry of the operation log: actor, action, origin and outcome. */
export interface AuditEntry {
  readonly actor: string;
  /** Where it came in, of what somebody outside caused; such a line is kept for 90 days. */
  readonly source?: string;
  /** Slug of the plugin whose action it is. */
  readonly plugin?: string;
  /** Kind of action, such as `zjsc` or `登陆`. */
  readonly category: string;
  /** In Chinese: what is searched for. */
  readonly summary: string;
  /** Key and values of the same text, for readers of other languages; a line without is shown as {@link summary} has it. */
  readonly text?: AuditText;
  readonly ip?: string;
  readonly outcome?: string | null;
  /** Whose account it is about: he sees it in his own history. */
  readonly account?: { readonly side: Scope; readonly id: number } | null;
  /** Id of the request. */
  readonly rid?: string;
  /** What was what before, and is what now. */
  readonly changes?: readonly LoggedChange[];
}

/** The part of an {@link AuditEntry} that an operation itself provides. */
export type AuditLine = Pick<AuditEntry, 'summary' | 'text' | 'plugin'>;

/** Writes the operation log (`SVC_log`). Texts that are too long for their column end in `…`. */
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
   * Writes one line; in an open transaction as part of it. Never throws: what was done is done, so a line that cannot be
   * written goes to the process's log instead.
   */
  async write(entry: AuditEntry): Promise<void> {
    try {
      await this.add(entry);
    } catch (error) {
      log.error({ err: error, entry }, 'a line of the operation log could not be written');
    }
  }

  /**
   * Writes a line without which what it tells of is not to happen; in an open transaction as part of it.
   *
   * @returns its id, for {@link retell}
   * @throws Error of the database where it cannot be written
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
   * Has a line say something else, such as how far its action has come; in an open transaction as part of it.
   *
   * @throws Error of the database
   */
  async retell(id: number, { summary, text }: AuditLine): Promise<void> {
    await this.setText.run(clip(oneLine(summary), LENGTHS.summary), keepableText(text), id);
  }
}

/** Subject, fields and changes. What has no room leaves its fields out; that it was changed stays. */
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

/** How what was changed is searched for. */
export function subjectOf({ of, id }: Pick<LoggedChange, 'of' | 'id'>): string {
  return id === '' ? of : `${of}:${id}`;
}

/** Null where it would not fit its column: half of it could not be read again. */
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
