import type { TestPanel } from './panel.js';

/** Browser session on the account pages, in Chinese, that keeps its cookies. */
export class AccountVisitor {
  readonly cookies = new Map<string, string>();
  constructor(private readonly panel: TestPanel) {}

  async send(method: string, path: string, fields?: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
    const response = await this.panel.fetch(path, {
      method,
      headers: { 'Accept-Language': 'zh-CN', Cookie: this.header, ...headers },
      ...(fields && { body: new URLSearchParams(fields) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (/max-age=0/i.test(line)) this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    return response;
  }
  get header(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
  async api(name: string, fields?: Record<string, string>): Promise<Record<string, unknown>> {
    const response = await this.send(fields ? 'POST' : 'GET', `/account/api/${name}`, fields);
    return (await response.json()) as Record<string, unknown>;
  }
  async page(path: string): Promise<string> {
    return (await this.send('GET', path)).text();
  }
}
