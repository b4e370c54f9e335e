import { Controller } from '@nestjs/common';

import { versioned } from '../../http/index.js';
import type { RequestContext } from '../../operations/index.js';
import { SiteSettings, apiForm } from '../../site/index.js';
import { SettingsTab } from '../../web/index.js';
import { ApiCallers } from '../external-api/index.js';

/** Tab of the settings page: the provisioning API. */
@Controller()
export class ApiSettingsPages {
  constructor(
    private readonly settings: SiteSettings,
    private readonly callers: ApiCallers,
  ) {}

  @SettingsTab({ tab: 'api', order: 30, menu: 'hosting.menu.api', needs: 'setapi' })
  async api({ baseUrl }: RequestContext): Promise<object> {
    return { ...versioned(apiForm(this.settings.current)), api_url: `${baseUrl}/api/api.php`, callers: await this.callers.recent() };
  }
}
