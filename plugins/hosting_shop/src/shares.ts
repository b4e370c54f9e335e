import { Inject, Injectable } from '@nestjs/common';
import type { PluginDatabase } from '@svc/sdk';

import type { Plan } from './plan-terms.js';
import { SHOP_DATABASE } from './shop-database.js';

/** A quota of one customer. */
export interface Share {
  /** What and whose, at most 190 characters. */
  readonly name: string;
  readonly max: number;
  /** `YYYY-MM-DD`, for a quota per day. */
  readonly day?: string;
  /** Key of the text for an exhausted quota. */
  readonly key: string;
}

/** Stock or a quota is exhausted; `key` is the text that names it. */
export class NoneLeft extends Error {
  constructor(readonly key: string) {
    super(`none left: ${key}`);
  }
}

/** Stock of plans and quotas of customers, changed only by conditional updates, so that concurrent requests never exceed them. */
@Injectable()
export class Shares {
  constructor(@Inject(SHOP_DATABASE) private readonly db: PluginDatabase) {}

  /** Creates the rows that {@link take} counts in; outside its transaction, which only updates them. */
  async prepare(shares: readonly Share[]): Promise<void> {
    for (const { name, day } of shares) {
      const [row] = await this.db.query('SELECT id FROM {share} WHERE name = ?', [name]);
      if (row) continue;
      // A concurrent insert by another request is fine: the row exists then.
      await this.db.run('INSERT INTO {share} (name, day) VALUES (?, ?)', [name, day ?? '']).catch(async (error: unknown) => {
        if ((await this.db.query('SELECT id FROM {share} WHERE name = ?', [name])).length === 0) throw error;
      });
    }
  }

  /** Takes one of the plan's stock and of each quota, all or nothing within the transaction. @throws NoneLeft */
  async take(plan: Plan, shares: readonly Share[]): Promise<void> {
    const { affected } = await this.db.run(
      'UPDATE {plan} SET taken = taken + 1 WHERE id = ? AND active = 1 AND (stock IS NULL OR taken < stock)',
      [plan.id],
    );
    if (affected !== 1) throw new NoneLeft('sold_out');
    for (const { name, max, key } of shares) {
      const taken = await this.db.run('UPDATE {share} SET used = used + 1 WHERE name = ? AND used < ?', [name, max]);
      if (taken.affected !== 1) throw new NoneLeft(key);
    }
  }

  /** Releases what {@link take} took. */
  async release(planId: number, names: readonly string[]): Promise<void> {
    await this.db.run('UPDATE {plan} SET taken = taken - 1 WHERE id = ? AND taken > 0', [planId]);
    for (const name of names) await this.db.run('UPDATE {share} SET used = used - 1 WHERE name = ? AND used > 0', [name]);
  }

  /** Takes one of each even if exhausted, because it was paid. @returns whether the stock is exceeded */
  async takePaid(planId: number, names: readonly string[]): Promise<boolean> {
    await this.db.run('UPDATE {plan} SET taken = taken + 1 WHERE id = ?', [planId]);
    for (const name of names) await this.db.run('UPDATE {share} SET used = used + 1 WHERE name = ?', [name]);
    const [plan] = await this.db.query<{ past: number }>(
      'SELECT CASE WHEN stock IS NOT NULL AND taken > stock THEN 1 ELSE 0 END AS past FROM {plan} WHERE id = ?',
      [planId],
    );
    return Number(plan?.past ?? 0) === 1;
  }

  /** Returns how much of a quota is used. */
  async used(name: string): Promise<number> {
    const [row] = await this.db.query<{ used: number }>('SELECT used FROM {share} WHERE name = ?', [name]);
    return Number(row?.used ?? 0);
  }

  /** Deletes quotas of earlier days. */
  async forgetDays(before: string): Promise<void> {
    await this.db.run("DELETE FROM {share} WHERE day <> '' AND day < ?", [before]);
  }
}

/** Name of a customer's quota of a plan; null if the customer is unknown. */
export function planShare(
  planId: number,
  { customerId, email }: { readonly customerId: number | null; readonly email: string },
): string | null {
  if (customerId === null && email === '') return null;
  return `plan:${planId}:${customerId === null ? `e:${email}` : `c:${Number(customerId)}`}`;
}

/** Returns the quotas that a host releases when it ends: trials and daily quotas stay used. */
export function namesIn(text: string | null): string[] {
  return text === null ? [] : (JSON.parse(text) as string[]).filter((name) => name.startsWith('plan:'));
}
