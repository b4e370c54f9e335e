import type { Undo } from './registration.js';

/**
 * One run of the plugin's scheduled or background work.
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
  /** Aborted if the run times out, the plugin is disabled, or the process ends: stop at the next point that leaves nothing half done. */
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
  /** Id of the job; the same in every attempt. */
  readonly id: string;
  /** Attempt number, starting at 1. */
  readonly attempt: number;
  /**
   * Reports progress; **Background** and {@link JobsService.find} show it within a second or two.
   *
   * @param done completed part of `total`
   * @param total 0 if unknown
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
 * How jobs of one name are processed. **Background** shows them under the text `job.<name>` of the plugin's `lang` files.
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
  /** Maximum number of attempts, 1 to 100; 5 by default. */
  attempts?: number;
  /** Seconds before the second attempt, 1 to 3600; 5 by default. Each further delay is twice as long, at most an hour. */
  backoffSeconds?: number;
  /** Timeout of an attempt in minutes, 1 to 1440; 5 by default. */
  timeoutMinutes?: number;
  /** Maximum number of concurrent jobs in one process, 1 to 20; 1 by default. */
  concurrency?: number;
  /**
   * Processes one job, at least once: if a process crashes in the middle, another one takes the job over. The return value is stored if it
   * is JSON of at most 16,000 characters; if it throws, the job is retried.
   */
  run: (payload: Payload, turn: JobTurn) => unknown;
}

/**
 * When a job runs, and how duplicates are prevented.
 *
 * @example
 * ```ts
 * const tomorrow: JobOptions = { key: '2027-01', runAt: new Date(Date.now() + 86_400_000) };
 * await svc.jobs.add('report', { month: '2027-01' }, tomorrow);
 * ```
 * @since 1.84.0
 */
export interface JobOptions {
  /** At most 120 characters: while a job with the same name and key is unfinished, no second one is added. */
  key?: string;
  /** Earliest start. */
  runAt?: Date;
}

/**
 * The current state of a job.
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
  /** `waiting`: for its start time, a free worker or the next attempt. */
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly attempts: number;
  readonly progress: { readonly done: number; readonly total: number; readonly note: string | null } | null;
  /** Error of the latest failed attempt. */
  readonly error: string | null;
  /** The return value of `run`. */
  readonly result: unknown;
}

/**
 * Background work of the plugin, done after the response by any process with free capacity. While the plugin is disabled its jobs wait. The
 * class is also the injection token for Nest modules.
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
   * Adds a job; inside `svc.db.transaction` it is added only if that commits.
   *
   * @param name a name registered with `svc_register_job`
   * @param payload JSON of at most 60,000 bytes; no secrets, because it is stored unencrypted
   * @returns the job's id, or that of the unfinished one with the same key
   * @throws Error for a name that is not registered, and for an invalid payload or option
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
   * Returns a job of this plugin; null if it does not exist or no longer exists.
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
   * Cancels a waiting job of this plugin, and signals a running one to stop. Returns false if it is neither waiting nor running.
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
 * An email to one person.
 *
 * @example
 * ```ts
 * const mail: MailRequest = { to: 'alice@example.com', subject: 'Your coupon', text: 'SPRING' };
 * await svc.mail.send(mail);
 * ```
 * @since 1.84.0
 */
export interface MailRequest {
  /** A single email address. */
  to: string;
  /** 1 to 200 characters, one line. */
  subject: string;
  /** Plain text, 1 to 20,000 characters; addresses in it become links. */
  text: string;
  /** At most 80 characters: while an email with the same key waits to be sent, no second one is added. */
  key?: string;
}

/**
 * Sends email through the panel's mail server; needs the permission `mail`. To notify account owners use {@link NoticesService}, which
 * follows each recipient's preferences. The class is also the injection token for Nest modules.
 *
 * @example
 * ```ts
 * if (svc.mail.isSetUp()) await svc.mail.send({ to: 'alice@example.com', subject: 'Hello', text: 'It works.' });
 * ```
 * @since 1.84.0
 */
export abstract class MailService {
  /**
   * Returns whether a mail server is configured.
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
   * Sends an email in the background; if the server is unreachable it is retried, up to five attempts in all. Inside `svc.db.transaction`
   * it is sent only if that commits.
   *
   * @throws Error naming the invalid field
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
 * Services that plugins offer to each other, by name and functions: `<slug>/<name>`. A plugin declares its services by declaration merging.
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
 * The functions of a service as `svc.use` returns them: each one returns a promise.
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
 * The functions of the facade for background work and for communication with other plugins.
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
  /** Background jobs of the plugin; see {@link SvcFacade.svc_register_job}. */
  readonly jobs: JobsService;
  /** Email; needs the permission `mail`. */
  readonly mail: MailService;
  /**
   * Registers how jobs of one name are processed. The name matches `[a-z0-9_-]{1,30}`.
   *
   * @throws Error for a name that is already registered, and for a value out of range
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
   * Runs `callback` at the times that `expression` describes, in only one of all processes, and never concurrently. Times at which the
   * panel is down are skipped.
   *
   * @param name `[a-z0-9_-]{1,30}`
   * @param expression five fields (minute, hour, day, month, weekday) of numbers, lists, ranges, steps and `*`, in the panel's time zone
   * @param options `timeoutMinutes`: after which a run is signalled to stop and counts as failed, 1 to 720; 10 by default
   * @throws Error for a name that is already registered, and for an expression that is invalid or never matches
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
   * Returns whether a plugin is currently active in this process; `provides` of its plugin.json counts.
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
   * Offers functions to other plugins while this one is active. They run on behalf of this plugin, with a time limit of 30 seconds each.
   *
   * @param name `<slug>/<name>`: the plugin's own slug, or one it `provides`
   * @throws Error for another slug, a name that is already taken, and anything that is not an object of functions
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
   * Returns the service of another plugin. The result may be kept: each call goes to the plugin that offers the service at that time.
   *
   * @returns functions whose promise is rejected with the `code` `SERVICE_MISSING` if no plugin offers it, or with what the provider throws
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
