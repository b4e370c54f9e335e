import { readFileSync } from 'node:fs';

import { expect } from 'vitest';

import { DurableEvent } from '../../src/hooks/index.js';
import { DriverRegistry, HostingAccount, HostingNode, NodeSystem } from '../../src/hosting/index.js';
import { Database } from '../../src/database/index.js';

import { FakeDriver } from './fake-driver.js';
import { TestPanel } from './panel.js';
import { SiteSettings } from '../../src/site/index.js';

/** Request of a deployed client, byte for byte. */
export interface CapturedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Requests of deployed shop modules: a billing system's module (`seri914WksqNY`) and a shop (`Us1000`). */
export const capturedRequests = JSON.parse(
  readFileSync(new URL('../corpora/provisioning/requests.json', import.meta.url), 'utf8'),
) as CapturedRequest[];

/** Answer of the API. */
export interface ShopAnswer {
  readonly success: boolean;
  readonly code: number;
  readonly msg: string;
  readonly data?: Record<string, Record<string, unknown>> & { state: string; pending: boolean };
}

/** MD5 of `kt` and `qm`, as computed by the clients. */
export const NODE_KEY = 'a65ad8da0fa268c798d3d70599733d55';
/** MD5 of `other` and `keys`. */
export const OTHER_NODE_KEY = 'c30e687616c05450beda2bd9828093b4';

/**
 * Panel with the API key `API` and the nodes `bh1` (embedded), `fake1` (scripted, same keys) and `bh2` (embedded, other keys), called as a
 * shop does.
 */
export class TestShop {
  readonly driver = new FakeDriver();

  private constructor(readonly panel: TestPanel) {}

  static async start(env: NodeJS.ProcessEnv = {}): Promise<TestShop> {
    const shop = new TestShop(await TestPanel.start(env));
    const { database } = shop;
    await shop.panel.get(SiteSettings).change({ api: 'API' });
    for (const [code, driver, openKey, signatureKey] of [
      ['bh1', 'embedded', 'kt', 'qm'],
      ['fake1', 'fake', 'kt', 'qm'],
      ['bh2', 'embedded', 'other', 'keys'],
    ] as const) {
      await database.repository(HostingNode).insert({
        code,
        codeKey: code,
        driver,
        openKey,
        signatureKey,
        address: '192.0.2.7',
        secure: true,
        system: NodeSystem.Linux,
        createdAt: new Date(),
      });
    }
    shop.panel.get(DriverRegistry).register(shop.driver);
    return shop;
  }

  get database(): Database {
    return this.panel.get(Database);
  }

  /** Calls the API with valid fields, overridden by `fields`. */
  call(gn: string, fields: Record<string, string> = {}): Promise<ShopAnswer> {
    const form = { svc_bh: 'bh1', svc_key: 'API', svc_keye: NODE_KEY, svc_vs: '15', username: 'alice01', ...fields };
    return this.send(`/api/api.php?gn=${encodeURIComponent(gn)}`, { body: new URLSearchParams(form) });
  }

  /** Sends a request to the API and checks the format of the answer that clients rely on. */
  async send(path: string, init: RequestInit): Promise<ShopAnswer> {
    const response = await this.panel.fetch(path, { method: 'POST', ...init });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=UTF-8']);
    const text = await response.text();
    expect(text).not.toMatch(new RegExp(`"API"|${NODE_KEY}|${OTHER_NODE_KEY}|secret-\\d`));
    const answer = JSON.parse(text) as ShopAnswer;
    expect(answer).toMatchObject({ success: expect.any(Boolean), msg: expect.any(String) });
    expect([100, 200, 300]).toContain(answer.code);
    expect(answer.success).toBe(answer.code === 200);
    expect(answer.msg).not.toBe('');
    return answer;
  }

  /** Returns the events of a host, oldest first: hook, source, and arguments after user and id. */
  async events(user = 'alice01'): Promise<unknown[][]> {
    const events = await this.database.repository(DurableEvent).find({ order: { id: 'ASC' } });
    return events.filter(({ args }) => args[0] === user).map(({ hook, source, args }) => [hook, source, ...args.slice(2)]);
  }

  row(user = 'alice01'): Promise<HostingAccount | null> {
    return this.database.repository(HostingAccount).findOneBy({ userKey: user.toLowerCase() });
  }

  /** Deletes all hosts and events. */
  async clear(): Promise<void> {
    this.driver.script = [];
    this.driver.sites.clear();
    this.driver.gate = Promise.resolve();
    await this.database.repository(HostingAccount).createQueryBuilder().delete().execute();
    await this.database.repository(DurableEvent).createQueryBuilder().delete().execute();
  }
}
