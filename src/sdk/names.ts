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
  /** Code of the server that names resolve to. */
  readonly node: string;
  /** Price in minor units (fen) for {@link months}; 0: names are free. */
  readonly price: number;
  /** Length of one period in months; 0: names never expire. */
  readonly months: number;
  readonly onSale: boolean;
  readonly description: string;
  /**
   * How names resolve. `pan`: a wildcard record, set by the administrator, points to the server; `dnsapi`: each name gets a record at a DNS
   * provider.
   */
  readonly channel: 'pan' | 'dnsapi';
  /** Id of the DNS provider; 0: none. */
  readonly provider: number;
  /** Maximum number of names per customer; 0: unlimited. */
  readonly perCustomer: number;
  /** Prefixes that are not available, separated by spaces. */
  readonly reserved: string;
  /** Days a name keeps working after its last day. */
  readonly graceDays: number;
  /** Days a released name stays unavailable. */
  readonly restDays: number;
  readonly createdAt: string;
}

/**
 * Settings of a zone. Omitted ones get their defaults in a new zone, and stay unchanged in an existing one.
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
 * A name that is owned or reserved.
 *
 * @example
 * ```ts
 * const unseen = (names: NameRecord[]): NameRecord[] => names.filter((name) => name.state === 'sold' && !name.bound);
 * ```
 * @since 1.84.0
 */
export interface NameRecord {
  readonly id: number;
  /** The full name, in lower case and punycode. */
  readonly name: string;
  readonly prefix: string;
  readonly zone: number;
  readonly domain: string;
  /** `held` for an unpaid order, `sold`, or `resting` after it was released. */
  readonly state: 'held' | 'sold' | 'resting';
  /** Whether it is bound to its host. */
  readonly bound: boolean;
  /** Folder of the host it shows; empty: the whole site. */
  readonly folder: string;
  /** Id of the host it is meant for; null: none. */
  readonly host: number | null;
  /** User name of that host; empty: none. */
  readonly user: string;
  /** The customer who keeps it when the host is deleted; null: none. */
  readonly customer: number | null;
  /** Number of the order it is held for or was bought with; null: none. */
  readonly order: string | null;
  /** Its last day, `YYYY-MM-DD`; null: never expires. */
  readonly expiresOn: string | null;
  /** The day it is withdrawn from its owner, after the grace period; null: never. */
  readonly endsOn: string | null;
  /** State of its record at the DNS provider; empty: no record needed. */
  readonly dns: '' | 'waiting' | 'done' | 'failed';
}

/**
 * A request for a name.
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
  /** As typed, in any script. */
  readonly prefix: string;
  /** Id of the host it should show. */
  readonly host: number | null;
  /** Folder below the web root; the whole site by default. */
  readonly folder?: string;
}

/**
 * The result of looking up a name.
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
  /** The prefix as it is stored. */
  readonly prefix: string;
  /** `resting`: it was released recently; `reserved`: it is not available to anyone. */
  readonly standing: 'free' | 'own' | 'taken' | 'resting' | 'reserved';
}

/**
 * Second-level names below domains of the reseller. The plugin is responsible for prices and payment; the panel for ownership, hosts, DNS
 * and expiry. Needs `names` in the `permissions` of plugin.json. A refused call throws an Error with `code` (such as `TAKEN`, `RESERVED`,
 * `LIMIT`, `NO_HOST`), the `field` it is about, and a `message` for people in the language of the request. The class is also the injection
 * token for Nest modules.
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
   * Declares that the plugin sells and renews names, and at which path: `/buy` (`?zone=`), `/renew/{id}` and the list of zones itself are
   * below it. From then on zones may have a price and names may expire.
   *
   * @throws Error for an invalid path
   * @example
   * ```ts
   * svc.names.serve('/mynames'); // the panel links /mynames, /mynames/buy and /mynames/renew/{id}
   * svc.svc_register_route('GET', '/mynames', async () => ({ zones: (await svc.names.zones()).filter(({ onSale }) => onSale) }));
   * ```
   * @since 1.84.0
   */
  abstract serve(path: string): Undo;
  /**
   * Returns every zone, oldest first.
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
   * Adds a zone. Returns its id.
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
   * Changes the terms for future sales of names.
   *
   * @example
   * ```ts
   * await svc.names.changeZone(3, { price: 1_290, reserved: 'www mail admin' });
   * ```
   * @since 1.84.0
   */
  abstract changeZone(id: number, terms: NameZoneTerms): Promise<void>;
  /**
   * Removes unused zones; `used` lists those that still have names.
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
   * Returns whether a name is available, in general or for a host.
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
   * Reserves a name for an unpaid order, in the plugin's transaction if one is open. Nobody else can get it until {@link sell} or
   * {@link drop}.
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
   * Assigns a name of a zone without a price.
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
   * Assigns a name to the buyer of a paid order for `months` (0: it never expires). Repeating the call changes nothing. A name whose order
   * was closed in the meantime is reserved again if nobody else has it; otherwise this throws, and the money must be refunded.
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
   * Releases what was reserved for an abandoned order.
   *
   * @example
   * ```ts
   * svc.svc_add_action('order.closed', ({ ddh }) => svc.names.drop(ddh), 10, { id: 'drop' });
   * ```
   * @since 1.84.0
   */
  abstract drop(order: string): Promise<void>;
  /**
   * Returns the last day after a renewal; throws if it would be more than ten years from now, and for a name that never expires.
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
   * Extends the last day by months. Call it in the transaction in which the plugin records the order as delivered, so that it happens only
   * once.
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
   * Points a name at a host of its owner. Calls the server, so do not use it in a transaction.
   *
   * @example
   * ```ts
   * await svc.names.show(12, 7, 'shop'); // the folder `shop` of the host; null: none shows it
   * ```
   * @since 1.84.0
   */
  abstract show(id: number, host: number | null, folder?: string): Promise<void>;
  /**
   * Changes the prefix of a name; the previous name becomes `resting`. Call {@link show} next.
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
   * Releases a name: it stops showing anything immediately.
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
   * Returns a name by id or full name, including held and resting ones; null if not found.
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
   * Returns the names of a host, or of a customer and their hosts, at most 500.
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
   * Returns sold names whose last day is `day` or earlier, earliest first; at most 200 per page, starting at 1.
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
