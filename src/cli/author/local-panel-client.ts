import { AuthorError } from './author-error.js';
import { isLoopback } from './loopback.js';

/** Timeout of a request to the panel, in milliseconds: starting a plugin may take half a minute. */
const TIMEOUT_MS = 40_000;

/** The response of a panel operation. */
export interface PanelReply {
  readonly success?: boolean;
  /** The message for the user. */
  readonly code: string;
  readonly rows?: readonly PanelRow[];
}

/** A plugin or theme in a list. */
export interface PanelRow {
  /** Set for a plugin. */
  readonly slug?: string;
  readonly error?: string;
  readonly installed?: boolean;
  /** Set for a theme. */
  readonly name?: string;
  readonly problems?: readonly { readonly view: string; readonly message: string }[];
}

/** A client for a panel on this machine, authenticated with an administrator's API key. */
export class LocalPanelClient {
  private readonly url: URL;

  /**
   * @param needs operations the API key must allow, as text
   * @throws AuthorError for an address that is not on this machine, because projects in development must not run for customers
   */
  constructor(
    address: string,
    private readonly key: string,
    private readonly needs: string,
  ) {
    const url = URL.canParse(address) ? new URL(address) : null;
    if (!url || !/^https?:$/.test(url.protocol))
      throw new AuthorError(`"${address}" is not the address of a panel. Example: http://127.0.0.1:3000`);
    if (!isLoopback(url.hostname))
      throw new AuthorError(`${url.origin} is not on this machine. Use a local panel: npm start in a checkout, http://127.0.0.1:3000`);
    this.url = new URL('/admin/ajax.php', url.origin);
  }

  /** Runs an operation of the admin side. @throws AuthorError if the panel does not respond, or rejects the key */
  async run(gn: string, fields: Readonly<Record<string, string>> = {}): Promise<PanelReply> {
    let reply: PanelReply;
    try {
      const response = await fetch(this.url, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.key}`, 'accept-language': 'en' },
        body: new URLSearchParams({ gn, ...fields }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        redirect: 'error',
      });
      reply = (await response.json()) as PanelReply;
    } catch (error) {
      const { cause, message } = error as Error;
      throw new AuthorError(`The panel at ${this.url.origin} does not answer: ${cause instanceof Error ? cause.message : message}`);
    }
    if (reply.code === '请登陆后台')
      throw new AuthorError(
        `The panel rejected the API key in SVC_PANEL_KEY. Create one under Access → API keys that may run ${this.needs}.`,
      );
    return reply;
  }
}
