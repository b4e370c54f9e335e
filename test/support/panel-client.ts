import { connect } from 'node:net';

/** Response of a panel. */
export interface PanelAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /**
   * The JSON body.
   *
   * @throws SyntaxError if the body is not JSON
   */
  readonly json: Record<string, unknown>;
}

/** Browser session with a panel: keeps its cookies. */
export class PanelClient {
  readonly cookies = new Map<string, string>();

  constructor(readonly url: string) {}

  async send(path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<PanelAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.url + path, {
      redirect: 'manual',
      ...init,
      headers: { ...(cookie ? { cookie } : {}), ...init.headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (/max-age=0/i.test(line)) this.cookies.delete(name!);
      else this.cookies.set(name!, value!);
    }
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      get json() {
        return JSON.parse(text) as Record<string, unknown>;
      },
    };
  }

  /** Posts a form to the AJAX endpoint of a side. */
  ajax(side: 'admin' | 'user', fields: Record<string, string>, headers: Record<string, string> = {}): Promise<PanelAnswer> {
    return this.send(`/${side}/ajax.php`, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  /**
   * Signs in.
   *
   * @throws Error if that fails
   */
  async login(side: 'admin' | 'user', user: string, pass: string): Promise<this> {
    const { json } = await this.ajax(side, { gn: 'login', user, pass });
    if (json.success !== true) throw new Error(`Signing in failed: ${JSON.stringify(json)}`);
    return this;
  }
}

/**
 * Sends raw bytes, so that no client normalizes the path.
 *
 * @returns the raw response
 */
export function sendRaw(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    socket.on('error', reject);
  });
}
