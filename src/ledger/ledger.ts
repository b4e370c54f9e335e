import { randomUUID } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { Clock, MAX_AMOUNT } from '../common/index.js';
import { Database, isUniqueViolation } from '../database/index.js';

import { Credit, type HolderKind, type LedgerAccount, type TransferKind } from './entities/index.js';
import { LedgerError } from './errors.js';

/** A credit holder. */
export interface CreditHolder {
  readonly kind: HolderKind;
  readonly id: number;
  /** Display name. */
  readonly name: string;
}

/** A transfer between a credit and one other account. */
export interface Movement {
  /** The credit: by its holder, or by the id of an existing credit. */
  readonly of: CreditHolder | number;
  /** Fen credited, or debited if negative. Not zero. */
  readonly amount: number;
  /** The other account. */
  readonly against: Exclude<LedgerAccount, 'credit'>;
  readonly kind: TransferKind;
  /** Idempotency key: the same cause moves credit only once, for all callers. */
  readonly cause: string;
  readonly orderId?: number;
  readonly refundId?: number;
  readonly reason?: string;
  /** Name of the administrator. */
  readonly actor?: string;
}

/** Result of a {@link Movement}. */
export interface Moved {
  readonly creditId: number;
  /** Current balance in fen. */
  readonly balance: number;
  /** False if the same cause had already moved it. */
  readonly moved: boolean;
}

/**
 * The ledger of credit. Each movement is one transfer whose entries add up to zero, and one conditional update of a balance that
 * cannot become negative, in one transaction: of any number of concurrent calls and processes each cause moves credit once.
 * Written entries are never changed or deleted.
 */
@Injectable()
export class Ledger {
  private readonly insertCredit;
  private readonly changeBalance;
  private readonly insertTransfer;
  private readonly insertEntry;
  private readonly byHolder;
  private readonly balanceOf;
  private readonly sideOf;
  private readonly targetOf;
  private readonly customerOf;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    this.insertCredit = database.statement(
      `${database.insertIgnore} {Credit} ({Credit.holderKind}, {Credit.holderId}, {Credit.name}, {Credit.balance}, {Credit.createdAt},
        {Credit.movedAt}) VALUES (?, ?, ?, 0, ?, ?)`,
    );
    this.changeBalance = database.statement(
      `UPDATE {Credit} SET {Credit.balance} = {Credit.balance} + ?, {Credit.movedAt} = ?, {Credit.name} = COALESCE(?, {Credit.name})
       WHERE {Credit.id} = ? AND {Credit.balance} + ? >= 0 AND {Credit.balance} + ? <= ?`,
    );
    this.insertTransfer = database.statement(
      `INSERT INTO {CreditTransfer} ({CreditTransfer.cause}, {CreditTransfer.kind}, {CreditTransfer.orderId}, {CreditTransfer.refundId},
        {CreditTransfer.reason}, {CreditTransfer.actor}, {CreditTransfer.createdAt}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
    this.insertEntry = database.statement(
      `INSERT INTO {CreditEntry} ({CreditEntry.transferId}, {CreditEntry.account}, {CreditEntry.creditId}, {CreditEntry.amount},
        {CreditEntry.balanceAfter}) VALUES (?, ?, ?, ?, ?)`,
    );
    this.byHolder = database.statement<{ id: number }>(
      'SELECT {Credit.id} AS id FROM {Credit} WHERE {Credit.holderKind} = ? AND {Credit.holderId} = ?',
    );
    this.customerOf = database.statement<{ id: number }>('SELECT {Customer.id} AS id FROM {Customer} WHERE {Customer.id} = ?');
    this.balanceOf = database.statement<{ balance: number | string }>(
      'SELECT {Credit.balance} AS balance FROM {Credit} WHERE {Credit.id} = ?',
    );
    this.sideOf = database.statement<{ creditId: number; amount: number | string }>(
      `SELECT {CreditEntry.creditId} AS creditId, {CreditEntry.amount} AS amount FROM {CreditTransfer}
       JOIN {CreditEntry} ON {CreditEntry.transferId} = {CreditTransfer}.{CreditTransfer.id}
       WHERE {CreditTransfer.cause} = ? AND {CreditEntry.account} = 'credit'`,
    );
    this.targetOf = database.statement<{ id: number }>(
      `SELECT target.{CreditEntry.creditId} AS id FROM {CreditEntry} own
       JOIN {CreditTransfer} ON {CreditTransfer}.{CreditTransfer.id} = own.{CreditEntry.transferId} AND {CreditTransfer.kind} = 'joined'
       JOIN {CreditEntry} target ON target.{CreditEntry.transferId} = own.{CreditEntry.transferId} AND target.{CreditEntry.amount} > 0
       WHERE own.{CreditEntry.creditId} = ? AND own.{CreditEntry.amount} < 0 ORDER BY own.{CreditEntry.id} DESC LIMIT 1`,
    );
  }

  /** Returns a balance in fen; zero if nothing was ever moved. */
  async balance({ kind, id }: Pick<CreditHolder, 'kind' | 'id'>): Promise<number> {
    const credit = await this.byHolder.get(kind, id);
    return credit ? this.present(credit.id) : 0;
  }

  /** Returns a holder's credit; null if nothing was ever moved. */
  find({ kind, id }: Pick<CreditHolder, 'kind' | 'id'>): Promise<Credit | null> {
    return this.database.repository(Credit).findOneBy({ holderKind: kind, holderId: id });
  }

  /** Returns the credit and amount moved by a cause; null if it moved nothing. */
  async movedBy(cause: string): Promise<{ creditId: number; amount: number } | null> {
    const side = await this.sideOf.get(cause);
    return side ? { creditId: side.creditId, amount: Number(side.amount) } : null;
  }

  /** Returns the credit that another was joined to by {@link join}; null if it was not. */
  async joinedTo(creditId: number): Promise<number | null> {
    return (await this.targetOf.get(creditId))?.id ?? null;
  }

  /**
   * Moves credit, as part of the open transaction if there is one.
   *
   * @throws LedgerError NO_HOLDER if a customer was removed meanwhile; NOT_ENOUGH, TOO_MUCH, REQUEST_DIFFERS if the cause has already moved
   * something else; nothing is moved then
   */
  async move(movement: Movement): Promise<Moved> {
    const { amount, cause } = movement;
    if (!Number.isSafeInteger(amount) || amount === 0) throw new Error(`${String(amount)} fen cannot be moved.`);
    return this.database.transaction(
      async () => {
        await this.keepHolder(movement.of);
        const creditId = await this.creditOf(movement.of);
        // Concurrent movements of the same credit wait here, and then see the result.
        await this.database.lockRow('Credit', 'id', creditId);
        const before = await this.movedBy(cause);
        if (before) return this.alreadyMoved(before, creditId, amount);
        return { creditId, balance: await this.write(movement, creditId), moved: true };
      },
      { durable: true },
    );
  }

  /**
   * Moves the whole balance of a credit to another, such as a host's own to the customer it was given to, in one
   * transfer.
   *
   * @returns the amount moved in fen
   * @throws LedgerError NO_HOLDER if a customer was removed meanwhile, TOO_MUCH
   */
  join(from: number, to: CreditHolder): Promise<number> {
    return this.database.transaction(
      async () => {
        await this.keepHolder(to);
        const target = await this.creditOf(to);
        // Locked in a fixed order, to avoid deadlocks between two joins.
        for (const id of [from, target].sort((a, b) => a - b)) await this.database.lockRow('Credit', 'id', id);
        const amount = await this.present(from);
        if (amount === 0 || target === from) return 0;
        const now = this.clock.now();
        for (const [id, fen] of [
          [from, -amount],
          [target, amount],
        ] as const) {
          if ((await this.changeBalance.run(fen, now, null, id, fen, fen, MAX_AMOUNT)).affected !== 1) throw new LedgerError('TOO_MUCH');
        }
        const cause = `joined:${from}:${randomUUID()}`;
        const { insertId } = await this.insertTransfer.run(cause, 'joined', null, null, '', '', now);
        await this.insertEntry.run(insertId, 'credit', from, -amount, 0);
        await this.insertEntry.run(insertId, 'credit', target, amount, await this.present(target));
        return amount;
      },
      { durable: true },
    );
  }

  private async alreadyMoved(before: { creditId: number; amount: number }, creditId: number, amount: number): Promise<Moved> {
    if (before.creditId !== creditId || before.amount !== amount) throw new LedgerError('REQUEST_DIFFERS');
    return { creditId, balance: await this.present(creditId), moved: false };
  }

  private async write({ of, amount, against, kind, ...about }: Movement, creditId: number): Promise<number> {
    const now = this.clock.now();
    const name = typeof of === 'number' ? null : nameOf(of);
    const { affected } = await this.changeBalance.run(amount, now, name, creditId, amount, amount, MAX_AMOUNT);
    if (affected !== 1) throw new LedgerError(amount < 0 ? 'NOT_ENOUGH' : 'TOO_MUCH');
    const balance = await this.present(creditId);
    const { cause, orderId = null, refundId = null, reason = '', actor = '' } = about;
    const { insertId } = await this.insertTransfer
      .run(cause, kind, orderId, refundId, reason.slice(0, 200), actor.slice(0, 64), now)
      .catch((error: unknown) => {
        // The same cause was used concurrently under another holder's lock.
        throw isUniqueViolation(error) ? new LedgerError('REQUEST_DIFFERS', {}, undefined, { cause: error }) : error;
      });
    await this.insertEntry.run(insertId, 'credit', creditId, amount, balance);
    await this.insertEntry.run(insertId, against, null, -amount, null);
    return balance;
  }

  /** Locks a customer until the transaction ends: customers with credit cannot be removed, and removed ones get none. */
  private async keepHolder(of: CreditHolder | number): Promise<void> {
    if (typeof of === 'number' || of.kind !== 'customer') return;
    await this.database.lockRow('Customer', 'id', of.id);
    if (!(await this.customerOf.get(of.id))) throw new LedgerError('NO_HOLDER');
  }

  private async creditOf(of: CreditHolder | number): Promise<number> {
    if (typeof of === 'number') return of;
    const found = await this.byHolder.get(of.kind, of.id);
    if (found) return found.id;
    const now = this.clock.now();
    await this.insertCredit.run(of.kind, of.id, nameOf(of), now, now);
    return (await this.byHolder.get(of.kind, of.id))!.id;
  }

  private async present(creditId: number): Promise<number> {
    return Number((await this.balanceOf.get(creditId))?.balance ?? 0);
  }
}

/** Returns the name, truncated for storage. */
function nameOf({ name }: CreditHolder): string {
  return Array.from(name).slice(0, 64).join('');
}

/** Idempotency keys by purpose. */
export const causeOf = {
  topUp: (orderId: number) => `top_up:${orderId}`,
  payment: (orderId: number) => `payment:${orderId}`,
  refund: (refundId: number) => `refund:${refundId}`,
  takenBack: (refundId: number) => `taken_back:${refundId}`,
  givenAgain: (refundId: number) => `given_again:${refundId}`,
  second: (secondPaymentId: number) => `second:${secondPaymentId}`,
};
