/**
 * Quota of a hosting account; 0 means unlimited, but for monitors and backups.
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
  /** Domains that may be bound. */
  domains?: number;
  /**
   * Monitors the account may have, 0 to 1000; 0 means none, null as many as the settings of the installation say. Those there are stay when
   * it gets lower, and no new ones are made until there are fewer.
   */
  monitors?: number | null;
  /**
   * Backups of its site the account may have, 0 to 100; 0 means none, null as many as the settings of the installation say. Those
   * there are stay when it gets lower.
   */
  backups?: number | null;
}

/**
 * What `svc.hosts.provision` takes.
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
  /** Login: 6 to 32 of `a-z 0-9 _ -`, starting with a letter or digit; unique ignoring case. */
  user: string;
  /** 6 to 64 characters. */
  password: string;
  /** Last day, `YYYY-MM-DD`; null never expires. */
  expiresOn: string | null;
  /** Days its site goes on after the last one before it is paused, 0 to 27; null and left out: as the settings of the installation say. */
  graceDays?: number | null;
  /**
   * Days it is kept after that pause before it is deleted into the recycle bin, 3 to 3650; 0: it never is; null and left out: as the
   * settings of the installation say. Its owner is told at least three days before.
   */
  keepDays?: number | null;
  /** Same key twice gives the same account and no second event. At most 128 characters. */
  idempotencyKey?: string;
  /** Owner among `SVC_plugin_user`, if there is one. */
  ownerId?: number;
  /** Mail address notices for the owner go to, at most 254 characters; left out: those of his account, if any. */
  email?: string;
  /** Key of the package it is sold as: {@link PackageOffer.package}. Left out: of none. */
  package?: string;
}

/**
 * A hosting account as plugins see it; never with its password.
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
  /** Why it is paused; empty while it runs. */
  pauseReasons: string[];
  /** Its web site was stopped by itself; a pause that ends leaves it so. */
  siteStopped: boolean;
  expiresOn: string | null;
  /** Days its site goes on after {@link expiresOn} before it is paused. */
  graceDays: number;
  /** Last day on which no job pauses it, its time over or not, as an administrator said; null: none. */
  holdUntil: string | null;
  /** Owner among `SVC_plugin_user`; null: none. */
  ownerId: number | null;
  /** Address of its site. */
  url: string;
  webMb: number;
  databaseMb: number;
  trafficGb: number;
  domains: number;
  /** Monitors it may have; null: as many as the settings of the installation say. */
  monitors: number | null;
  /** Backups of its site it may have; null: as many as the settings of the installation say. */
  backups: number | null;
  /** Key of the package it is of; null: of none, it was opened by hand, taken over or is a shop's that knows no packages. */
  package: string | null;
  createdAt: string;
}

/**
 * What `svc.hosts.paid` takes.
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
  /** What of it is for the time of the host, in minor units (fen): without what is paid once, such as a set-up fee. */
  amount: number;
  /** How long it was bought for, 1 to 120. */
  months: number;
}

/**
 * Which hosts.
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
  /** Last day `YYYY-MM-DD` or before. */
  expiresUntil?: string;
  /** From 1; 1 where nothing is given. */
  page?: number;
  /** 1 to 200; 50 where nothing is given. */
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
  /** Whether hosts are opened on it. */
  open: boolean;
  /** Hosts it has. */
  hosts: number;
  /** Hosts it takes at most; 0: any number. */
  capacity: number;
  /** PHP version of new sites; empty where nothing is set. */
  php: string;
  /** Since when it does not answer; null: it does. */
  awaySince: string | null;
}

/**
 * Hosting accounts. Every change fires its hook. The class is also the token a Nest module injects it by.
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
   * Opens an account, and makes its site on the server.
   *
   * @throws Error with `code` such as `ACCOUNT_EXISTS`, `NODE_NOT_FOUND`, `INVALID_INPUT`, and a message that says it in words.
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
   * Reasons stack; a second pause for the same reason does nothing.
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
   * Lifts only the given reason (`plugin` where nothing is given).
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
   * `expiresOn` is `YYYY-MM-DD`, null for never.
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
   * Deletes the account. Servers that have a recycle bin keep the site there for a while, so that an administrator can put it back as a
   * new account.
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
   * The account by its id or its login; null where there is none.
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
   * Accounts by their ids, 10,000 at most, the oldest first; those there are not, and those being deleted, are left out.
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
   * Hosts by what is known of them, newest first, and how many there are on all pages; those being deleted, and those whose creation
   * failed, are left out of both.
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
   * Every server, closed ones too, by code.
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
   * An address that signs whoever opens it in as the owner of a host: once, within a minute. Needs `host_passwords` among the `permissions`
   * of plugin.json; give it to nobody but the owner.
   *
   * @throws Error with `code`, such as `ACCOUNT_NOT_FOUND`, `PERMISSION_MISSING`, and a message that says it in words
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
   * The account this plugin opened with an idempotency key, also while its site is still being made; null where there is none, such as
   * after a creation that failed. For a plugin that was stopped in between and does not know what came of its call.
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
   * Sets another password: of the sign-in, and of FTP on its server. Every session of the account ends. Needs `host_passwords` among the
   * `permissions` of plugin.json.
   *
   * @param password 6 to 64 characters
   * @throws Error with `code`, such as `ACCOUNT_NOT_FOUND`, `INVALID_INPUT`, `PERMISSION_MISSING`, and a message that says it in words
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
   * Nodes accounts can be opened on; limits in `unenforced` are kept there and have no effect.
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
   * Groups of servers accounts can be opened on, by name: `code`, such as `auto:web`, goes where the code of a node does, and the panel
   * chooses one of `servers` (codes of nodes). Limits in `unenforced` have no effect on at least one of them. Where none has room,
   * `provision` throws with the `code` `GROUP_FULL` or `GROUP_AWAY`.
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
   * Writes down what was paid for the time of a host that was opened by an order, from today to its last day: that much counts when it
   * changes to another package. The same order again changes nothing, nor does one that is not paid.
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
   * Changes the limits that are named; the others stay.
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
   * Domains that are bound to a host, in the order they were; `folder` is empty for all of its site.
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
   * Binds a domain to a host, with every check its owner's own binding has, or sets the folder of one that is bound. The server
   * is asked: not in a transaction.
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
