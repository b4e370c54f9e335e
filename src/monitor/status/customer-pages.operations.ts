import { Injectable } from '@nestjs/common';

import { BaseUrl } from '../../config/index.js';
import { ListReply, Operation, SuccessReply } from '../../operations/index.js';
import { MonitorInput } from '../records/index.js';

import { CustomerPageListInput, CustomerPageRepository, SwitchOffInput, stateOfPage } from './customer-page-repository.js';

/** Administrators' operations on customers' status pages. Source: docs/panel-api.md "Status pages". */
@Injectable()
export class CustomerPageOperations {
  constructor(
    private readonly pages: CustomerPageRepository,
    private readonly baseUrl: BaseUrl,
  ) {}

  @Operation({ side: 'admin', gn: 'status_list', auth: 'admin', input: CustomerPageListInput, audit: null, rate: 'read' })
  async list(input: CustomerPageListInput): Promise<ListReply> {
    const { total, pages } = await this.pages.page(input);
    const base = `${this.baseUrl.current()}/status/`;
    return new ListReply(
      total,
      pages.map(({ page, user }) => ({
        id: page.id,
        user,
        title: page.title,
        slug: page.slug,
        state: stateOfPage(page),
        off_reason: page.offReason ?? '',
        // A page that is not public cannot be opened.
        url: stateOfPage(page) === 'public' ? `${base}${page.slug}` : '',
      })),
    );
  }

  /** Disables a page regardless of its owner's settings until it is enabled again; the owner sees the reason. */
  @Operation({ side: 'admin', gn: 'status_off', auth: 'admin', input: SwitchOffInput, audit: 'monitor.audit.status_off', rate: 'write' })
  async switchOff({ id, reason }: SwitchOffInput): Promise<SuccessReply> {
    await this.pages.switchOff(id, reason);
    return new SuccessReply('monitor.status_switched_off');
  }

  @Operation({ side: 'admin', gn: 'status_on', auth: 'admin', input: MonitorInput, audit: 'monitor.audit.status_on', rate: 'write' })
  async switchOn({ id }: MonitorInput): Promise<SuccessReply> {
    await this.pages.switchOn(id);
    return new SuccessReply('monitor.status_switched_on');
  }
}
