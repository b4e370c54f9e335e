import { Controller } from '@nestjs/common';

import { accessOf } from '../../auth/index.js';
import { BaseUrl } from '../../config/index.js';
import type { RequestContext } from '../../operations/index.js';
import { SiteSettings } from '../../site/index.js';
import { Page } from '../../web/index.js';
import { ApiCallers, MIN_CLIENT_VERSION } from '../external-api/index.js';
import { NodesService } from '../nodes/index.js';

/** Maximum servers in a selection. */
const MAX_SERVERS = 200;

/** Page for connecting a shop of another system. */
@Controller()
export class ShopPages {
  constructor(
    private readonly nodes: NodesService,
    private readonly settings: SiteSettings,
    private readonly callers: ApiCallers,
    private readonly baseUrl: BaseUrl,
  ) {}

  @Page({
    side: 'admin',
    path: 'connect-shop',
    title: 'hosting.menu.connect_shop',
    menu: { icon: 'mdi-cart-outline', order: 33.5 },
    needs: ['djcs'],
  })
  async connect({ admin, query }: RequestContext): Promise<object> {
    const { nodes } = await this.nodes.page({ page: 1, limit: MAX_SERVERS, sortOrder: 'asc', ids: accessOf(admin).servers });
    const servers = nodes.map(({ id, code, enabled }) => ({ id, code, enabled }));
    const { apiOpen, apiAllow } = this.settings.current;
    const base = new URL(this.baseUrl.current());
    return {
      servers,
      server: servers.find(({ id }) => String(id) === query.server) ?? servers[0] ?? null,
      api_open: apiOpen,
      allowed: apiAllow ?? '',
      callers: await this.callers.recent(),
      address: {
        url: `${this.baseUrl.current()}/api/api.php`,
        host: base.hostname,
        port: base.port || (base.protocol === 'https:' ? '443' : '80'),
        secure: base.protocol === 'https:',
      },
      client_version: MIN_CLIENT_VERSION,
    };
  }
}
