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
  private own: string;

  constructor(private readonly config: Pick<AppConfig, 'configuredBaseUrl' | 'host' | 'port'>) {
    this.own = addressUrl(config.host, config.port);
    this.url = config.configuredBaseUrl || this.own;
  }

  /** The base URL now. */
  current(): string {
    return this.url;
  }

  /** The address this process itself answers at, whatever `BASE_URL` says: to call it on this machine. */
  local(): string {
    return this.own;
  }

  /** Takes over the port the server really got; `BASE_URL` still wins. */
  listeningOn(port: number): void {
    this.own = addressUrl(this.config.host, port);
    if (!this.config.configuredBaseUrl) this.url = this.own;
  }
}

function addressUrl(host: string, port: number): string {
  // A wildcard is an address to listen on, not one to go to.
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
