import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * What a panel for tests is started with.
 *
 * @since 1.84.0
 * @example
 * ```ts
 * const panel = await startTestPanel({ env: { TIMEZONE: 'Asia/Shanghai' } });
 * await panel.close();
 * ```
 */
export interface TestPanelOptions {
  /** Folder of the panel, built; without it that of `SVC_PANEL`, else the checkout this package belongs to. */
  panel?: string;
  /**
   * A server such as `mysql://root@127.0.0.1:3306`, on which a database is made and taken away again; without
   * it the one in `SVC_TEST_DATABASE`, else SQLite in a temporary folder.
   */
  database?: string;
  /** Variables of the panel's configuration in place of the usual ones. */
  env?: Readonly<Record<string, string>>;
}

/**
 * What an operation answered: what it says itself stands beside these.
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
  /** The text for people. */
  code: string;
  [field: string]: unknown;
}

/**
 * Somebody who calls the panel.
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
   * Redirects are answers, and not followed.
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
   * Sends a form.
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
   * An operation of the visitor's side.
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
 * A hosting account, whose owner can sign in.
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
 * The time of the panel. It goes on by itself until it is set, and stands still from then on.
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
   * What the panel takes for now.
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
   * Makes it that moment.
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
   * Makes it so much later.
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
   * Runs what is due in the present minute: jobs, and the hook `cron`.
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
 * A call a plugin made to the outside.
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
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether the test had an answer for it; one without fails as a server does that cannot be reached. */
  readonly answered: boolean;
}

/**
 * What comes back: status 200 and no headers where they are left out; an object as JSON.
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
 * A reply, what makes one of the call, no reply until the time limit of the call, or a connection that is cut.
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
 * The outside, as the panel and its plugins see it over HTTP. Nothing leaves this machine: what the test has no answer for cannot be
 * reached. Limits, redirects and refused addresses are those of a real call.
 *
 * @since 1.84.0
 * @example
 * ```ts
 * panel.http.answer('https://api.example.com/v1/', { body: { ok: true } });
 * const asked = panel.http.calls.map(({ method, url }) => `${method} ${url}`);
 * ```
 */
export interface TestHttp {
  /** Every call so far, the first one first. */
  readonly calls: readonly TestHttpCall[];
  /**
   * Answers every call to an address, from now on.
   *
   * @param address how it begins, such as `https://api.example.com/v1/`; of several that fit the one given last answers
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
 * A mail the panel sent.
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
  /** What it took, the first one first. */
  readonly sent: readonly TestMailMessage[];
  /** `take` from the start; `refuse`: it wants none of it; `later`: it is busy, try again; `hang`: it never says anything. */
  behaviour: 'take' | 'refuse' | 'later' | 'hang';
}

/**
 * A payment gateway that takes no money, with a cashier and signed notifications as real ones have.
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
  /** What an order is sent to: gateway and method, such as `sandbox__test`. */
  readonly type: string;
  /**
   * The customer pays at the cashier: the gateway tells the panel, and `order.paid` follows.
   *
   * @throws Error for an order nobody can pay
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
   * The customer goes to the cashier and leaves without paying.
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
   * Somebody who does not know the gateway's key notifies the panel.
   *
   * @returns what the panel answers: `success` would mean that it believes it
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
 * A panel in the test's own process, on data of its own.
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
   * Puts the package of a project's folder into the panel and enables it.
   *
   * @returns its slug.
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
   * Puts the package of a theme's folder into the panel and switches it on for every side it is for.
   *
   * @returns its name.
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
   * Renders every view that a theme has on its sides, as the panel does: with sample values in both languages, and with values an attacker
   * would choose.
   *
   * @returns how many views it looked at
   * @throws Error that names each view that does not parse, fails, takes too long, or does not escape a value, and why
   * @since 1.84.0
   * @example
   * ```ts
   * const views = await panel.expectSoundTheme(await panel.installTheme('.'));
   * if (views === 0) throw new Error('It has no views.');
   * ```
   */
  expectSoundTheme(name: string): Promise<number>;
  /**
   * Enables a plugin that comes with the panel, such as one yours needs.
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
   * The administrator, nobody in particular, or the owner of a host; signed in.
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
   * Opens a hosting account on this machine's own server.
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
   * Makes an unpaid order.
   *
   * @param fields in place of the usual ones: `user` `scene` `name` `rmb` (figures such as `9.90`)
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
   * Waits until listeners have heard of what happened, and what runs in the background is done.
   *
   * @throws Error where that takes more than fifteen seconds
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
   * A gateway to pay with, as customers do.
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
   * Switches a plugin on and off again many times.
   *
   * @param cycles 100 where nothing is given.
   * @throws Error that names what it left behind
   * @since 1.84.0
   * @example
   * ```ts
   * await panel.expectNoTrace(await panel.installPlugin('.'));
   * ```
   */
  expectNoTrace(slug: string, cycles?: number): Promise<void>;
  /**
   * Ends the panel and takes its data away.
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
 * Starts a panel in this process, on a temporary SQLite or a given server, with the outside, the mail server and the clock in the test's
 * hands. What it logs is left out unless `LOG_LEVEL` says otherwise.
 *
 * @throws Error where there is no panel, or it is not built
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
        ? 'There is no built panel beside @svc/sdk. Run npm ci and npm run build in a checkout of the panel, and name ' +
            'its folder in SVC_PANEL.'
        : `${folder} is no panel that was built: it has no ${PROGRAM}. Run npm ci and npm run build there.`,
    );
  process.env.LOG_LEVEL ??= 'fatal';
  const { startTestPanel: start } = (await import(pathToFileURL(program).href)) as {
    startTestPanel(options: TestPanelOptions): Promise<TestPanel>;
  };
  return start(options);
}
