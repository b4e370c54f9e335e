import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { html, SVC_FACADE, type CallContext, type OverrideResult, type SvcFacade } from '@svc/sdk';

import { FilingSettings, type Filings } from './filing-settings.js';

/** Token of the sides whose pages have the numbers. */
export const SIDES = Symbol('sides');
/** Sides of the panel that have pages of their own. */
export type Side = 'admin' | 'user' | 'home' | 'pay';

/** Where anybody can look a number up. */
const ICP_RECORDS = 'https://beian.miit.gov.cn/';
const POLICE_RECORDS = 'https://beian.mps.gov.cn/';
const POLICE_CODE = /\d{14}/;

/** The numbers below the pages. */
@Injectable()
export class FilingFooter implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(SIDES) private readonly sides: readonly Side[],
    @Inject(FilingSettings) private readonly settings: FilingSettings,
  ) {}

  onModuleInit(): void {
    // `home/foot` names its side itself; that of a plain `foot` would be the first argument's.
    for (const side of this.sides)
      this.svc.svc_register_partial_override('user', `${side}/foot`, async (_vars, ctx) => below(await this.settings.read(), ctx));
  }
}

/** What stands below the foot of a page; nothing where nothing was saved. */
function below({ icp, police, licence }: Filings, ctx: CallContext): OverrideResult {
  const code = POLICE_CODE.exec(police)?.[0];
  const parts = [
    icp && link(ICP_RECORDS, icp),
    police && link(code ? `${POLICE_RECORDS}#/query/webSearch?code=${code}` : POLICE_RECORDS, police),
    licence && html`<span>${ctx.t('licence_line', { number: licence })}</span>`,
  ].filter((part) => part !== '');
  if (parts.length === 0) return null;
  const look = 'd-flex flex-wrap gap-3 justify-content-center text-secondary small px-3 pb-3 d-print-none';
  return { before: '', after: String(html`<div class="${look}" role="group" aria-label="${ctx.t('label')}">${parts}</div>`) };
}

function link(href: string, text: string) {
  return html`<a class="text-secondary" href="${href}" target="_blank" rel="noreferrer">${text}</a>`;
}
