/**
 * Quota of a hosting account; 0 means unlimited, except for monitors and backups.
 *
 * @example
 * ```ts
 * const small: HostQuota = { webMb: 512, databaseMb: 100, domains: 2 };
 * await svc.hosts.setQuota(7, small);
 * ```
 * @since 1.84.0
 */
export interface HostQuota {
  /** Web space in MB. */
  webMb?: number;
  /** Database space in MB. */
  databaseMb?: number;
  /** Traffic in GB per month. */
  trafficGb?: number;
  /** Maximum number of bound domains. */
  domains?: number;
  /**
   * Maximum number of monitors, 0 to 1000; 0 means none, null applies the limit from the installation's settings. Lowering it keeps
   * existing monitors, and no new ones can be created while the account is at or above the limit.
   */
  monitors?: number | null;
  /**
   * Maximum number of backups of the account's site, 0 to 100; 0 means none, null applies the limit from the installation's settings.
   * Lowering it keeps existing backups.
   */
  backups?: number | null;
}

/**
 * The input of `svc.hosts.provision`.
 *
 * @example
 * ```ts
 * const account = { node: 'local', user: 'alice01', password: 'a long password', expiresOn: null };
 * const request: ProvisionRequest = { ...account, idempotencyKey: 'coupons:7' };
 * await svc.hosts.provision(request);
 * ```
 * @since 1.84.0
 */
export interface ProvisionRequest extends HostQuota {
  /** Code of the node, as in `SVC_bt.btdh`. */
  node: string;
  /** Login name: 6 to 32 of `a-z 0-9 _ -`, starting with a letter or digit; unique ignoring case. */
  user: string;
  /** 6 to 64 characters. */
  password: string;
  /** Last day, `YYYY-MM-DD`; null: never expires. */
  expiresOn: string | null;
  /** Days the site stays up after its last day before it is paused, 0 to 27; null or omitted: as in the settings of the installation. */
  graceDays?: number | null;
  /**
   * Days the account is kept after that pause before it is moved to the recycle bin, 3 to 3650; 0: never; null or omitted: as in the
   * settings of the installation. The owner is notified at least three days before.
   */
  keepDays?: number | null;
  /** Repeating a key returns the same account and fires no second event. At most 128 characters. */
  idempotencyKey?: string;
  /** Owner in `SVC_plugin_user`, if any. */
  ownerId?: number;
  /** Email address for notices to the owner, at most 254 characters; if omitted, the address of their account, if any. */
  email?: string;
  /** Key of the package it is sold as: {@link PackageOffer.package}. No package if omitted. */
  package?: string;
}

/**
 * A hosting account as plugins see it; never contains the password.
 *
 * @example
 * ```ts
 * const host: HostRecord | null = await svc.hosts.get('alice01');
 * if (host?.status === 'paused') svc.log.info('paused', { reasons: host.pauseReasons });
 * ```
 * @since 1.84.0
 */
export interface HostRecord {
  id: number;
  user: string;
  node: string;
  status: 'active' | 'paused' | 'provisioning' | 'failed';
  /** Why it is paused; empty while it is active. */
  pauseReasons: string[];
  /** Whether the web site itself was stopped, apart from any pause; ending a pause leaves it stopped. */
  siteStopped: boolean;
  expiresOn: string | null;
  /** Days the site stays up after {@link expiresOn} before it is paused. */
  graceDays: number;
  /** Last day of a hold set by an administrator: until then no job pauses the account even if it has expired; null: no hold. */
  holdUntil: string | null;
  /** Owner in `SVC_plugin_user`; null: none. */
  ownerId: number | null;
  /** URL of its site. */
  url: string;
  webMb: number;
  databaseMb: number;
  trafficGb: number;
  domains: number;
  /** Maximum number of monitors; null: as in the settings of the installation. */
  monitors: number | null;
  /** Maximum number of site backups; null: as in the settings of the installation. */
  backups: number | null;
  /** Key of its package; null if it has none: it was created by hand, imported, or belongs to a shop without packages. */
  package: string | null;
  createdAt: string;
}

/**
 * The input of `svc.hosts.paid`.
 *
 * @example
 * ```ts
 * const payment: HostPaid = { order: '20270131-1', amount: 9_900, months: 12 };
 * await svc.hosts.paid(7, payment);
 * ```
 * @since 1.84.0
 */
export interface HostPaid {
  /** Number of the order. */
  order: string;
  /** The part paid for the host's period, in minor units (fen): without one-time charges such as a set-up fee. */
  amount: number;
  /** Months it was bought for, 1 to 120. */
  months: number;
}

/**
 * Filters and paging for hosts.
 *
 * @example
 * ```ts
 * const query: HostsQuery = { node: 'local', status: 'paused', page: 1, limit: 50 };
 * const { total, hosts } = await svc.hosts.find(query);
 * svc.log.info('paused', { total, first: hosts[0]?.user });
 * ```
 * @since 1.84.0
 */
export interface HostsQuery {
  /** Part of a user name or site name. */
  text?: string;
  /** Code of a node. */
  node?: string;
  status?: 'active' | 'paused' | 'provisioning';
  /** Only those of this customer. */
  ownerId?: number;
  /** Last day on or before this date, `YYYY-MM-DD`. */
  expiresUntil?: string;
  /** Page number, starting at 1; 1 by default. */
  page?: number;
  /** Page size, 1 to 200; 50 by default. */
  limit?: number;
}

/**
 * A server of the panel, without its keys.
 *
 * @example
 * ```ts
 * const away: ServerRecord[] = (await svc.hosts.servers()).filter(({ awaySince }) => awaySince !== null);
 * svc.log.info('away', { codes: away.map(({ code }) => code) });
 * ```
 * @since 1.84.0
 */
export interface ServerRecord {
  code: string;
  name: string;
  /** `embedded`, `agent`, `baota`, or `<slug>:<kind>` of a plugin. */
  kind: string;
  /** Whether new hosts may be created on it. */
  open: boolean;
  /** Number of hosts on it. */
  hosts: number;
  /** Maximum number of hosts; 0: unlimited. */
  capacity: number;
  /** PHP version of new sites; empty if not set. */
  php: string;
  /** Since when the server has been unreachable; null: it responds. */
  awaySince: string | null;
}

/**
 * Hosting accounts. Every change fires its hook. The class is also the injection token for Nest modules.
 *
 * @example
 * ```ts
 * const account = { node: 'local', user: 'alice01', password: 'a long password', expiresOn: '2027-01-31' };
 * const host = await svc.hosts.provision({ ...account, webMb: 1_024 });
 * await svc.hosts.pause(host.id, 'abuse');
 * await svc.hosts.unpause(host.id, 'abuse');
 * ```
 * @since 1.84.0
 */
export abstract class HostsService {
  /**
   * Creates an account and its site on the server.
   *
   * @throws Error with `code` such as `ACCOUNT_EXISTS`, `NODE_NOT_FOUND`, `INVALID_INPUT`, and a readable message
   * @example
   * ```ts
   * const account = { node: 'local', user: 'alice01', password: 'a long password', expiresOn: '2027-01-31' };
   * const host = await svc.hosts.provision({ ...account, webMb: 1_024, idempotencyKey: 'coupons:12' });
   * svc.log.info('opened', { host: host.id, url: host.url });
   * ```
   * @since 1.84.0
   */
  abstract provision(request: ProvisionRequest): Promise<HostRecord>;
  /**
   * Pauses an account. Reasons accumulate; a second pause for the same reason does nothing.
   *
   * @example
   * ```ts
   * const host = await svc.hosts.pause(7, 'coupon_expired');
   * svc.log.info('paused', { reasons: host.pauseReasons });
   * ```
   * @since 1.84.0
   */
  abstract pause(id: number, reason?: string): Promise<HostRecord>;
  /**
   * Removes only the given pause reason (`plugin` by default).
   *
   * @example
   * ```ts
   * const { status, pauseReasons } = await svc.hosts.unpause(7, 'coupon_expired');
   * if (status === 'paused') svc.log.info('others still keep it paused', { pauseReasons });
   * ```
   * @since 1.84.0
   */
  abstract unpause(id: number, reason?: string): Promise<HostRecord>;
  /**
   * Sets the expiry date: `expiresOn` is `YYYY-MM-DD`, null for never.
   *
   * @example
   * ```ts
   * const host = await svc.hosts.renew(7, '2028-01-31');
   * svc.log.info('it runs to the end of this day', { user: host.user, day: host.expiresOn });
   * ```
   * @since 1.84.0
   */
  abstract renew(id: number, expiresOn: string | null): Promise<HostRecord>;
  /**
   * Deletes the account. Servers with a recycle bin keep the site there for a while, so that an administrator can restore it as a new
   * account.
   *
   * @throws Error with `code`, such as `ACCOUNT_NOT_FOUND`
   * @example
   * ```ts
   * const host = await svc.hosts.opened('coupons:12');
   * if (host) await svc.hosts.terminate(host.id);
   * ```
   * @since 1.84.0
   */
  abstract terminate(id: number): Promise<void>;
  /**
   * Returns the account by id or login; null if not found.
   *
   * @example
   * ```ts
   * const host = await svc.hosts.get('alice01');
   * svc.log.info(host ? 'there it is' : 'there is none', { status: host?.status });
   * ```
   * @since 1.84.0
   */
  abstract get(idOrUser: number | string): Promise<HostRecord | null>;
  /**
   * Returns accounts by id, at most 10,000, oldest first; unknown ids and accounts being deleted are omitted.
   *
   * @example
   * ```ts
   * const rows = await svc.db.query<{ host_id: number }>('SELECT host_id FROM {coupon} WHERE host_id IS NOT NULL');
   * const hosts = await svc.hosts.list(rows.map(({ host_id: id }) => Number(id)));
   * svc.log.debug('taken by', { users: hosts.map(({ user }) => user) });
   * ```
   * @since 1.84.0
   */
  abstract list(ids: readonly number[]): Promise<HostRecord[]>;
  /**
   * Finds hosts by their properties, newest first, with the total number on all pages; hosts being deleted and failed creations are
   * excluded from both.
   *
   * @example
   * ```ts
   * const { total, hosts } = await svc.hosts.find({ status: 'active', expiresUntil: '2027-01-31', limit: 20 });
   * for (const { user, expiresOn } of hosts) svc.log.info('ends soon', { user, expiresOn, of: total });
   * ```
   * @since 1.84.0
   */
  abstract find(query?: HostsQuery): Promise<{ total: number; hosts: HostRecord[] }>;
  /**
   * Returns every server by code, including those closed for new hosts.
   *
   * @example
   * ```ts
   * for (const { code, hosts, capacity, awaySince } of await svc.hosts.servers())
   *   if (awaySince !== null || (capacity > 0 && hosts >= capacity)) svc.log.warn('no room', { code, awaySince });
   * ```
   * @since 1.84.0
   */
  abstract servers(): Promise<ServerRecord[]>;
  /**
   * Creates a link that signs in the person who opens it as the owner of a host: once, within a minute. Needs `host_passwords` in the
   * `permissions` of plugin.json; give it to nobody but the owner.
   *
   * @throws Error with `code`, such as `ACCOUNT_NOT_FOUND`, `PERMISSION_MISSING`, and a readable message
   * @example
   * ```ts
   * svc.svc_register_route('POST', '/p/coupons/enter', async (_params, ctx) => {
   *   const customer = await svc.customers.current(ctx);
   *   const host = customer && (await svc.customers.hostsOf(customer.id)).find(({ id }) => id === Number(ctx.body.host));
   *   return host ? { status: 303, headers: { Location: await svc.hosts.signInLink(host.id) }, body: '' } : { status: 404, body: '' };
   * });
   * ```
   * @since 1.84.0
   */
  abstract signInLink(id: number): Promise<string>;
  /**
   * Returns the account this plugin created with an idempotency key, also while its site is still being created; null if there is none,
   * such as after a failed creation. For a plugin that was interrupted and does not know the result of its call.
   *
   * @example
   * ```ts
   * const account = { node: 'local', user: 'alice01', password: 'a long password', expiresOn: null };
   * const host = (await svc.hosts.opened('coupons:12')) ?? (await svc.hosts.provision({ ...account, idempotencyKey: 'coupons:12' }));
   * ```
   * @since 1.84.0
   */
  abstract opened(idempotencyKey: string): Promise<HostRecord | null>;
  /**
   * Sets a new password for the sign-in and for FTP on its server. Ends every session of the account. Needs `host_passwords` in the
   * `permissions` of plugin.json.
   *
   * @param password 6 to 64 characters
   * @throws Error with `code`, such as `ACCOUNT_NOT_FOUND`, `INVALID_INPUT`, `PERMISSION_MISSING`, and a readable message
   * @example
   * ```ts
   * import { randomBytes } from 'node:crypto';
   *
   * const password = randomBytes(12).toString('base64url');
   * await svc.hosts.setPassword(7, password);
   * ```
   * @since 1.84.0
   */
  abstract setPassword(id: number, password: string): Promise<void>;
  /**
   * Returns the nodes that accept new accounts; limits listed in `unenforced` are stored but have no effect there.
   *
   * @example
   * ```ts
   * svc.svc_register_ajax('admin', 'p_coupons_places', async () => {
   *   const [nodes, groups] = await Promise.all([svc.hosts.nodes(), svc.hosts.groups()]);
   *   return { places: [...groups, ...nodes].map(({ code, name }) => ({ code, name })) };
   * }, 'admin', { rate: 'read' });
   * ```
   * @since 1.84.0
   */
  abstract nodes(): Promise<{ code: string; name: string; unenforced: readonly ('databaseMb' | 'trafficGb' | 'domains' | 'backups')[] }[]>;
  /**
   * Returns the groups of servers that accept new accounts, by name. Pass `code`, such as `auto:web`, in place of a node's code, and the
   * panel chooses one of `servers` (codes of nodes). Limits listed in `unenforced` have no effect on at least one of them. If no server has
   * room, `provision` throws with the `code` `GROUP_FULL` or `GROUP_AWAY`.
   *
   * @example
   * ```ts
   * for (const { code, servers, unenforced } of await svc.hosts.groups())
   *   if (unenforced.includes('trafficGb')) svc.log.info('traffic has no limit there', { code, servers });
   * ```
   * @since 1.84.0
   */
  abstract groups(): Promise<
    {
      code: string;
      name: string;
      servers: readonly string[];
      unenforced: readonly ('databaseMb' | 'trafficGb' | 'domains' | 'backups')[];
    }[]
  >;
  /**
   * Records what was paid for the period of a host that was created by an order, from today to its last day: a later change of package
   * credits this value. Repeating the same order, or passing an unpaid one, changes nothing.
   *
   * @example
   * ```ts
   * svc.svc_add_action('order.paid', async (order) => {
   *   const host = await svc.hosts.opened(`coupons:${order.ddh}`);
   *   if (host) await svc.hosts.paid(host.id, { order: order.ddh, amount: order.amount, months: 12 });
   * }, 20, { id: 'paid' });
   * ```
   * @since 1.84.0
   */
  abstract paid(id: number, payment: HostPaid): Promise<void>;
  /**
   * Changes the limits that are given; the others stay.
   *
   * @throws Error with `code`, such as `ACCOUNT_NOT_FOUND`
   * @example
   * ```ts
   * const { webMb, domains } = await svc.hosts.setQuota(7, { webMb: 2_048, domains: 5 }); // the others stay
   * svc.log.info('larger now', { webMb, domains });
   * ```
   * @since 1.84.0
   */
  abstract setQuota(id: number, quota: HostQuota): Promise<HostRecord>;
  /**
   * Returns the domains bound to a host, in the order they were bound; `folder` is empty for the whole site.
   *
   * @example
   * ```ts
   * const names = (await svc.hosts.domains(7)).filter(({ folder }) => folder === '').map(({ name }) => name);
   * svc.log.debug('show all of the site', { names });
   * ```
   * @since 1.84.0
   */
  abstract domains(id: number): Promise<{ name: string; folder: string; boundAt: string }[]>;
  /**
   * Binds a domain to a host, with the same checks as when the owner does it, or sets the folder of a bound domain. Calls the server, so do
   * not use it in a transaction.
   *
   * @throws Error with `code`, such as `TAKEN`, `LIMIT`, `PROOF`, and a message in the language of the request
   * @example
   * ```ts
   * try {
   *   await svc.hosts.bindDomain(7, 'shop.example.com', 'shop');
   * } catch (error) {
   *   svc.log.warn('not bound', { why: (error as { code?: string }).code }); // such as TAKEN
   * }
   * ```
   * @since 1.84.0
   */
  abstract bindDomain(id: number, domain: string, folder?: string): Promise<void>;
  /**
   * Removes a domain from a host.
   *
   * @throws Error with `code`, such as `NOT_BOUND`
   * @example
   * ```ts
   * for (const { name } of await svc.hosts.domains(7))
   *   if (name.endsWith('.example.com')) await svc.hosts.unbindDomain(7, name);
   * ```
   * @since 1.84.0
   */
  abstract unbindDomain(id: number, domain: string): Promise<void>;
}
