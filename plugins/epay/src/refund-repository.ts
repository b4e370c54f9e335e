import type { GatewayRefundResult, SvcFacade } from '@svc/sdk';

/**
 * Refunds that were asked for. The platform's older API gives a refund no number and would make it again: each id is sent once, and one
 * whose answer got lost stays unknown until somebody has looked at the platform.
 */
export class RefundRepository {
  constructor(private readonly svc: SvcFacade) {}

  async prepare(): Promise<void> {
    await this.svc.db.migrate([
      {
        id: '001',
        up: (schema) =>
          schema.createTable({
            name: 'refund',
            columns: [
              { name: 'refund_id', type: 'string', length: 64 },
              { name: 'state', type: 'string', length: 16 },
              { name: 'words', type: 'text' },
            ],
            indexes: [{ columns: ['refund_id'], unique: true }],
          }),
      },
    ]);
  }

  /**
   * @param ask is called once for each id, in whatever process
   * @param look whether it shows that an earlier one was made, whose answer got lost
   * @throws Error with `unknown` where nobody knows what came of the first call, and what `ask` throws
   */
  async once(
    id: string,
    unknown: string,
    ask: () => Promise<GatewayRefundResult>,
    look: () => Promise<boolean>,
  ): Promise<GatewayRefundResult> {
    const isFirst = await this.svc.db
      .run("INSERT INTO {refund} (refund_id, state, words) VALUES (?, 'asked', '')", [id])
      .then(() => true)
      .catch(() => false);
    if (!isFirst) {
      const [row] = await this.svc.db.query<{ state: string; words: string }>('SELECT state, words FROM {refund} WHERE refund_id = ?', [
        id,
      ]);
      if (row?.state === 'done' || row?.state === 'refused') return { state: row.state, msg: row.words };
      if (!(await look())) throw new Error(unknown);
      return this.noted(id, { state: 'done' });
    }
    return this.noted(id, await ask());
  }

  private async noted(id: string, result: GatewayRefundResult): Promise<GatewayRefundResult> {
    await this.svc.db.run('UPDATE {refund} SET state = ?, words = ? WHERE refund_id = ?', [result.state, result.msg ?? '', id]);
    return result;
  }
}
