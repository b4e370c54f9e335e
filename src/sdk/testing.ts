import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Options for starting a test panel.
 *
 * @since 1.84.0
 * @example
 * ```ts
 * const panel = await startTestPanel({ env: { TIMEZONE: 'Asia/Shanghai' } });
 * await panel.close();
 * ```
 */
export interface TestPanelOptions {
  /** Folder of a built panel; by default that of `SVC_PANEL`, otherwise the checkout this package belongs to. */
  panel?: string;
  /**
   * A server such as `mysql://root@127.0.0.1:3306`, on which a database is created and dropped again; by default the one in
   * `SVC_TEST_DATABASE`, otherwise SQLite in a temporary folder.
   */
  database?: string;
  /** Environment variables that override the default configuration of the panel. */
  env?: Readonly<Record<string, string>>;
}

/**
 * The response of an operation; the operation's own fields are added to these.
 *
 * @since 1.84.0
 * @example
 * ```ts
 * const answer: TestAnswer = await (await panel.as('admin')).run('p_notes_save', { text: 'hello' });
 * if (!answer.success) throw new Error(answer.code);
 * ```
 */
export interface TestAnswer {
  success?: boolean;
  /** The message for the user. */
  code: string;
  [field: string]: unknown;
}

/**
 * A client of the panel.
 *
 * @since 1.84.0
 * @example
 * ```ts
 * const visitor: TestVisitor = await panel.as('nobody');
 * const page = await visitor.get('/p/notes', { 'Accept-Language': 'en' });
 * if (page.status !== 200) throw new Error(await page.text());
 * ```
 */
export interface TestVisitor {
  /**
   * Sends a GET request. Redirects are returned, not followed.
   *
   * @param headers such as `{ 'Accept-Language': 'en' }`
   * @since 1.84.0
   * @example
   * ```ts
   * const nobody = await panel.as('nobody');
   * const page = await nobody.get('/p/coupons/list', { 'Accept-Language': 'en' });
   * if (page.status !== 200) throw new Error(await page.text());
   * ```
   */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /**
   * Submits a form.
   *
   * @since 1.84.0
   * @example
   * ```ts
   * const owner = await panel.as(await panel.host());
   * const answer = await owner.post('/p/coupons/take', { code: 'SPRING' });
   * if (answer.status !== 200) throw new Error(await answer.text());
   * ```
   */
  post(path: string, fields?: Readonly<Record<string, string>>, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /**
   * Runs an operation of the visitor's side.
   *
   * @since 1.84.0
   * @example
   * ```ts
   * const admin = await panel.as('admin');
   * const { success, code } = await admin.run('p_coupons_add', { code: 'SPRING' });
   * if (!success) throw new Error(code);
   * ```
   */
  run(gn: string, fields?: Readonly<Record<string, string>>): Promise<TestAnswer>;
}

/**
 * A hosting account whose owner can sign in.
 *
 * @since 1.84.0
 * @example
 * ```ts
 * const host: TestHost = await panel.host();
 * const owner = await panel.as(host);
 * await owner.run('p_notes_list');
 * ```
 */
export interface TestHost {
  readonly id: number;
  readonly user: string;
  readonly password: string;
}

/**
 * An order, paid or not.
 *
 * @since 1.84.0
 * @example
 * ```ts
 * const order: TestOrder = await panel.order({ rmb: '9.90' });
 * await panel.pay(order);
 * await panel.settled();
 * ```
 */
export interface TestOrder {
  readonly id: number;
  readonly ddh: string;
}

/**
 * The clock of the panel. It runs until it is set, and stands still from then on.
 *
 * @since 1.84.0
 * @example
 * ```ts
 * panel.clock.set(new Date('2026-11-28T04:00:00Z'));
 * await panel.clock.minute();
 * ```
 */
export interface TestClock {
  /**
   * Returns the panel's current time.
   *
   * @since 1.84.0
   * @example
   * ```ts
   * const tomorrow = new Date(panel.clock.now().getTime() + 86_400_000);
   * panel.clock.set(tomorrow);
   * ```
   */
  now(): Date;
  /**
   * Sets the time.
   *
   * @since 1.84.0
   * @example
   * ```ts
   * panel.clock.set(new Date('2027-01-31T00:00:00Z'));
   * await panel.clock.minute();
   * ```
   */
  set(moment: Date): void;
  /**
   * Moves the time forward.
   *
   * @since 1.84.0
   * @example
   * ```ts
   * panel.clock.set(new Date('2027-01-31T00:00:00Z'));
   * panel.clock.advance(3_600_000); // an hour later
   * await panel.clock.minute();
   * ```
   */
  advance(milliseconds: number): void;
  /**
   * Runs what is due in the current minute: jobs, and the hook `cron`.
   *
   * @since 1.84.0
   * @example
   * ```ts
   * panel.clock.set(new Date('2027-01-31T03:30:00Z'));
   * await panel.clock.minute();
   * await panel.settled();
   * ```
   */
  minute(): Promise<void>;
}

/**
 * An outbound HTTP call of a plugin.
 *
 * @since 1.84.0
 * @example
 * ```ts
 * const unanswered: TestHttpCall[] = panel.http.calls.filter(({ answered }) => !answered);
 * ```
 */
export interface TestHttpCall {
  readonly method: string;
  readonly url: string;
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether the test had an answer for it; a call without one fails as if the server were unreachable. */
  readonly answered: boolean;
}

/**
 * A response: status 200 and no headers by default; an object is sent as JSON.
 *
 * @since 1.84.0
 * @example
 * ```ts
 * const busy: TestHttpReply = { status: 503, headers: { 'Retry-After': '5' }, body: { error: 'busy' } };
 * panel.http.answer('https://api.example.com/v1/', busy);
 * ```
 */
export interface TestHttpReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | object;
}

/**
 * A response, a function that builds one from the call, `hang` for no response until the call times out, or `cut` for a dropped connection.
 *
 * @since 1.84.0
 * @example
 * ```ts
 * const echo: TestHttpAnswer = ({ body }) => ({ body });
 * panel.http.answer('https://api.example.com/echo', echo);
 * panel.http.answer('https://api.example.com/slow', 'hang');
 * ```
 */
export type TestHttpAnswer = TestHttpReply | ((call: TestHttpCall) => TestHttpReply | Promise<TestHttpReply>) | 'hang' | 'cut';

/**
 * Outside HTTP services, as the panel and its plugins see them. Nothing leaves this machine: addresses without an answer are unreachable.
 * Limits, redirects and refused addresses work as in a real call.
 *
 * @since 1.84.0
 * @example
 * ```ts
 * panel.http.answer('https://api.example.com/v1/', { body: { ok: true } });
 * const asked = panel.http.calls.map(({ method, url }) => `${method} ${url}`);
 * ```
 */
export interface TestHttp {
  /** Every call so far, oldest first. */
  readonly calls: readonly TestHttpCall[];
  /**
   * Answers every call to an address from now on.
   *
   * @param address a URL prefix, such as `https://api.example.com/v1/`; if several match, the one added last answers
   * @since 1.84.0
   * @example
   * ```ts
   * panel.http.answer('https://rates.example.com/', { body: '7.10' });
   * panel.http.answer('https://rates.example.com/old', { status: 410 });
   * panel.http.answer('https://slow.example.com/', 'hang');
   * ```
   */
  answer(address: string, answer: TestHttpAnswer): void;
}

/**
 * An email the panel sent.
 *
 * @since 1.84.0
 * @example
 * ```ts
 * const mail: TestMailMessage | undefined = panel.mail.sent.at(-1);
 * if (mail?.to !== 'ann@example.com') throw new Error('Ann was told nothing.');
 * ```
 */
export interface TestMailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/**
 * The mail server of the panel.
 *
 * @since 1.84.0
 * @example
 * ```ts
 * panel.mail.behaviour = 'later';
 * await panel.settled();
 * if (panel.mail.sent.length > 0) throw new Error('It was busy.');
 * ```
 */
export interface TestMail {
  /** The messages it accepted, oldest first. */
  readonly sent: readonly TestMailMessage[];
  /** `take` initially; `refuse`: rejects every message; `later`: is temporarily busy; `hang`: never responds. */
  behaviour: 'take' | 'refuse' | 'later' | 'hang';
}

/**
 * A payment gateway that takes no money, with a checkout page and signed notifications like a real one.
 *
 * @since 1.84.0
 * @example
 * ```ts
 * const gateway = await panel.gateway();
 * const order = await panel.order({ rmb: '9.90' });
 * await gateway.pay(order);
 * if ((await gateway.forge(order)) === 'success') throw new Error('Anybody is believed.');
 * ```
 */
export interface TestGateway {
  /** Payment type to send orders to: gateway and method, such as `sandbox__test`. */
  readonly type: string;
  /**
   * Simulates a customer who pays: the gateway notifies the panel, and `order.paid` follows.
   *
   * @throws Error for an order that cannot be paid
   * @since 1.84.0
   * @example
   * ```ts
   * const gateway = await panel.gateway();
   * await gateway.pay(await panel.order({ rmb: '9.90' }));
   * await panel.settled();
   * ```
   */
  pay(order: TestOrder): Promise<void>;
  /**
   * Simulates a customer who opens the checkout page and leaves without paying.
   *
   * @since 1.84.0
   * @example
   * ```ts
   * const gateway = await panel.gateway();
   * const order = await panel.order();
   * await gateway.leave(order);
   * await gateway.pay(order); // he comes back
   * ```
   */
  leave(order: TestOrder): Promise<void>;
  /**
   * Sends the panel a notification that is signed with a wrong key.
   *
   * @returns the panel's response: `success` would mean that it accepted the notification
   * @since 1.84.0
   * @example
   * ```ts
   * const gateway = await panel.gateway();
   * if ((await gateway.forge(await panel.order())) === 'success') throw new Error('Anybody is believed.');
   * ```
   */
  forge(order: TestOrder): Promise<string>;
}

/**
 * A panel in the test's own process, with its own data.
 *
 * @since 1.84.0
 * @example
 * ```ts
 * const panel: TestPanel = await startTestPanel();
 * const slug = await panel.installPlugin('.');
 * await panel.expectNoTrace(slug);
 * await panel.close();
 * ```
 */
export interface TestPanel {
  readonly url: string;
  readonly dataDir: string;
  readonly clock: TestClock;
  readonly http: TestHttp;
  readonly mail: TestMail;
  /**
   * Installs the package from a project folder into the panel and enables it.
   *
   * @returns the plugin's slug
   * @throws Error with the panel's reason
   * @since 1.84.0
   * @example
   * ```ts
   * const slug = await panel.installPlugin('.');
   * await panel.expectNoTrace(slug, 10);
   * ```
   */
  installPlugin(folder: string): Promise<string>;
  /**
   * Installs the package from a theme folder into the panel and activates it for every side it is for.
   *
   * @returns the theme's name
   * @throws Error with the panel's reason
   * @since 1.84.0
   * @example
   * ```ts
   * const theme = await panel.installTheme('.');
   * const page = await (await panel.as('nobody')).get('/');
   * if (page.status !== 200) throw new Error(`The home page of ${theme} fails.`);
   * ```
   */
  installTheme(folder: string): Promise<string>;
  /**
   * Renders every view that a theme has on its sides, as the panel does: with sample values in both languages, and with malicious values.
   *
   * @returns how many views were checked
   * @throws Error listing each view that does not parse, fails, takes too long, or does not escape a value, and why
   * @since 1.84.0
   * @example
   * ```ts
   * const views = await panel.expectSoundTheme(await panel.installTheme('.'));
   * if (views === 0) throw new Error('It has no views.');
   * ```
   */
  expectSoundTheme(name: string): Promise<number>;
  /**
   * Enables a plugin that is bundled with the panel, such as one yours needs.
   *
   * @throws Error with the panel's reason
   * @since 1.84.0
   * @example
   * ```ts
   * await panel.enablePlugin('accounts'); // what `requires_plugins` of the project's plugin.json names
   * await panel.installPlugin('.');
   * ```
   */
  enablePlugin(slug: string): Promise<void>;
  /**
   * Returns a signed-in client as the administrator or the owner of a host, or an anonymous one for `nobody`.
   *
   * @since 1.84.0
   * @example
   * ```ts
   * const [admin, nobody] = [await panel.as('admin'), await panel.as('nobody')];
   * await admin.run('p_coupons_add', { code: 'SPRING' });
   * const page = await nobody.get('/p/coupons/SPRING');
   * ```
   */
  as(who: 'admin' | 'nobody' | TestHost): Promise<TestVisitor>;
  /**
   * Creates a hosting account on the panel's own server.
   *
   * @since 1.84.0
   * @example
   * ```ts
   * const host = await panel.host({ mailuser: 'owner@example.com' });
   * const owner = await panel.as(host);
   * await owner.post('/p/coupons/take', { code: 'SPRING' });
   * ```
   */
  host(fields?: Readonly<Record<string, string>>): Promise<TestHost>;
  /**
   * Creates an unpaid order.
   *
   * @param fields override the defaults: `user` `scene` `name` `rmb` (an amount such as `9.90`)
   * @since 1.84.0
   * @example
   * ```ts
   * const host = await panel.host();
   * const order = await panel.order({ user: host.user, scene: 'coupon', rmb: '9.90' });
   * await panel.pay(order);
   * ```
   */
  order(fields?: Readonly<Record<string, string>>): Promise<TestOrder>;
  /**
   * Marks an order as paid, so that `order.paid` follows.
   *
   * @since 1.84.0
   * @example
   * ```ts
   * await panel.pay(await panel.order({ scene: 'coupon' }));
   * await panel.settled(); // listeners of order.paid have heard of it
   * ```
   */
  pay(order: TestOrder): Promise<void>;
  /**
   * Waits until listeners have handled their events and background work is done.
   *
   * @throws Error if that takes more than fifteen seconds
   * @since 1.84.0
   * @example
   * ```ts
   * await panel.pay(await panel.order());
   * await panel.settled();
   * if (panel.http.calls.length === 0) throw new Error('Nobody was told of the payment.');
   * ```
   */
  settled(): Promise<void>;
  /**
   * Returns a gateway through which tests pay as customers do.
   *
   * @since 1.84.0
   * @example
   * ```ts
   * const gateway = await panel.gateway();
   * const order = await panel.order();
   * await gateway.pay(order);
   * ```
   */
  gateway(): Promise<TestGateway>;
  /**
   * Enables and disables a plugin many times, and checks that it leaves nothing behind.
   *
   * @param cycles 100 by default
   * @throws Error listing what it left behind
   * @since 1.84.0
   * @example
   * ```ts
   * await panel.expectNoTrace(await panel.installPlugin('.'));
   * ```
   */
  expectNoTrace(slug: string, cycles?: number): Promise<void>;
  /**
   * Stops the panel and deletes its data.
   *
   * @since 1.84.0
   * @example
   * ```ts
   * const own = await startTestPanel();
   * await own.installPlugin('.');
   * await own.close();
   * ```
   */
  close(): Promise<void>;
}

const PROGRAM = 'dist/src/cli/test-panel.js';

/**
 * Starts a panel in this process, on a temporary SQLite database or a given server. The test controls outbound HTTP, the mail server and
 * the clock. Nothing is logged unless `LOG_LEVEL` is set.
 *
 * @throws Error if no panel is found, or it is not built
 *
 * @since 1.84.0
 * @example
 * ```ts
 * const panel = await startTestPanel();
 * await panel.installPlugin('.');
 * const answer = await (await panel.as('nobody')).get('/coupons');
 * await panel.close();
 * ```
 */
export async function startTestPanel(options: TestPanelOptions = {}): Promise<TestPanel> {
  const given = options.panel ?? (process.env.SVC_PANEL || undefined);
  const folder = given ?? fileURLToPath(new URL('../..', import.meta.url));
  const program = join(folder, PROGRAM);
  if (!existsSync(program))
    throw new Error(
      given === undefined
        ? 'There is no built panel next to @svc/sdk. Run npm ci and npm run build in a checkout of the panel, and set ' +
            'SVC_PANEL to its folder.'
        : `${folder} is not a built panel: ${PROGRAM} is missing. Run npm ci and npm run build there.`,
    );
  process.env.LOG_LEVEL ??= 'fatal';
  const { startTestPanel: start } = (await import(pathToFileURL(program).href)) as {
    startTestPanel(options: TestPanelOptions): Promise<TestPanel>;
  };
  return start(options);
}
