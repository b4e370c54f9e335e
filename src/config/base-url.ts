import type { AppConfig } from './app-config.js';

/**
 * Where this panel is reached from outside, without a trailing slash. `BASE_URL` where it is set; otherwise the address
 * the server listens on, whose port is known for certain only once it listens (`PORT=0` takes a free one).
 *
 * @example
 * ```ts
 * baseUrl.listeningOn(server.address().port);
 * baseUrl.current(); // "http://127.0.0.1:3000"
 * ```
 */
export class BaseUrl {
  private url: string;

  constructor(private readonly config: Pick<AppConfig, 'configuredBaseUrl' | 'host' | 'port'>) {
    this.url = config.configuredBaseUrl || addressUrl(config.host, config.port);
  }

  /** The base URL now. */
  current(): string {
    return this.url;
  }

  /** Takes over the port the server really got; `BASE_URL` still wins. */
  listeningOn(port: number): void {
    if (!this.config.configuredBaseUrl) this.url = addressUrl(this.config.host, port);
  }
}

function addressUrl(host: string, port: number): string {
  // A wildcard is an address to listen on, not one to go to.
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
