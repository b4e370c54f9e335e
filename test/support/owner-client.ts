import type { TestPanel } from './panel.js';

/** Signed-in owner of a host. */
export class OwnerClient {
  private constructor(
    private readonly panel: TestPanel,
    /** Id of the host. */
    readonly id: string,
    readonly cookie: string,
  ) {}

  /**
   * Opens a host and signs in.
   *
   * @param server code of the server
   */
  static async open(panel: TestPanel, user: string, server: string): Promise<OwnerClient> {
    const made = await panel.admin('addzj', { user, pass: 'secret-pass-1', btdh: server });
    if (!made.success) throw new Error(JSON.stringify(made));
    return new OwnerClient(panel, String(made.data.id), await panel.signInUser(user, 'secret-pass-1'));
  }

  /** Calls an operation of the user side. */
  async call(gn: string, fields: Record<string, string> = {}): Promise<Record<string, unknown>> {
    const body = new URLSearchParams({ gn, ...fields });
    const response = await this.panel.fetch('/user/ajax.php', { method: 'POST', body, headers: { Cookie: this.cookie } });
    return (await response.json()) as Record<string, unknown>;
  }

  /** Returns the HTML of a page of the user side. */
  async page(path: string, language = 'zh-CN'): Promise<string> {
    const response = await this.panel.fetch(`/user/${path}`, { headers: { Cookie: this.cookie, 'Accept-Language': language } });
    if (response.status !== 200) throw new Error(`/user/${path}: HTTP ${response.status}`);
    return response.text();
  }
}
