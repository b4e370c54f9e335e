import type { GatewayRefundResult, SvcFacade } from '@svc/sdk';

/**
 * Requested refunds. The platform's older API has no refund numbers and would refund twice: each id is sent only once, and if the answer is
 * lost the result stays unknown until someone checks at the platform.
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
   * @param requestRefund called once per id, across all processes
   * @param isRefunded checks whether an earlier request succeeded whose answer was lost
   * @throws Error with `unknown` if the result of the first request is unknown, and what `requestRefund` throws
   */
  async once(
    id: string,
    unknown: string,
    requestRefund: () => Promise<GatewayRefundResult>,
    isRefunded: () => Promise<boolean>,
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
      if (!(await isRefunded())) throw new Error(unknown);
      return this.noted(id, { state: 'done' });
    }
    return this.noted(id, await requestRefund());
  }

  private async noted(id: string, result: GatewayRefundResult): Promise<GatewayRefundResult> {
    await this.svc.db.run('UPDATE {refund} SET state = ?, words = ? WHERE refund_id = ?', [result.state, result.msg ?? '', id]);
    return result;
  }
}
