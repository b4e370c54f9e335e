import { randomBytes } from 'node:crypto';

import { In } from 'typeorm';

import { toFen } from '../../common/index.js';
import { Order, parsePayType, PaymentTransaction } from '../../payment/index.js';

import type { ImportContext, ImportPart } from './import-part.js';
import { type LegacyRow, SkippedRow } from './legacy-row.js';
import { convertRows, idOf } from './rows.js';
import { takeSoldNames } from './sold-names.js';

const SCENE = /^[a-z0-9_]{1,32}$/;
const TYPE = /^[A-Za-z0-9_-]{1,128}$/;
/** Order context fields that may contain the product name. */
const NAMES = ['name', 'plan_name', 'product_name', 'url_zy', 'domain'] as const;

/** Imports orders and payments. They trigger no delivery, because the other panel already delivered them. */
export const orders: ImportPart = {
  table: 'dd',
  needs: ['ddh', 'je', 'cs'],
  what: 'orders',
  nameOf: (row) => row.text('ddh'),
  async take(rows, context) {
    const { database, report } = context;
    const made = convertRows(orders, rows, context, (row) => orderOf(row, context));
    const repository = database.repository(Order);
    // The installation had no orders, so existing ones come from this dump.
    const seen = new Set((await repository.findBy({ number: In(made.map(({ number }) => number)) })).map(({ number }) => number));
    const fresh = made.filter(({ number }) => {
      const isNew = !seen.has(number);
      seen.add(number);
      if (!isNew) report.skip('orders', 'its number occurs twice', number);
      return isNew;
    });
    // Without reading back: TypeORM guesses the ids of inserted rows, which is wrong if the dump has gaps.
    await repository.createQueryBuilder().insert().values(fresh).updateEntity(false).execute();
    await database.repository(PaymentTransaction).insert(fresh.flatMap(paymentOf));
    report.add('orders', fresh.length);
    await takeSoldNames(fresh, context);
  },
};

function orderOf(row: LegacyRow, { accounts, zone, now }: ImportContext) {
  const number = row.short('ddh', 40).trim();
  const scene = row.text('lx').trim().toLowerCase();
  const amount = toFen(row.text('je'));
  if (number === '') throw new SkippedRow('it has no number');
  if (!SCENE.test(scene)) throw new SkippedRow('its purpose (lx) is not a name');
  if (amount === null) throw new SkippedRow('its amount (je) is not an amount of money');
  const createdAt = row.moment('date', zone, now);
  const type = row.text('zffs').trim();
  const parsed = row.json('cs');
  const context = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Record<string, string>) : {};
  const account = typeof context.user === 'string' ? accounts.get(context.user.toLowerCase()) : undefined;
  // Names are reused: an account younger than the order is not its buyer.
  const isOwner = account !== undefined && account.createdAt <= createdAt;
  const isPaid = row.text('qk') === 'true';
  return {
    id: idOf(row),
    number,
    user: textOf([context.user, context.username], 64),
    ownerKind: isOwner ? ('account' as const) : null,
    ownerId: isOwner ? account.id : null,
    name: textOf([...NAMES.map((name) => context[name]), scene], 127),
    amount,
    type: TYPE.test(type) && parsePayType(type) ? type : '',
    scene,
    status: isPaid ? ('paid' as const) : ('unpaid' as const),
    context,
    accessKey: randomBytes(24).toString('base64url'),
    ip: row.text('ip').slice(0, 64),
    createdAt,
    // The other panel did not store the payment time.
    paidAt: isPaid ? createdAt : null,
  };
}

/** Ledger entry of a paid order: the other panel stored neither the gateway's number nor the paid amount. */
function paymentOf({ id, number, type, amount, paidAt }: ReturnType<typeof orderOf>) {
  const parsed = type === '' ? false : parsePayType(type);
  if (paidAt === null || parsed === false || parsed.slug.length > 64) return [];
  return [{ orderId: id, gateway: parsed.slug, tradeNumber: number, amount, amountChecked: false, createdAt: paidAt }];
}

/** Returns the first non-empty text, truncated to the column size. */
function textOf(values: readonly unknown[], max: number): string {
  const found = values.find((value): value is string => typeof value === 'string' && value.trim() !== '') ?? '';
  return Array.from(found).slice(0, max).join('');
}
