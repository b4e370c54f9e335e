import type { Undo } from './registration.js';

/**
 * One run of something the plugin does by the clock or in the background.
 *
 * @example
 * ```ts
 * svc.svc_register_cron('sweep', '15 3 * * *', async ({ signal }) => {
 *   for (const key of ['a', 'b']) if (!signal.aborted) await svc.db.run('DELETE FROM coupons_used WHERE code = ?', [key]);
 * });
 * ```
 * @since 1.84.0
 */
export interface WorkTurn {
  /** Aborted when the run has taken too long, the plugin is switched off, or the process ends: end as soon as nothing is left half done. */
  readonly signal: AbortSignal;
}

/**
 * One attempt at a job.
 *
 * @example
 * ```ts
 * svc.svc_register_job('report', {
 *   run: async (payload, turn: JobTurn) => {
 *     for (let month = 1; month <= 12 && !turn.signal.aborted; month += 1) turn.progress(month, 12, `month ${month}`);
 *   },
 * });
 * ```
 * @since 1.84.0
 */
export interface JobTurn extends WorkTurn {
  /** Of the job; the same in every attempt. */
  readonly id: string;
  /** From 1. */
  readonly attempt: number;
  /**
   * Says how far it is; **Background** shows it within a second or two, and so does {@link JobsService.find}.
   *
   * @param done how many of `total`
   * @param total 0 where it is not known
   * @param note at most 200 characters
   * @example
   * ```ts
   * svc.svc_register_job('codes', {
   *   run: async (_payload, turn) => {
   *     for (let made = 1; made <= 500 && !turn.signal.aborted; made += 1) {
   *       await svc.db.run('INSERT INTO {coupon} (code, price) VALUES (?, ?)', [`SPRING${made}`, 990]);
   *       turn.progress(made, 500, `SPRING${made}`);
   *     }
   *   },
   * });
   * ```
   * @since 1.84.0
   */
  progress(done: number, total: number, note?: string): void;
}

/**
 * What is done with the jobs of one name. The text `job.<name>` of the plugin's `lang` files is what **Background** calls them.
 *
 * @example
 * ```ts
 * const record: JobRecord<{ month: string }> = {
 *   attempts: 3,
 *   timeoutMinutes: 20,
 *   run: ({ month }, turn) => turn.progress(1, 1, month),
 * };
 * svc.svc_register_job('report', record);
 * ```
 * @since 1.84.0
 */
export interface JobRecord<Payload = unknown> {
  /** How often one is tried at most, 1 to 100; 5 without it. */
  attempts?: number;
  /** Seconds before the second attempt, 1 to 3600; 5 without it. Each further wait is twice as long, an hour at most. */
  backoffSeconds?: number;
  /** Minutes after which an attempt has failed, 1 to 1440; 5 without it. */
  timeoutMinutes?: number;
  /** How many run at once in one process, 1 to 20; 1 without it. */
  concurrency?: number;
  /**
   * Does one. It runs at least once: a process that dies in the middle leaves its job to another one. What it returns is kept where it is
   * JSON of at most 16,000 characters; one that throws is tried again.
   */
  run: (payload: Payload, turn: JobTurn) => unknown;
}

/**
 * When a job runs, and what keeps it from being there twice.
 *
 * @example
 * ```ts
 * const tomorrow: JobOptions = { key: '2027-01', runAt: new Date(Date.now() + 86_400_000) };
 * await svc.jobs.add('report', { month: '2027-01' }, tomorrow);
 * ```
 * @since 1.84.0
 */
export interface JobOptions {
  /** At most 120 characters: while a job of the same name and key is not finished, no second one is added. */
  key?: string;
  /** Not before. */
  runAt?: Date;
}

/**
 * A job as it is now.
 *
 * @example
 * ```ts
 * const job: JobState | null = await svc.jobs.find('17');
 * if (job?.progress) svc.log.info('so far', { done: job.progress.done, of: job.progress.total });
 * ```
 * @since 1.84.0
 */
export interface JobState {
  readonly id: string;
  readonly name: string;
  /** `waiting`: for its time, its turn or the next attempt. */
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly attempts: number;
  readonly progress: { readonly done: number; readonly total: number; readonly note: string | null } | null;
  /** What the latest attempt that failed failed with. */
  readonly error: string | null;
  /** What `run` returned. */
  readonly result: unknown;
}

/**
 * Work of the plugin that is done after the answer, by whichever process has time. While the plugin is off its jobs wait. The class is also
 * the token a Nest module injects it by.
 *
 * @example
 * ```ts
 * svc.svc_register_job('greet', { run: (payload) => svc.log.info('greeted', { payload }) });
 * const id = await svc.jobs.add('greet', { name: 'Alice' });
 * svc.log.info('state', { state: (await svc.jobs.find(id))?.state });
 * ```
 * @since 1.84.0
 */
export abstract class JobsService {
  /**
   * Adds a job; in `svc.db.transaction` it is there if that commits.
   *
   * @param name one that `svc_register_job` was called with
   * @param payload JSON of at most 60,000 bytes; no secrets, it is kept as it is
   * @returns its id, or that of the unfinished one with the same key
   * @throws Error for a name that is not registered, and for a payload or an option that is not as described
   * @example
   * ```ts
   * await svc.db.transaction(async () => {
   *   await svc.db.run('UPDATE {coupon} SET month = ? WHERE month IS NULL', ['2027-01']);
   *   await svc.jobs.add('report', { month: '2027-01' }, { key: '2027-01', runAt: new Date(Date.now() + 60_000) });
   * });
   * ```
   * @since 1.84.0
   */
  abstract add(name: string, payload?: unknown, options?: JobOptions): Promise<string>;
  /**
   * A job of this plugin; null where there is none, or none any more.
   *
   * @example
   * ```ts
   * svc.svc_register_ajax('admin', 'p_coupons_report', async ({ query }) => {
   *   const job = await svc.jobs.find(query.id ?? '');
   *   return job ? { state: job.state, progress: job.progress, error: job.error } : { success: false, code: 'It is gone.' };
   * }, 'admin', { rate: 'read' });
   * ```
   * @since 1.84.0
   */
  abstract find(id: string): Promise<JobState | null>;
  /**
   * Ends a job of this plugin that waits, and tells one that runs to stop. False where it is neither.
   *
   * @example
   * ```ts
   * svc.svc_register_ajax('admin', 'p_coupons_stop', async ({ body }) => {
   *   const isEnded = await svc.jobs.cancel(body.id ?? '');
   *   return { success: isEnded, code: isEnded ? 'It ends.' : 'It has ended already.' };
   * }, 'admin', { audit: 'Stopped a report' });
   * ```
   * @since 1.84.0
   */
  abstract cancel(id: string): Promise<boolean>;
}

/**
 * A mail to one person.
 *
 * @example
 * ```ts
 * const mail: MailRequest = { to: 'alice@example.com', subject: 'Your coupon', text: 'SPRING' };
 * await svc.mail.send(mail);
 * ```
 * @since 1.84.0
 */
export interface MailRequest {
  /** One address. */
  to: string;
  /** 1 to 200 characters, one line. */
  subject: string;
  /** Plain text, 1 to 20,000 characters; addresses in it become links. */
  text: string;
  /** At most 80 characters: while a mail with the same key waits to be sent, no second one is. */
  key?: string;
}

/**
 * Mails by the server the panel sends by; needs the permission `mail`. What its owner should know of goes by {@link NoticesService}, which
 * keeps to what each receiver wants. The class is also the token a Nest module injects it by.
 *
 * @example
 * ```ts
 * if (svc.mail.isSetUp()) await svc.mail.send({ to: 'alice@example.com', subject: 'Hello', text: 'It works.' });
 * ```
 * @since 1.84.0
 */
export abstract class MailService {
  /**
   * Whether the panel has a server to send by.
   *
   * @example
   * ```ts
   * svc.svc_register_page('admin', 'mails', (ctx) => {
   *   const key = svc.mail.isSetUp() ? 'mails_go' : 'no_server';
   *   return String(html`<p>${ctx.t(key)}</p>`);
   * }, 'Mails');
   * ```
   * @since 1.84.0
   */
  abstract isSetUp(): boolean;
  /**
   * Has it sent, in the background: a server that is away is tried again, five times in all. In `svc.db.transaction` as part of it.
   *
   * @throws Error naming the field that is not as described
   * @example
   * ```ts
   * await svc.db.transaction(async () => {
   *   await svc.db.run('UPDATE {coupon} SET sent = 1 WHERE id = ?', [12]);
   *   await svc.mail.send({ to: 'alice@example.com', subject: 'Your coupon', text: 'SPRING', key: 'coupon:12' });
   * });
   * ```
   * @since 1.84.0
   */
  abstract send(mail: MailRequest): Promise<void>;
}

/**
 * Services plugins offer to each other, by name and functions: `<slug>/<name>`. A plugin says what it offers by declaration merging.
 *
 * @example
 * ```ts
 * declare module '@svc/sdk' {
 *   interface OfferedServices {
 *     'coupons/prices': { discount(code: string, amount: number): number };
 *   }
 * }
 * svc.provide('coupons/prices', { discount: (code, amount) => (code === 'SPRING' ? amount / 10 : 0) });
 * const off = await svc.use('coupons/prices').discount('SPRING', 990);
 * svc.log.info('off', { off });
 * ```
 * @since 1.84.0
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- Plugins fill it.
export interface OfferedServices {}

/**
 * What the provider of a service gives, and `svc.use` answers with: there every function returns a promise.
 *
 * @example
 * ```ts
 * const prices: ServiceOf<'coupons/prices'> = svc.use('coupons/prices');
 * svc.log.info('off', { off: await prices.discount!('SPRING', 990) });
 * ```
 * @since 1.84.0
 */
export type ServiceOf<Name extends string> = Name extends keyof OfferedServices
  ? {
      readonly [Call in keyof OfferedServices[Name]]: OfferedServices[Name][Call] extends (...args: infer Args) => infer Result
        ? (...args: Args) => Promise<Awaited<Result>>
        : never;
    }
  : Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

/**
 * The functions of the facade about work of the plugin's own, and about other plugins.
 *
 * @example
 * ```ts
 * svc.svc_register_cron('night', '30 3 * * *', async () => {
 *   if (svc.svc_plugin_enabled('coupons')) await svc.jobs.add('report');
 * });
 * svc.svc_register_job('report', { run: () => svc.log.info('done') });
 * ```
 * @since 1.84.0
 */
export interface WorkFacade {
  /** What the plugin does after the answer; see {@link SvcFacade.svc_register_job}. */
  readonly jobs: JobsService;
  /** Mails; needs the permission `mail`. */
  readonly mail: MailService;
  /**
   * Says what is done with the jobs of one name, `[a-z0-9_-]{1,30}`.
   *
   * @throws Error for a name that is taken, and a value that is out of its range
   * @example
   * ```ts
   * svc.svc_register_job<{ month: string }>('report', {
   *   attempts: 3,
   *   run: async ({ month }, { signal }) => {
   *     const rows = await svc.db.query('SELECT price FROM {coupon} WHERE month = ?', [month]);
   *     return signal.aborted ? null : { month, used: rows.length };
   *   },
   * });
   * await svc.jobs.add('report', { month: '2027-01' });
   * ```
   * @since 1.84.0
   */
  svc_register_job<Payload = unknown>(name: string, record: JobRecord<Payload>): Undo;
  /**
   * Runs `callback` whenever the clock shows what `expression` says, in one process of however many, and never twice at once. A time at
   * which the panel is down is left out.
   *
   * @param name `[a-z0-9_-]{1,30}`
   * @param expression five fields (minute, hour, day, month, weekday) of numbers, lists, ranges, steps and `*`, in the zone of the panel
   * @param options `timeoutMinutes`: after which a run is told to stop and has failed, 1 to 720; 10 without it
   * @throws Error for a name that is taken, and an expression that is none or never comes
   * @example
   * ```ts
   * svc.svc_register_cron('night', '30 3 * * *', async ({ signal }) => {
   *   const old = await svc.db.query<{ id: number }>('SELECT id FROM {coupon} WHERE used_at IS NOT NULL');
   *   for (const { id } of old) if (!signal.aborted) await svc.db.run('DELETE FROM {coupon} WHERE id = ?', [id]);
   * }, { timeoutMinutes: 20 });
   * ```
   * @since 1.84.0
   */
  svc_register_cron(
    name: string,
    expression: string,
    callback: (turn: WorkTurn) => unknown,
    options?: { readonly timeoutMinutes?: number },
  ): Undo;
  /**
   * Whether a plugin runs here and now; `provides` of its plugin.json counts.
   *
   * @example
   * ```ts
   * if (svc.svc_plugin_enabled('accounts'))
   *   svc.svc_add_filter('accounts.links', (links: object[]) => [...links, { href: '/p/coupons/mine', title: 'Coupons' }]);
   * ```
   * @since 1.84.0
   */
  svc_plugin_enabled(slug: string): boolean;
  /**
   * Offers functions to other plugins while this one runs. They are called in its name, with 30 seconds for each.
   *
   * @param name `<slug>/<name>`: its own slug, or one it `provides`
   * @throws Error for another name, one that is taken, and what is no object of functions
   * @example
   * ```ts
   * declare module '@svc/sdk' {
   *   interface OfferedServices {
   *     'coupons/stock': { left(code: string): Promise<number> };
   *   }
   * }
   * svc.provide('coupons/stock', {
   *   left: async (code) => (await svc.db.query('SELECT id FROM {coupon} WHERE code = ? AND used_at IS NULL', [code])).length,
   * });
   * ```
   * @since 1.84.0
   */
  provide<Name extends string>(name: Name, service: Name extends keyof OfferedServices ? OfferedServices[Name] : object): Undo;
  /**
   * What another plugin offers. May be kept: each call goes to whoever offers it then.
   *
   * @returns functions whose promise is rejected with the `code` `SERVICE_MISSING` where nobody offers it, or with what the provider throws
   * @example
   * ```ts
   * const prices = svc.use('coupons/prices'); // may be kept
   * const discount = await prices.discount!('SPRING', 990).catch((error: unknown) => {
   *   if ((error as { code?: string }).code === 'SERVICE_MISSING') return 0; // nobody offers it now
   *   throw error;
   * });
   * svc.log.debug('off', { discount });
   * ```
   * @since 1.84.0
   */
  use<Name extends string>(name: Name): ServiceOf<Name>;
}
