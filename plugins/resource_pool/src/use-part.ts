import { html, type CallContext, type SafeHtml } from '@svc/sdk';

import { RESOURCES, type Amounts } from './amounts.js';
import type { PoolUse } from './members.js';
import { useText } from './words.js';

/** Shows the usage of a quota, with a bar per resource. */
export function usePart(ctx: CallContext, quota: Amounts, { used, over }: PoolUse): SafeHtml {
  return html`<div class="use">${RESOURCES.map((resource) => {
    const isOver = over.includes(resource);
    const share = quota[resource] === 0 ? 0 : Math.min(100, Math.round((used[resource] / quota[resource]) * 100));
    return html`<div><div class="use-line"><span>${ctx.t(resource)}</span><span>${useText(ctx, quota, used, resource)}</span></div>
      ${
        quota[resource] === 0
          ? ''
          : html`<progress max="100" value="${share}" class="${isOver ? 'over' : ''}" aria-label="${ctx.t(resource)}">${share}%</progress>`
      }
      ${isOver ? html`<p class="use-over">${ctx.t('over_one')}</p>` : ''}</div>`;
  })}</div>`;
}
