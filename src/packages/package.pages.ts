import { randomUUID } from 'node:crypto';

import { Controller } from '@nestjs/common';

import { AppError, localeOf, toYuan, translate } from '../common/index.js';
import { HostingService } from '../hosting/index.js';
import { OperationPipeline, type ListReply, type RequestContext } from '../operations/index.js';
import type { HostRecord, Scope } from '../sdk/index.js';
import { SiteSettings } from '../site/index.js';
import { Page, PageMissing } from '../web/index.js';

import { PackageChanges } from './package-changes.js';
import { PackageOffers } from './package-offers.js';
import { PlannedPackages } from './planned-packages.js';
import { worthOf } from './package-value.js';

/** Where a host changes its package: by its owner, and by administrators who order it for him or say what it is. */
@Controller()
export class PackagePages {
  constructor(
    private readonly pipeline: OperationPipeline,
    private readonly hosting: HostingService,
    private readonly changes: PackageChanges,
    private readonly offers: PackageOffers,
    private readonly planned: PlannedPackages,
    private readonly settings: SiteSettings,
  ) {}

  @Page({ side: 'user', path: 'package', title: 'theme.menu.package', menu: { icon: 'mdi-swap-vertical', order: 28 } })
  ofUser(call: RequestContext): Promise<object> {
    return this.shown('user', call, call.user!.id, {});
  }

  @Page({ side: 'admin', path: 'host-package', title: 'theme.menu.package', needs: ['bgjg'] })
  async ofAdmin(call: RequestContext): Promise<object> {
    const id = call.query.id ?? '';
    const shown = await this.shown('admin', call, Number(id), { id });
    return { ...shown, all: await this.offers.of((await this.hosting.get(Number(id)))!) };
  }

  private async shown(side: Scope, call: RequestContext, id: number, fields: Readonly<Record<string, string>>): Promise<object> {
    // The operation knows which hosts somebody may see.
    const quotes = await this.pipeline.show(side, 'bgjg', fields, call).catch((error: unknown) => {
      throw error instanceof AppError ? new PageMissing() : error;
    });
    const host = await this.hosting.get(id);
    if (!host) throw new PageMissing();
    const locale = localeOf(call.locale);
    const planned = await this.planned.of(host);
    return {
      host: { id: host.id, user: host.user, datae: host.expiresOn, package: host.package ?? '' },
      ...(await this.present(host, (key) => translate(locale, key))),
      quotes: (quotes as ListReply).rows,
      planned: planned ? { name: planned.name } : null,
      // One for each time the page is shown: the button pressed twice orders once.
      request: randomUUID(),
      contact: this.settings.current.contact,
    };
  }

  /** The package a host is of and what is left of it; or why it cannot change. */
  private async present(host: HostRecord, words: (key: string) => string): Promise<object> {
    try {
      const { present, daysLeft, paid, today, host: subject } = await this.changes.of(host.id);
      const worth = toYuan(worthOf(paid, { today, expiresOn: subject.expiresOn }));
      return { refused: '', present: present?.name ?? '', days_left: daysLeft, worth };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { refused: words(error.shape.text), present: '', days_left: 0, worth: '' };
    }
  }
}
