import type { Abstract, Type } from '@nestjs/common';

import { startPanel, type Panel } from './start-panel.js';
import { DEFAULT_ADMIN_PASSWORD } from '../../src/config/index.js';
import { DnsKinds } from '../../src/dns/index.js';
import { HookRegistry } from '../../src/hooks/index.js';
import { JobRegistry, TaskRegistry, taskOfPlugin } from '../../src/jobs/index.js';
import { ChannelKinds } from '../../src/notify/index.js';
import { HomeRegistry, OperationRegistry, Routes } from '../../src/operations/index.js';
import { PaymentRegistry } from '../../src/payment/index.js';
import { DurableListeners } from '../../src/hooks/index.js';
import { MenuRegistry, OverrideRegistry, SettingsTabRegistry, WidgetRegistry } from '../../src/theme/index.js';
import { PageRegistry } from '../../src/web/index.js';

import { createStartedPlace, type TestPlace } from './database.js';

/** Row of `plugin_list`. */
export interface PluginRow {
  slug: string;
  version: string;
  installed: boolean;
  enabled: boolean;
  status: string;
  error: string;
}

/** AJAX answer of the panel. */
export interface AjaxAnswer {
  success?: boolean;
  qk?: number;
  code: string;
  err?: string;
  data: Record<string, unknown> & { stopped?: string[] };
  rows: PluginRow[];
  fields?: Record<string, string>;
}

const QUIET: NodeJS.ProcessEnv = { CAPTCHA: 'off', RATE_LIMIT: 'off' };

/** Panel in this process, called over real HTTP. */
export class TestPanel {
  /** Cookie header of the signed-in administrator. */
  adminCookie = '';

  private constructor(
    readonly place: TestPlace,
    private panel: Panel,
  ) {}

  static async start(env: NodeJS.ProcessEnv = {}): Promise<TestPanel> {
    const place = await createStartedPlace({ ...QUIET, ...env });
    const test = new TestPanel(place, await startPanel(place.config));
    await test.signIn();
    return test;
  }

  /** Starts a panel on existing data, whose first administrator has the default password. */
  static async on(place: TestPlace): Promise<TestPanel> {
    const test = new TestPanel(place, await startPanel(place.config));
    await test.signIn();
    return test;
  }

  get url(): string {
    return this.panel.url;
  }

  get dataDir(): string {
    return this.place.dataDir;
  }

  get<T>(provider: Type<T> | Abstract<T>): T {
    return this.panel.app.get(provider, { strict: false });
  }

  /** Stops the panel and starts another one on the same data. */
  async restart(): Promise<void> {
    await this.stop();
    await this.resume();
  }

  /** Stops the panel; its data stays. */
  stop(): Promise<void> {
    return this.panel.close();
  }

  /** Starts a panel on the data of a stopped one. */
  async resume(): Promise<void> {
    this.panel = await startPanel(this.place.config);
  }

  async close(): Promise<void> {
    await this.panel.close();
    await this.place.dispose();
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, { redirect: 'manual', ...init });
  }

  /** Sends a request as administrator. */
  adminFetch(path: string, init: RequestInit = {}): Promise<Response> {
    return this.fetch(path, { ...init, headers: { ...init.headers, Cookie: this.adminCookie } });
  }

  /** Calls an operation of the admin side, as administrator. */
  async admin(gn: string, fields: Record<string, string> = {}): Promise<AjaxAnswer> {
    const response = await this.adminFetch('/admin/ajax.php', { method: 'POST', body: new URLSearchParams({ gn, ...fields }) });
    return (await response.json()) as AjaxAnswer;
  }

  /**
   * Installs and enables a plugin.
   *
   * @throws Error if the panel refuses
   */
  async enable(slug: string): Promise<void> {
    for (const answer of [await this.admin('plugin_install', { slug }), await this.tryEnable(slug)]) {
      if (!answer.success) throw new Error(`${slug}: ${answer.code}`);
    }
  }

  tryEnable(slug: string): Promise<AjaxAnswer> {
    return this.admin('plugin_enable', { slug, enabled: 'true' });
  }

  disable(slug: string): Promise<AjaxAnswer> {
    return this.admin('plugin_enable', { slug, enabled: 'false' });
  }

  async row(slug: string): Promise<PluginRow | undefined> {
    return (await this.admin('plugin_list')).rows.find((row) => row.slug === slug);
  }

  /** Returns the number of registrations of a plugin in each registry, without empty ones. */
  registrations(slug: string): Record<string, number> {
    const owned = (list: readonly { owner: string }[]): number => list.filter(({ owner }) => owner === slug).length;
    const counts = {
      operations: this.get(OperationRegistry).owners().get(slug) ?? 0,
      routes: this.get(Routes).countsByOwner().get(slug) ?? 0,
      homes: owned(this.get(HomeRegistry).list()),
      pages: owned(this.get(PageRegistry).list()),
      menus: owned(this.get(MenuRegistry).list()),
      widgets: owned(this.get(WidgetRegistry).list()),
      tabs: owned(this.get(SettingsTabRegistry).list()),
      overrides: this.get(OverrideRegistry)
        .owners()
        .filter((owner) => owner === slug).length,
      hooks: this.get(HookRegistry).owners().get(slug) ?? 0,
      durable: this.get(DurableListeners)
        .keys()
        .filter((key) => key.startsWith(`${slug}:`)).length,
      jobs: this.get(TaskRegistry)
        .list()
        .filter(({ name }) => name.startsWith(taskOfPlugin(slug, ''))).length,
      clock: owned(this.get(JobRegistry).list()),
      gateways: owned(this.get(PaymentRegistry).list()),
      channels: this.get(ChannelKinds)
        .all()
        .filter(({ type }) => type.startsWith(`${slug}:`)).length,
      dns: this.get(DnsKinds)
        .all()
        .filter(({ plugin }) => plugin === slug).length,
    };
    return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  }

  /**
   * Creates a hosting account on the embedded node and signs in its owner.
   *
   * @returns the Cookie header
   */
  async signInUser(user = 'owner01', pass = 'secret-pass-1'): Promise<string> {
    await this.admin('addzj', { user, pass, btdh: 'local' });
    return this.cookieOf('user', user, pass);
  }

  /** Signs in the first administrator. */
  async signIn(password = DEFAULT_ADMIN_PASSWORD): Promise<void> {
    this.adminCookie = await this.cookieOf('admin', 'admin', password);
  }

  private async cookieOf(side: 'admin' | 'user', user: string, pass: string): Promise<string> {
    const response = await this.fetch(`/${side}/ajax.php`, { method: 'POST', body: new URLSearchParams({ gn: 'login', user, pass }) });
    const cookie = response.headers.getSetCookie().find((line) => line.startsWith(`${side}_token=`));
    if (!cookie) throw new Error(`Signing in as ${user} failed: ${await response.text()}`);
    return cookie.split(';')[0]!;
  }
}
