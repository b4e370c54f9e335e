import type { AppConfig } from './app-config.js';

/**
 * Public URL of this panel without a trailing slash: `BASE_URL` if set, otherwise the address the server listens on, whose port is only
 * known once it listens (`PORT=0` uses a free port).
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

  /** Returns the current base URL. */
  current(): string {
    return this.url;
  }

  /** Returns the local address of this process regardless of `BASE_URL`, for requests on this machine. */
  local(): string {
    return this.own;
  }

  /** Sets the port the server actually listens on; `BASE_URL` still takes precedence. */
  listeningOn(port: number): void {
    this.own = addressUrl(this.config.host, port);
    if (!this.config.configuredBaseUrl) this.url = this.own;
  }
}

function addressUrl(host: string, port: number): string {
  // A wildcard address can be listened on but not connected to.
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
