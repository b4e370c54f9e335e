import type { Undo } from './registration.js';

/**
 * A domain below which names are sold.
 *
 * @example
 * ```ts
 * const cheap = (zones: NameZone[]): NameZone[] => zones.filter((zone) => zone.onSale && zone.price < 1_000);
 * ```
 * @since 1.84.0
 */
export interface NameZone {
  readonly id: number;
  /** In lower case and punycode. */
  readonly domain: string;
  /** Code of the server names lead to. */
  readonly node: string;
  /** Minor units (fen) for {@link months}; 0: names are given away. */
  readonly price: number;
  /** How long a name is had for at a time; 0: without a last day. */
  readonly months: number;
  readonly onSale: boolean;
  readonly description: string;
  /** `pan`: a wildcard record somebody has set leads to the server; `dnsapi`: each name is entered at a DNS provider. */
  readonly channel: 'pan' | 'dnsapi';
  /** The DNS provider; 0: none. */
  readonly provider: number;
  /** Names one customer may have; 0: any number. */
  readonly perCustomer: number;
  /** Prefixes nobody gets, with spaces between them. */
  readonly reserved: string;
  /** Days a name goes on after its last one. */
  readonly graceDays: number;
  /** Days nobody gets a name that was given up. */
  readonly restDays: number;
  readonly createdAt: string;
}

/**
 * What is said of a zone; what is left out is usual, or stays.
 *
 * @example
 * ```ts
 * const terms: NameZoneTerms = { price: 990, months: 12, description: 'For your shop' };
 * await svc.names.changeZone(3, terms);
 * ```
 * @since 1.84.0
 */
export type NameZoneTerms = Partial<Omit<NameZone, 'id' | 'domain' | 'node' | 'createdAt'>>;

/**
 * A name somebody has, or is about to.
 *
 * @example
 * ```ts
 * const unseen = (names: NameRecord[]): NameRecord[] => names.filter((name) => name.state === 'sold' && !name.bound);
 * ```
 * @since 1.84.0
 */
export interface NameRecord {
  readonly id: number;
  /** The whole name, in lower case and punycode. */
  readonly name: string;
  readonly prefix: string;
  readonly zone: number;
  readonly domain: string;
  /** `held` for an order that is not paid, `sold`, or `resting` after it was given up. */
  readonly state: 'held' | 'sold' | 'resting';
  /** Whether its host shows it. */
  readonly bound: boolean;
  /** Folder of the host it shows; empty: all of it. */
  readonly folder: string;
  /** The host it is meant for; null: none. */
  readonly host: number | null;
  /** Name of that host; empty: none. */
  readonly user: string;
  /** The customer who keeps it when the host goes; null: none. */
  readonly customer: number | null;
  /** Number of the order it is held for, or was bought with; null: none. */
  readonly order: string | null;
  /** Its last day, `YYYY-MM-DD`; null: none. */
  readonly expiresOn: string | null;
  /** The day it is taken from its owner, after its grace; null: never. */
  readonly endsOn: string | null;
  /** How it stands at its DNS provider; empty: it needs none. */
  readonly dns: '' | 'waiting' | 'done' | 'failed';
}

/**
 * A name somebody wants.
 *
 * @example
 * ```ts
 * const wanted: NameWish = { zone: 3, prefix: 'shop', host: 7 };
 * await svc.names.give(wanted);
 * ```
 * @since 1.84.0
 */
export interface NameWish {
  readonly zone: number;
  /** As it was typed, in any script. */
  readonly prefix: string;
  /** The host it is to show. */
  readonly host: number | null;
  /** Folder of its web root; all of it where nothing is given. */
  readonly folder?: string;
}

/**
 * What there is to say of a name somebody looks for.
 *
 * @example
 * ```ts
 * const found: FoundNameRecord = await svc.names.look(3, 'shop');
 * if (found.standing === 'free') svc.log.info('to be had', { name: found.name });
 * ```
 * @since 1.84.0
 */
export interface FoundNameRecord {
  readonly name: string;
  /** As it is kept. */
  readonly prefix: string;
  /** `resting`: it was given up a short while ago; `reserved`: nobody gets it. */
  readonly standing: 'free' | 'own' | 'taken' | 'resting' | 'reserved';
}

/**
 * Second-level names below domains of the reseller. What one costs, and that it is paid, is the plugin's business; whose it is, its host,
 * its DNS and its end are the panel's. Needs `names` among the `permissions` of plugin.json. What is refused throws an Error with `code`
 * (such as `TAKEN`, `RESERVED`, `LIMIT`, `NO_HOST`), the `field` it is about, and a `message` for people in the language of the request.
 * The class is also the token a Nest module injects it by.
 *
 * @example
 * ```ts
 * svc.names.serve('/coupon-names');
 * const wish: NameWish = { zone: 3, prefix: 'shop', host: 7 };
 * const order = await svc.db.transaction(async () => {
 *   const made = await svc.orders.create({ user: 'alice01', scene: 'ymgm', name: 'shop.example.com', amount: 990 });
 *   await svc.names.hold(wish, made.ddh);
 *   return made;
 * });
 * svc.svc_add_action('order.closed', ({ ddh }) => svc.names.drop(ddh), 10, { id: 'drop' });
 * svc.svc_add_action('order.paid', async ({ ddh }) => {
 *   const { id } = await svc.names.sell(wish, ddh, 12);
 *   await svc.names.show(id, wish.host);
 * }, 10, { id: 'sell' });
 * svc.log.info('pay here', { url: order.pay_url });
 * ```
 * @since 1.84.0
 */
export abstract class NamesService {
  /**
   * Says that the plugin sells names and renews them, and where: `/buy` (`?zone=`), `/renew/{id}` and the list of zones itself are below
   * the path. From then on zones may have a price and last days.
   *
   * @throws Error for what is no such path
   * @example
   * ```ts
   * svc.names.serve('/mynames'); // the panel links /mynames, /mynames/buy and /mynames/renew/{id}
   * svc.svc_register_route('GET', '/mynames', async () => ({ zones: (await svc.names.zones()).filter(({ onSale }) => onSale) }));
   * ```
   * @since 1.84.0
   */
  abstract serve(path: string): Undo;
  /**
   * Every zone, the oldest first.
   *
   * @example
   * ```ts
   * svc.svc_add_action('order.products', async (products) => [
   *   ...products,
   *   ...(await svc.names.zones()).map(({ id, domain }) => ({ id: `mynames:${id}`, name: `*.${domain}` })),
   * ]);
   * ```
   * @since 1.84.0
   */
  abstract zones(): Promise<NameZone[]>;
  /**
   * Adds a zone. Answers its id.
   *
   * @example
   * ```ts
   * svc.names.serve('/mynames'); // only then may a zone have a price
   * const zone = await svc.names.addZone('example.com', 'local', { price: 990, months: 12, perCustomer: 3 });
   * svc.log.info('names are sold below it', { zone });
   * ```
   * @since 1.84.0
   */
  abstract addZone(domain: string, node: string, terms?: NameZoneTerms): Promise<number>;
  /**
   * Changes what names are sold for from now on.
   *
   * @example
   * ```ts
   * await svc.names.changeZone(3, { price: 1_290, reserved: 'www mail admin' });
   * ```
   * @since 1.84.0
   */
  abstract changeZone(id: number, terms: NameZoneTerms): Promise<void>;
  /**
   * Removes zones nobody has a name of; `used` are those somebody has.
   *
   * @example
   * ```ts
   * const { removed, used } = await svc.names.removeZones([3, 4]);
   * if (used.length > 0) svc.log.info('somebody has a name there', { removed, used });
   * ```
   * @since 1.84.0
   */
  abstract removeZones(ids: readonly number[]): Promise<{ removed: number[]; used: number[] }>;
  /**
   * Whether a name can be had: by anybody, or by a host.
   *
   * @example
   * ```ts
   * const { name, standing } = await svc.names.look(3, 'shop', 7);
   * if (standing === 'own') svc.log.info('this host has it', { name });
   * ```
   * @since 1.84.0
   */
  abstract look(zone: number, prefix: string, host?: number | null): Promise<FoundNameRecord>;
  /**
   * Holds a name for an unpaid order, in the plugin's transaction where one is open: nobody else gets it
   * until {@link sell} or {@link drop}.
   *
   * @example
   * ```ts
   * const order = await svc.db.transaction(async () => {
   *   const made = await svc.orders.create({ user: 'alice01', scene: 'ymgm', name: 'shop.example.com', amount: 990 });
   *   await svc.names.hold({ zone: 3, prefix: 'shop', host: 7 }, made.ddh); // throws where somebody was first
   *   return made;
   * });
   * ```
   * @since 1.84.0
   */
  abstract hold(wish: NameWish, order: string): Promise<NameRecord>;
  /**
   * Gives away a name of a zone without a price.
   *
   * @example
   * ```ts
   * const { id, host } = await svc.names.give({ zone: 3, prefix: 'shop', host: 7 });
   * await svc.names.show(id, host);
   * ```
   * @since 1.84.0
   */
  abstract give(wish: NameWish): Promise<NameRecord>;
  /**
   * The order is paid: the name is its buyer's for `months` (0: without a last day). Telling it again changes nothing. One whose order was
   * closed meanwhile is taken again if nobody else has it; else it throws, and the money has to be given back.
   *
   * @example
   * ```ts
   * svc.svc_add_action('order.paid', async ({ ddh, scene }) => {
   *   if (scene !== 'ymgm') return;
   *   const { id, host } = await svc.names.sell({ zone: 3, prefix: 'shop', host: 7 }, ddh, 12);
   *   await svc.names.show(id, host);
   * }, 10, { id: 'sell' });
   * ```
   * @since 1.84.0
   */
  abstract sell(wish: NameWish, order: string, months: number): Promise<NameRecord>;
  /**
   * The order was given up: what it held is free.
   *
   * @example
   * ```ts
   * svc.svc_add_action('order.closed', ({ ddh }) => svc.names.drop(ddh), 10, { id: 'drop' });
   * ```
   * @since 1.84.0
   */
  abstract drop(order: string): Promise<void>;
  /**
   * The last day a renewal would lead to; throws where it would be more than ten years from now, and for a name without one.
   *
   * @example
   * ```ts
   * const name = await svc.names.get('shop.example.com');
   * if (name?.expiresOn) svc.log.debug('would end', { now: name.expiresOn, then: await svc.names.renewedEnd(name.id, 12) });
   * ```
   * @since 1.84.0
   */
  abstract renewedEnd(id: number, months: number): Promise<string>;
  /**
   * Moves the last day by months. Call it in the transaction in which the plugin notes that this order is delivered: then it is done once.
   *
   * @example
   * ```ts
   * await svc.db.transaction(async () => {
   *   const { affected } = await svc.db.run('UPDATE {sale} SET delivered = 1 WHERE order_no = ? AND delivered = 0', ['20270131-1']);
   *   if (affected === 1) await svc.names.renew(12, 12);
   * });
   * ```
   * @since 1.84.0
   */
  abstract renew(id: number, months: number): Promise<NameRecord>;
  /**
   * Shows a host of its owner under a name. The server is asked: not in a transaction.
   *
   * @example
   * ```ts
   * await svc.names.show(12, 7, 'shop'); // the folder `shop` of the host; null: none shows it
   * ```
   * @since 1.84.0
   */
  abstract show(id: number, host: number | null, folder?: string): Promise<void>;
  /**
   * Changes what stands before the zone; the present name rests. {@link show} comes next.
   *
   * @example
   * ```ts
   * const { name, host, folder } = await svc.names.rename(12, 'store');
   * await svc.names.show(12, host, folder);
   * svc.log.info('it is another name now', { name });
   * ```
   * @since 1.84.0
   */
  abstract rename(id: number, prefix: string): Promise<NameRecord>;
  /**
   * Gives a name up: it shows nothing from now on.
   *
   * @example
   * ```ts
   * const name = await svc.names.get('shop.example.com');
   * if (name?.state === 'sold') await svc.names.release(name.id);
   * ```
   * @since 1.84.0
   */
  abstract release(id: number): Promise<void>;
  /**
   * A name by its id or whole name, one that is held or rests too; null where there is none.
   *
   * @example
   * ```ts
   * const name = await svc.names.get('shop.example.com');
   * if (name?.state === 'sold' && name.dns === 'failed') svc.log.warn('not entered at its provider', { name: name.name });
   * ```
   * @since 1.84.0
   */
  abstract get(idOrName: number | string): Promise<NameRecord | null>;
  /**
   * Names of a host, or of a customer and his hosts, at most 500.
   *
   * @example
   * ```ts
   * const names = await svc.names.of({ host: 7 });
   * svc.log.debug('shown', { names: names.filter(({ bound }) => bound).map(({ name }) => name) });
   * ```
   * @since 1.84.0
   */
  abstract of(owner: { readonly host: number } | { readonly customer: number }): Promise<NameRecord[]>;
  /**
   * Sold names whose last day is at most `day`, the next first; pages of at most 200 from 1.
   *
   * @example
   * ```ts
   * const { total, names } = await svc.names.due('2027-01-31', 1, 50);
   * for (const { name, expiresOn } of names) svc.log.info('ends soon', { name, expiresOn, of: total });
   * ```
   * @since 1.84.0
   */
  abstract due(day: string, page?: number, limit?: number): Promise<{ total: number; names: NameRecord[] }>;
}
