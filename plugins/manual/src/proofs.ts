import type { OrderSummary, PluginDatabase } from '@svc/sdk';

import type { ProofFile } from './proof-file.js';
import type { ProofKind } from './proof-kind.js';

/** `replaced`: the buyer has sent another proof since. */
export type ProofState = 'waiting' | 'confirmed' | 'rejected' | 'replaced';

/** A buyer's proof of payment. */
export interface Proof {
  readonly id: number;
  readonly order_no: string;
  readonly order_name: string;
  /** Fen. */
  readonly amount: number;
  readonly state: ProofState;
  readonly note: string;
  /** Empty without a file. */
  readonly kind: ProofKind | '';
  /** Size of the file; 0 once deleted. */
  readonly bytes: number;
  readonly reason: string;
  readonly decided_by: string;
  readonly sent_at: number;
  readonly held_until: number;
  readonly decided_at: number | null;
}

/** Why a proof was rejected; the key of a text. */
export type ProofRefusal = 'too_many' | 'no_room';

/** Maximum number of proofs per order. */
const MAX_PER_ORDER = 10;
/** Maximum total size of all files, since strangers can upload them. */
const MAX_BYTES = 500 * 1024 * 1024;
/** File bytes per row: a MySQL text holds 64 KB, and base64 adds a third. */
const PIECE = 45_000;
const COLUMNS = 'id, order_no, order_name, amount, state, note, kind, bytes, reason, decided_by, sent_at, held_until, decided_at';

/** Proofs and their files, stored as rows, so that every process can read them and no web server serves them. */
export class Proofs {
  constructor(private readonly db: PluginDatabase) {}

  /** Stores a proof, replacing a pending one; within an open transaction. @returns its id */
  async add(order: OrderSummary, note: string, file: ProofFile | null, now: number, heldUntil: number): Promise<number | ProofRefusal> {
    await this.db.run('UPDATE {turn} SET taken = taken + 1');
    const [of] = await this.db.query<{ n: number }>('SELECT COUNT(*) AS n FROM {proof} WHERE order_no = ?', [order.ddh]);
    if (Number(of?.n ?? 0) >= MAX_PER_ORDER) return 'too_many';
    const [kept] = await this.db.query<{ total: number | null }>('SELECT SUM(bytes) AS total FROM {proof} WHERE bytes > 0');
    if (file && Number(kept?.total ?? 0) + file.content.length > MAX_BYTES) return 'no_room';
    const before = await this.waitingFor(order.ddh);
    if (before) {
      await this.decide(before.id, { state: 'replaced', at: now });
      await this.deleteFile(before.id);
    }
    const { insertId } = await this.db.run(
      `INSERT INTO {proof} (order_no, waiting_for, order_name, amount, state, note, kind, bytes, sent_at, held_until)
       VALUES (?, ?, ?, ?, 'waiting', ?, ?, ?, ?, ?)`,
      [order.ddh, order.ddh, order.name, order.amount, note, file?.kind ?? '', file?.content.length ?? 0, now, heldUntil],
    );
    const content = file?.content ?? Buffer.alloc(0);
    for (let place = 0; place * PIECE < content.length; place += 1)
      await this.db.run('INSERT INTO {piece} (proof_id, place, content) VALUES (?, ?, ?)', [
        insertId,
        place,
        content.subarray(place * PIECE, (place + 1) * PIECE).toString('base64'),
      ]);
    return insertId;
  }

  get(id: number): Promise<Proof | null> {
    return this.one('id = ?', [id]);
  }

  /** Returns the pending proof of an order. */
  waitingFor(order: string): Promise<Proof | null> {
    return this.one('waiting_for = ?', [order]);
  }

  /** Returns the latest proof of an order. */
  lastOf(order: string): Promise<Proof | null> {
    return this.one('order_no = ?', [order]);
  }

  /** Returns the number of pending proofs. */
  async countWaiting(): Promise<number> {
    const [row] = await this.db.query<{ n: number }>('SELECT COUNT(*) AS n FROM {proof} WHERE waiting_for IS NOT NULL');
    return Number(row?.n ?? 0);
  }

  /** Returns the file of a proof; null if none exists any more. */
  async file(id: number): Promise<Buffer | null> {
    const pieces = await this.db.query<{ content: string }>('SELECT content FROM {piece} WHERE proof_id = ? ORDER BY place', [id]);
    return pieces.length > 0 ? Buffer.concat(pieces.map(({ content }) => Buffer.from(content, 'base64'))) : null;
  }

  /** Decides a pending proof. @returns false if it is no longer pending */
  async decide(id: number, end: { state: Exclude<ProofState, 'waiting'>; at: number; by?: string; reason?: string }): Promise<boolean> {
    const { state, at, by = '', reason = '' } = end;
    const { affected } = await this.db.run(
      `UPDATE {proof} SET state = ?, waiting_for = NULL, decided_at = ?, decided_by = ?, reason = ? WHERE id = ? AND state = 'waiting'`,
      [state, at, by, reason, id],
    );
    return affected === 1;
  }

  /** Called when an order was paid or closed: starts the retention of its proofs' files. */
  async ended(order: string, at: number): Promise<void> {
    await this.db.run('UPDATE {proof} SET ended_at = ? WHERE order_no = ?', [at, order]);
  }

  /** Returns pending proofs whose orders are held open until before a time. */
  waitingUntil(time: number): Promise<Proof[]> {
    return this.many('waiting_for IS NOT NULL AND held_until < ?', [time], 'id LIMIT 100');
  }

  /** Returns a page of the list, pending proofs first. */
  async page(state: string, search: string, at: number, size: number): Promise<{ total: number; rows: Proof[] }> {
    const conditions = [state && 'state = ?', search && "order_no LIKE ? ESCAPE '!'"].filter(Boolean).join(' AND ') || '1 = 1';
    const values = [...(state ? [state] : []), ...(search ? [`%${search.replace(/[!%_]/g, '!$&')}%`] : [])];
    const [count] = await this.db.query<{ n: number }>(`SELECT COUNT(*) AS n FROM {proof} WHERE ${conditions}`, values);
    const order = `CASE WHEN waiting_for IS NULL THEN 1 ELSE 0 END, id DESC LIMIT ${size} OFFSET ${at}`;
    return { total: Number(count?.n ?? 0), rows: await this.many(conditions, values, order) };
  }

  /** Deletes files of orders that ended before a time, of proofs rejected before it, and those older than a year. */
  async sweep(before: number, yearAgo: number): Promise<number> {
    const rows = await this.db.query<{ id: number }>(
      `SELECT id FROM {proof} WHERE bytes > 0 AND (ended_at < ? OR (state = 'rejected' AND ended_at IS NULL
        AND decided_at < ?) OR sent_at < ?)
       ORDER BY id LIMIT 200`,
      [before, before, yearAgo],
    );
    for (const { id } of rows) await this.db.transaction(() => this.deleteFile(id));
    return rows.length;
  }

  private async deleteFile(id: number): Promise<void> {
    await this.db.run('DELETE FROM {piece} WHERE proof_id = ?', [id]);
    await this.db.run('UPDATE {proof} SET bytes = 0 WHERE id = ?', [id]);
  }

  private async one(condition: string, values: unknown[]): Promise<Proof | null> {
    const [row] = await this.many(condition, values, 'id DESC LIMIT 1');
    return row ?? null;
  }

  private async many(condition: string, values: unknown[], order: string): Promise<Proof[]> {
    const rows = await this.db.query<Proof>(`SELECT ${COLUMNS} FROM {proof} WHERE ${condition} ORDER BY ${order}`, values);
    return rows.map((row) => ({
      ...row,
      id: Number(row.id),
      amount: Number(row.amount),
      bytes: Number(row.bytes),
      sent_at: Number(row.sent_at),
      held_until: Number(row.held_until),
      decided_at: row.decided_at === null ? null : Number(row.decided_at),
    }));
  }
}
