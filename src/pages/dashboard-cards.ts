import { Injectable } from '@nestjs/common';

import { CORE_OWNER } from '../common/index.js';
import type { Access } from '../auth/index.js';
import { HookRegistry } from '../hooks/index.js';
import { Permissions, type RequestContext } from '../operations/index.js';
import type { WidgetRecord } from '../sdk/index.js';
import { WidgetRegistry, type Widget } from '../theme/index.js';

/** Plugins' cards on the administrators' dashboard. */
@Injectable()
export class DashboardCards {
  constructor(
    private readonly widgets: WidgetRegistry,
    private readonly hooks: HookRegistry,
    private readonly permissions: Permissions,
  ) {}

  /** Returns the cards of plugins that the reader may use. */
  async of(call: RequestContext, access: Access): Promise<Widget[]> {
    const widgets = await this.widgets.buildWidgets('admin', null, {
      call,
      locale: call.locale,
      apply: async (list) => (await this.hooks.applyByReference('dashboard.admin.widgets', list as WidgetRecord[])) as typeof list,
    });
    return widgets.filter(({ owner }) => owner === CORE_OWNER || this.permissions.mayUsePlugin(access, owner));
  }
}
