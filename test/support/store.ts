import type { Type } from '@nestjs/common';
import { vi } from 'vitest';

import { startPanel, type Panel } from './start-panel.js';
import type { Database } from '../../src/database/index.js';
import { StoreUser, type StoreLetter, type StoreRole } from '../../src/store/index.js';
import { StoreMail } from '../../src/store/accounts/store-mail.js';
import { StoreSessions } from '../../src/store/accounts/store-sessions.js';

import { createStartedPlace, type TestPlace } from './database.js';

/** Answer of the store's API. */
export interface StoreAnswer<Data = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly code: number;
  readonly msg: string;
  readonly data: Data;
}

/** Browser session with a store, signed in or not. */
export class StoreClient {
  cookie = '';

  constructor(
    readonly url: string,
    /** Id of the account; 0 without one. */
    readonly userId = 0,
  ) {}

  async send(method: string, path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
    const response = await fetch(`${this.url}/api${path}`, {
      method,
      redirect: 'manual',
      ...init,
      headers: { ...(this.cookie ? { cookie: this.cookie } : {}), ...init.headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair] = line.split(';');
      if (pair!.startsWith('connect.sid=')) this.cookie = /max-age=0/i.test(line) ? '' : pair!;
    }
    return response;
  }

  /** Sends a request with a JSON body or a form, and returns the answer, which must be in the store's envelope. */
  async call<Data = Record<string, unknown>>(
    method: string,
    path: string,
    body?: object | FormData,
    headers: Record<string, string> = {},
  ): Promise<StoreAnswer<Data>> {
    const isForm = body instanceof FormData;
    const response = await this.send(method, path, {
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      headers: { ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }), ...headers },
    });
    return {
      status: response.status,
      headers: response.headers,
      ...((await response.json()) as { code: number; msg: string; data: Data }),
    };
  }

  /** Signs in with the form, as users do; captchas are off unless the store was started with them. */
  login(username: string, password: string, captcha = ''): Promise<StoreAnswer> {
    return this.call('POST', '/auth/login', { username, password, captcha });
  }

  register(username: string, password = 'secret-1', captcha = ''): Promise<StoreAnswer> {
    return this.call('POST', '/auth/register', { username, password, email: `${username.toLowerCase()}@example.org`, captcha });
  }

  get<Data = Record<string, unknown>>(path: string): Promise<StoreAnswer<Data>> {
    return this.call<Data>('GET', path);
  }
}

/** Store in this process, called over real HTTP. */
export class TestStore {
  private constructor(
    readonly place: TestPlace,
    private panel: Panel,
  ) {}

  static async start(env: NodeJS.ProcessEnv = {}): Promise<TestStore> {
    return TestStore.on(await createStartedPlace({ CAPTCHA: 'off', RATE_LIMIT: 'off', ...env }));
  }

  /** Starts a store on the data of a stopped one. */
  static async on(place: TestPlace): Promise<TestStore> {
    return new TestStore(place, await startPanel(place.config));
  }

  get url(): string {
    return this.panel.url;
  }

  get database(): Database {
    return this.panel.database;
  }

  provider<T>(type: Type<T>): T {
    return this.panel.app.get(type, { strict: false });
  }

  /** Provides a mail server, as a panel in the same process would. */
  mailsBy(send: (letter: StoreLetter) => Promise<void>): void {
    const mail = this.provider(StoreMail);
    vi.spyOn(mail, 'isAvailable', 'get').mockReturnValue(true);
    vi.spyOn(mail, 'send').mockImplementation(send);
  }

  /** Returns a client that is not signed in. */
  visitor(): StoreClient {
    return new StoreClient(this.url);
  }

  /** Creates an account and returns a client signed in with it. */
  async member(username: string, role: StoreRole = 'developer'): Promise<StoreClient> {
    const rows = this.database.repository(StoreUser);
    const now = new Date();
    const key = username.toLowerCase();
    const user = await rows.save(
      rows.create({
        username,
        usernameKey: key,
        passwordHash: 'x',
        email: `${key}@example.com`,
        emailKey: `${key}@example.com`,
        role,
        avatar: '',
        bio: '',
        status: 'active',
        createdAt: now,
        updatedAt: now,
      }),
    );
    const client = new StoreClient(this.url, user.id);
    client.cookie = `connect.sid=${(await this.provider(StoreSessions).open(user.id, { ip: '127.0.0.1', userAgent: 'test' })).token}`;
    return client;
  }

  /** Stops the store; its data stays. */
  stop(): Promise<void> {
    return this.panel.close();
  }

  async close(): Promise<void> {
    await this.stop();
    await this.place.dispose();
  }
}
