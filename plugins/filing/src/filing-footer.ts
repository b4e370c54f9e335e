import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { html, SVC_FACADE, type CallContext, type OverrideResult, type SvcFacade } from '@svc/sdk';

import { FilingSettings, type Filings } from './filing-settings.js';

/** Token of the sides whose pages show the numbers. */
export const SIDES = Symbol('sides');
/** Sides of the panel with their own pages. */
export type Side = 'admin' | 'user' | 'home' | 'pay';

/** Public registers of the numbers. */
const ICP_RECORDS = 'https://beian.miit.gov.cn/';
const POLICE_RECORDS = 'https://beian.mps.gov.cn/';
const POLICE_CODE = /\d{14}/;

/** Shows the numbers below the pages. */
@Injectable()
export class FilingFooter implements OnModuleInit {
  constructor(
    @Inject(SVC_FACADE) private readonly svc: SvcFacade,
    @Inject(SIDES) private readonly sides: readonly Side[],
    @Inject(FilingSettings) private readonly settings: FilingSettings,
  ) {}

  onModuleInit(): void {
    // `home/foot` names its side; a plain `foot` would use that of the first argument.
    for (const side of this.sides)
      this.svc.svc_register_partial_override('user', `${side}/foot`, async (_vars, ctx) => below(await this.settings.read(), ctx));
  }
}

/** Renders the line below a page's footer; nothing if no number is saved. */
function below({ icp, police, licence }: Filings, ctx: CallContext): OverrideResult {
  const code = POLICE_CODE.exec(police)?.[0];
  const parts = [
    icp && link(ICP_RECORDS, icp),
    police && link(code ? `${POLICE_RECORDS}#/query/webSearch?code=${code}` : POLICE_RECORDS, police),
    licence && html`<span>${ctx.t('licence_line', { number: licence })}</span>`,
  ].filter((part) => part !== '');
  if (parts.length === 0) return null;
  const classes = 'd-flex flex-wrap gap-3 justify-content-center text-secondary small px-3 pb-3 d-print-none';
  return { before: '', after: String(html`<div class="${classes}" role="group" aria-label="${ctx.t('label')}">${parts}</div>`) };
}

function link(href: string, text: string) {
  return html`<a class="text-secondary" href="${href}" target="_blank" rel="noreferrer">${text}</a>`;
}
