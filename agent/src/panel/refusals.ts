import { clip, oneLine } from '../text.js';
import type { Answer } from './answer.js';
import type { PanelClient } from './panel-client.js';
import { PanelError } from './panel-error.js';
import { SIGNATURE_WINDOW_SECONDS } from './signature.js';

/** What refusals of the panel mean, for the log. */
export const REFUSAL_HINTS = new Map([
  [
    '节点签名校验失败',
    'platform_secret or node_secret is not the one the panel has (copy the config again from the panel, or renew ' +
      'the secrets there), or the clock of this server is wrong',
  ],
  ['节点不存在或已禁用', 'the node was deleted or switched off in the panel'],
  ['缺少节点ID', 'something on the way removed the X-SVC-* headers'],
  ['重复请求', 'the same request reached the panel twice; something on the way repeats requests'],
]);

/** @param skew seconds */
export function skewText(skew: number) {
  return (
    `The clock of this server is ${Math.abs(skew)} s ${skew > 0 ? 'behind' : 'ahead of'} the panel's; requests ` +
    `further apart than ${SIGNATURE_WINDOW_SECONDS} s are refused. Set it, such as with: timedatectl set-ntp ` +
    'true'
  );
}

/** What the panel refused with, and what to do. @param skew seconds the panel's clock is ahead; null where that is not known */
export function refusalText(message: string, skew: number | null): string {
  const hint = REFUSAL_HINTS.get(message);
  const clock = skew !== null && Math.abs(skew) > SIGNATURE_WINDOW_SECONDS ? ` ${skewText(skew)}` : '';
  return `The panel refuses: ${clip(oneLine(message), 200) || 'without a reason'}${hint === undefined ? '' : ` (${hint})`}.${clock}`;
}

/** The answer, where it is no refusal. @throws PanelError that says what the panel refused with */
export function accepted(answer: Answer, { clockSkewSeconds }: Pick<PanelClient, 'clockSkewSeconds'>): Answer {
  if (answer.success) return answer;
  throw new PanelError('status', refusalText(answer.message, clockSkewSeconds));
}
