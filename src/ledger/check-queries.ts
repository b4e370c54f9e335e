import { Injectable } from '@nestjs/common';

import { Database, type SqlValue } from '../database/index.js';

import { CREDIT_GATEWAY, CREDIT_TRADE } from './credit-payments.js';
import type { CreditDifference, DifferenceKind } from './entities/index.js';
import { TOP_UP_SCENE } from './top-up-scene.js';

/** Maximum differences of one kind in a result. */
const MAX_DIFFERENCES = 200;

/** A difference found. */
export type Found = Pick<CreditDifference, 'kind' | 'subject' | 'orderId' | 'creditId' | 'expected' | 'found'>;

interface Row {
  readonly subject: string | number;
  readonly orderId: number | null;
  readonly creditId: number | null;
  readonly expected: string | number | null;
  readonly found: string | number | null;
}

/** Converts a yuan column to fen. */
const fen = (column: string): string => `ROUND(${column} * 100)`;
const side = (alias: string, transfer: string): string =>
  `${alias}.{CreditEntry.transferId} = ${transfer}.{CreditTransfer.id} AND ${alias}.{CreditEntry.account} = 'credit'`;
/** The amount that one kind of refund transfer moved to a credit. */
const ofRefund = (kind: string): string =>
  `COALESCE((SELECT SUM(e.{CreditEntry.amount}) FROM {CreditTransfer} t JOIN {CreditEntry} e ON ${side('e', 't')}
    WHERE t.{CreditTransfer.refundId} = r.{Refund.id} AND t.{CreditTransfer.kind} ${kind}), 0)`;
const ROW = 'o.{Order.number} AS subject, o.{Order.id} AS orderId';
/** Total of an order's second payments added to the owner's credit, according to the payments and to the ledger. */
const SECONDS_KEPT = `COALESCE((SELECT SUM(${fen('s.{SecondPayment.amount}')}) FROM {SecondPayment} s
    WHERE s.{SecondPayment.orderId} = o.{Order.id} AND s.{SecondPayment.state} = 'credit'), 0)`;
const SECONDS_MOVED = `COALESCE((SELECT SUM(e.{CreditEntry.amount}) FROM {CreditTransfer} t JOIN {CreditEntry} e ON ${side('e', 't')}
    WHERE t.{CreditTransfer.orderId} = o.{Order.id} AND t.{CreditTransfer.kind} = 'second'), 0)`;
/** Matches payments from credit, by the panel's own transaction number or by the gateway that offers it. */
const BY_CREDIT = `(p.{PaymentTransaction.gateway} = '${CREDIT_GATEWAY}' OR p.{PaymentTransaction.tradeNumber} LIKE '${CREDIT_TRADE}%')`;

/**
 * Queries of the ledger check: each returns differences, or nothing. Each is a single statement, so that concurrent changes
 * are included completely or not at all.
 */
@Injectable()
export class CheckQueries {
  constructor(private readonly database: Database) {}

  /** @param until orders paid later may still be waiting for their delivery */
  all(until: Date): (() => Promise<Found[]>)[] {
    const ask = (kind: DifferenceKind, sql: string, ...params: SqlValue[]) => {
      const statement = this.database.statement<Row>(`${sql} LIMIT ${MAX_DIFFERENCES}`);
      return async () => (await statement.all(...params)).map((row) => toFound(kind, row));
    };
    return [
      ask(
        'balance',
        `SELECT c.{Credit.name} AS subject, NULL AS orderId, c.{Credit.id} AS creditId, COALESCE(s.total, 0) AS expected,
          c.{Credit.balance} AS found
         FROM {Credit} c LEFT JOIN (SELECT {CreditEntry.creditId} AS id, SUM({CreditEntry.amount}) AS total FROM {CreditEntry}
           WHERE {CreditEntry.creditId} IS NOT NULL GROUP BY {CreditEntry.creditId}) s ON s.id = c.{Credit.id}
         WHERE c.{Credit.balance} <> COALESCE(s.total, 0) OR c.{Credit.balance} < 0 ORDER BY c.{Credit.id}`,
      ),
      ask(
        'transfer',
        `SELECT t.{CreditTransfer.id} AS subject, t.{CreditTransfer.orderId} AS orderId, NULL AS creditId, 0 AS expected,
           COALESCE(SUM(e.{CreditEntry.amount}), 0) AS found
         FROM {CreditTransfer} t LEFT JOIN {CreditEntry} e ON e.{CreditEntry.transferId} = t.{CreditTransfer.id}
         GROUP BY t.{CreditTransfer.id}, t.{CreditTransfer.orderId} HAVING COALESCE(SUM(e.{CreditEntry.amount}),
         0) <> 0 OR COUNT(e.{CreditEntry.id}) < 2
         ORDER BY t.{CreditTransfer.id}`,
      ),
      ask(
        'top_up_missing',
        `SELECT ${ROW}, e.{CreditEntry.creditId} AS creditId, ${fen('o.{Order.amount}')} AS expected, COALESCE(e.{CreditEntry.amount},
          0) AS found
         FROM {Order} o LEFT JOIN {CreditTransfer} t ON t.{CreditTransfer.orderId} = o.{Order.id} AND t.{CreditTransfer.kind} = 'top_up'
         LEFT JOIN {CreditEntry} e ON ${side('e', 't')}
         WHERE o.{Order.scene} = ? AND o.{Order.paidAt} < ? AND o.{Order.status} IN ('paid', 'partly_refunded', 'refunded')
           AND COALESCE(e.{CreditEntry.amount}, 0) <> ${fen('o.{Order.amount}')} ORDER BY o.{Order.id}`,
        TOP_UP_SCENE,
        until,
      ),
      ...(['top_up', 'payment'] as const).map((kind) =>
        ask(
          kind === 'top_up' ? 'top_up_without' : 'payment_without',
          `SELECT COALESCE(o.{Order.number}, t.{CreditTransfer.id}) AS subject, o.{Order.id} AS orderId,
            e.{CreditEntry.creditId} AS creditId,
             0 AS expected, e.{CreditEntry.amount} AS found
           FROM {CreditTransfer} t JOIN {CreditEntry} e ON ${side('e', 't')} LEFT
           JOIN {Order} o ON o.{Order.id} = t.{CreditTransfer.orderId}
           LEFT JOIN {PaymentTransaction} p ON p.{PaymentTransaction.orderId} = o.{Order.id}
           WHERE t.{CreditTransfer.kind} = '${kind}'
           AND (p.{PaymentTransaction.id} IS NULL${kind === 'payment' ? ` OR NOT ${BY_CREDIT}` : ''})
           ORDER BY t.{CreditTransfer.id}`,
        ),
      ),
      ask(
        'payment_missing',
        `SELECT ${ROW}, e.{CreditEntry.creditId} AS creditId, -${fen('p.{PaymentTransaction.amount}')} AS expected,
          COALESCE(e.{CreditEntry.amount}, 0) AS found
         FROM {PaymentTransaction} p JOIN {Order} o ON o.{Order.id} = p.{PaymentTransaction.orderId}
         LEFT JOIN {CreditTransfer} t ON t.{CreditTransfer.orderId} = o.{Order.id} AND t.{CreditTransfer.kind} = 'payment'
         LEFT JOIN {CreditEntry} e ON ${side('e', 't')}
         WHERE ${BY_CREDIT} AND COALESCE(e.{CreditEntry.amount}, 0) <> -${fen('p.{PaymentTransaction.amount}')}
         ORDER BY p.{PaymentTransaction.id}`,
      ),
      ask(
        'refund_missing',
        `SELECT r.{Refund.number} AS subject, r.{Refund.orderId} AS orderId, NULL AS creditId, ${fen('r.{Refund.amount}')} AS expected,
           ${ofRefund("= 'refund'")} AS found
         FROM {Refund} r WHERE r.{Refund.state} = 'done' AND (r.{Refund.way} = 'credit' OR (r.{Refund.way} = 'gateway'
         AND r.{Refund.gateway} = '${CREDIT_GATEWAY}'))
           AND ${ofRefund("= 'refund'")} <> ${fen('r.{Refund.amount}')} ORDER BY r.{Refund.id}`,
      ),
      ask(
        'refund_without',
        `SELECT COALESCE(r.{Refund.number}, t.{CreditTransfer.id}) AS subject, t.{CreditTransfer.orderId} AS orderId,
           e.{CreditEntry.creditId} AS creditId, 0 AS expected, e.{CreditEntry.amount} AS found
         FROM {CreditTransfer} t JOIN {CreditEntry} e ON ${side('e', 't')} LEFT
         JOIN {Refund} r ON r.{Refund.id} = t.{CreditTransfer.refundId}
         WHERE t.{CreditTransfer.kind} = 'refund' AND (r.{Refund.id} IS NULL OR r.{Refund.state} = 'refused')
         ORDER BY t.{CreditTransfer.id}`,
      ),
      ask(
        'taken_back',
        `SELECT r.{Refund.number} AS subject, r.{Refund.orderId} AS orderId, NULL AS creditId,
           CASE WHEN r.{Refund.state} = 'refused' THEN 0 ELSE -${fen('r.{Refund.amount}')} END AS expected,
           ${ofRefund("IN ('taken_back', 'given_again')")} AS found
         FROM {Refund} r JOIN {Order} o ON o.{Order.id} = r.{Refund.orderId}
         WHERE o.{Order.scene} = ? AND r.{Refund.way} <> 'credit' AND ${ofRefund("IN ('taken_back', 'given_again')")}
           <> CASE WHEN r.{Refund.state} = 'refused' THEN 0 ELSE -${fen('r.{Refund.amount}')} END ORDER BY r.{Refund.id}`,
        TOP_UP_SCENE,
      ),
      ask(
        'second',
        `SELECT ${ROW}, NULL AS creditId, ${SECONDS_KEPT} AS expected, ${SECONDS_MOVED} AS found FROM {Order} o
         WHERE o.{Order.id} IN (SELECT {SecondPayment.orderId} FROM {SecondPayment} WHERE {SecondPayment.state} = 'credit'
           UNION SELECT {CreditTransfer.orderId} FROM {CreditTransfer} WHERE {CreditTransfer.kind} = 'second')
           AND ${SECONDS_KEPT} <> ${SECONDS_MOVED} ORDER BY o.{Order.id}`,
      ),
    ];
  }
}

function toFound(kind: DifferenceKind, { subject, orderId, creditId, expected, found }: Row): Found {
  // Names are not unique: a name can be reused by another host.
  const label = kind === 'balance' ? `${String(subject).slice(0, 50)} #${creditId}` : String(subject);
  return { kind, subject: label, orderId, creditId, expected: Number(expected), found: Number(found) };
}
