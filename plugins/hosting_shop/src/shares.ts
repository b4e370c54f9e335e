import { Inject, Injectable } from '@nestjs/common';
import type { PluginDatabase } from '@svc/sdk';

import type { Plan } from './plan-terms.js';
import { SHOP_DATABASE } from './shop-database.js';

/** So many of something for one customer. */
export interface Share {
  /** What and whose, at most 190 characters. */
  readonly name: string;
  readonly most: number;
  /** `YYYY-MM-DD` of one that counts for a day. */
  readonly day?: string;
  /** Text that says that there is no more. */
  readonly key: string;
}

/** There is none left; `key` is the text that says of what. */
export class NoneLeft extends Error {
  constructor(readonly key: string) {
    super(`none left: ${key}`);
  }
}

/**
 * Stock of plans and shares of customers: taken and given back by conditional updates alone, so that ten at once
 * never take more than there is.
 */
@Injectable()
export class Shares {
  constructor(@Inject(SHOP_DATABASE) private readonly db: PluginDatabase) {}

  /** Makes the rows that {@link take} counts in; outside of its transaction, which only ever changes them. */
  async prepare(shares: readonly Share[]): Promise<void> {
    for (const { name, day } of shares) {
      const [row] = await this.db.query('SELECT id FROM {share} WHERE name = ?', [name]);
      if (row) continue;
      // Somebody else may make it at the same moment: then it is there, which is all that is wanted.
      await this.db.run('INSERT INTO {share} (name, day) VALUES (?, ?)', [name, day ?? '']).catch(async (error: unknown) => {
        if ((await this.db.query('SELECT id FROM {share} WHERE name = ?', [name])).length === 0) throw error;
      });
    }
  }

  /** Takes one of the plan's stock and one of each share. In a transaction: all or nothing. @throws NoneLeft */
  async take(plan: Plan, shares: readonly Share[]): Promise<void> {
    const { affected } = await this.db.run(
      'UPDATE {plan} SET taken = taken + 1 WHERE id = ? AND active = 1 AND (stock IS NULL OR taken < stock)',
      [plan.id],
    );
    if (affected !== 1) throw new NoneLeft('sold_out');
    for (const { name, most, key } of shares) {
      const taken = await this.db.run('UPDATE {share} SET used = used + 1 WHERE name = ? AND used < ?', [name, most]);
      if (taken.affected !== 1) throw new NoneLeft(key);
    }
  }

  /** Gives back what {@link take} took. */
  async giveBack(planId: number, names: readonly string[]): Promise<void> {
    await this.db.run('UPDATE {plan} SET taken = taken - 1 WHERE id = ? AND taken > 0', [planId]);
    for (const name of names) await this.db.run('UPDATE {share} SET used = used - 1 WHERE name = ? AND used > 0', [name]);
  }

  /** Takes one of each whether there is any left or not: it was paid. @returns whether the stock was used up */
  async takePaid(planId: number, names: readonly string[]): Promise<boolean> {
    await this.db.run('UPDATE {plan} SET taken = taken + 1 WHERE id = ?', [planId]);
    for (const name of names) await this.db.run('UPDATE {share} SET used = used + 1 WHERE name = ?', [name]);
    const [plan] = await this.db.query<{ past: number }>(
      'SELECT CASE WHEN stock IS NOT NULL AND taken > stock THEN 1 ELSE 0 END AS past FROM {plan} WHERE id = ?',
      [planId],
    );
    return Number(plan?.past ?? 0) === 1;
  }

  /** How many of a share are taken. */
  async used(name: string): Promise<number> {
    const [row] = await this.db.query<{ used: number }>('SELECT used FROM {share} WHERE name = ?', [name]);
    return Number(row?.used ?? 0);
  }

  /** Forgets shares of days before this one. */
  async forgetDays(before: string): Promise<void> {
    await this.db.run("DELETE FROM {share} WHERE day <> '' AND day < ?", [before]);
  }
}

/** Name of what one customer has of a plan; null where nobody knows who he is. */
export function planShare(
  planId: number,
  { customerId, email }: { readonly customerId: number | null; readonly email: string },
): string | null {
  if (customerId === null && email === '') return null;
  return `plan:${planId}:${customerId === null ? `e:${email}` : `c:${Number(customerId)}`}`;
}

/** Shares a host holds, of what its purchase or seat says: a trial that was had stays had, and what was free that day. */
export function namesIn(text: string | null): string[] {
  return text === null ? [] : (JSON.parse(text) as string[]).filter((name) => name.startsWith('plan:'));
}
