import type { TestAnswer, TestVisitor } from '../../sdk/testing.js';

type Fields = Readonly<Record<string, string>>;

/** A client of a panel over HTTP, signed in or anonymous. */
export class Visitor implements TestVisitor {
  private cookie = '';

  constructor(
    private readonly url: string,
    private readonly side: 'admin' | 'user',
  ) {}

  /** Signs in. @throws Error with the panel's reason */
  async signIn(user: string, pass: string): Promise<this> {
    const response = await this.post(`/${this.side}/ajax.php`, { gn: 'login', user, pass });
    const cookie = response.headers.getSetCookie().find((line) => line.startsWith(`${this.side}_token=`));
    if (!cookie) throw new Error(`${user} cannot sign in: ${((await response.json()) as TestAnswer).code}`);
    this.cookie = cookie.split(';')[0]!;
    return this;
  }

  get(path: string, headers: Fields = {}): Promise<Response> {
    return this.send(path, {}, headers);
  }

  post(path: string, fields: Fields = {}, headers: Fields = {}): Promise<Response> {
    return this.send(path, { method: 'POST', body: new URLSearchParams(fields) }, headers);
  }

  async run(gn: string, fields: Fields = {}): Promise<TestAnswer> {
    return (await (await this.post(`/${this.side}/ajax.php`, { ...fields, gn })).json()) as TestAnswer;
  }

  /** As {@link run}. @throws Error with the panel's reason if rejected */
  async require(gn: string, fields: Fields = {}): Promise<TestAnswer> {
    const answer = await this.run(gn, fields);
    if (answer.success !== true) throw new Error(`${gn}: ${answer.code}`);
    return answer;
  }

  private send(path: string, init: RequestInit, headers: Fields): Promise<Response> {
    // If a test blocks the process for long, the server closes idle keep-alive connections.
    const all = { connection: 'close', ...headers, ...(this.cookie ? { cookie: this.cookie } : {}) };
    return fetch(new URL(path, this.url), { redirect: 'manual', ...init, headers: all });
  }
}
