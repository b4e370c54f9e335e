import { request } from 'node:http';

/** Timeout per step and poll interval, in milliseconds. */
const TIMEOUT_MS = 15_000;
const POLL_MS = 100;

/** A simulated browser: keeps cookies and throws readable errors. */
export class DemoVisitor {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly base: string) {}

  /** Runs an operation of one side. @throws Error with the panel's message if it is rejected */
  async operate(side: 'admin' | 'user', fields: Record<string, string>): Promise<Record<string, unknown>> {
    const answer = await this.json('POST', `/${side}/ajax.php`, fields);
    if (answer.qk === 1 || answer.success === true || Array.isArray(answer.rows)) return answer;
    throw new Error(`${side} operation ${fields.gn}: ${String(answer.code)}`);
  }

  /** Sends a request and parses the JSON response. */
  async json(method: string, path: string, fields?: Record<string, string>): Promise<Record<string, unknown>> {
    const response = await this.send(method, path, fields);
    const text = await response.text();
    try {
      return JSON.parse(text) as Record<string, unknown>;
    } catch {
      throw new Error(`${method} ${path} answered ${response.status} without JSON: ${text.slice(0, 200)}`);
    }
  }

  /** Submits a form and returns the redirect location. */
  async redirect(method: string, path: string, fields?: Record<string, string>): Promise<string> {
    const response = await this.send(method, path, fields);
    const location = response.headers.get('location');
    if (!location) throw new Error(`${method} ${path} answered ${response.status} without a redirect.`);
    return location;
  }

  /** Returns the hidden fields of the form on a page. */
  async form(path: string): Promise<Record<string, string>> {
    const page = await (await this.send('GET', path)).text();
    const inputs = page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
    return Object.fromEntries([...inputs].map(([, name, value]) => [name!, decodeEntities(value!)]));
  }

  /** Polls a page until it shows the expected content. */
  async waitFor(path: string, expected: (page: string) => boolean, expectation: string, timeout = TIMEOUT_MS): Promise<void> {
    const deadline = Date.now() + timeout;
    while (Date.now() < deadline) {
      if (expected(await (await this.send('GET', path)).text())) return;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw new Error(`Expected ${expectation} within ${timeout / 1_000} seconds.`);
  }

  /** Requests the front page of a host name from the sites server. */
  site(port: number, host: string): Promise<{ status: number; body: string }> {
    return new Promise((resolve, reject) => {
      request({ host: '127.0.0.1', port, path: '/', headers: { Host: `${host}:${port}` } }, (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      })
        .on('error', reject)
        .end();
    });
  }

  private async send(method: string, path: string, fields?: Record<string, string>): Promise<Response> {
    const response = await fetch(new URL(path, this.base), {
      method,
      redirect: 'manual',
      headers: { cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      body: fields ? new URLSearchParams(fields) : undefined,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      this.cookies.set(name!, value!);
    }
    return response;
  }
}

function decodeEntities(text: string): string {
  const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!);
}
