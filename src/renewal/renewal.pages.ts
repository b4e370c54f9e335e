import { randomUUID } from 'node:crypto';

import { Controller } from '@nestjs/common';

import { AppError } from '../common/index.js';
import { HostingService } from '../hosting/index.js';
import { OperationPipeline, type ListReply, type RequestContext } from '../operations/index.js';
import type { Scope } from '../sdk/index.js';
import { SiteSettings } from '../site/index.js';
import { Page, PageMissing } from '../web/index.js';

import { MOST_MONTHS } from './renewal-offers.js';

/** Where a host is renewed: by its owner, and by administrators who order it for him. */
@Controller()
export class RenewalPages {
  constructor(
    private readonly pipeline: OperationPipeline,
    private readonly hosting: HostingService,
    private readonly settings: SiteSettings,
  ) {}

  @Page({ side: 'user', path: 'renew', title: 'theme.menu.renew', menu: { icon: 'mdi-calendar-refresh-outline', order: 28 } })
  ofUser(call: RequestContext): Promise<object> {
    return this.shown('user', call, call.user!.id, {});
  }

  @Page({ side: 'admin', path: 'host-renewal', view: 'renew', title: 'theme.menu.renew', needs: ['xfjg'] })
  ofAdmin(call: RequestContext): Promise<object> {
    const id = call.query.id ?? '';
    return this.shown('admin', call, Number(id), { id });
  }

  private async shown(side: Scope, call: RequestContext, id: number, fields: Readonly<Record<string, string>>): Promise<object> {
    // The operation knows which hosts somebody may see.
    const offers = await this.pipeline.show(side, 'xfjg', fields, call).catch((error: unknown) => {
      throw error instanceof AppError ? new PageMissing() : error;
    });
    const host = await this.hosting.get(id);
    if (!host) throw new PageMissing();
    return {
      host: { id: host.id, user: host.user, datae: host.expiresOn },
      offers: (offers as ListReply).rows,
      most_months: MOST_MONTHS,
      // One for each time the page is shown: the button pressed twice orders once.
      request: randomUUID(),
      contact: this.settings.current.contact,
    };
  }
}
