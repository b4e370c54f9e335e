import { clip, oneLine } from '../text.js';
import type { Answer } from './answer.js';
import type { PanelClient } from './panel-client.js';
import { PanelError } from './panel-error.js';
import { SIGNATURE_WINDOW_SECONDS } from './signature.js';

/** Explains refusals of the panel for the log. */
export const REFUSAL_HINTS = new Map([
  [
    '节点签名校验失败',
    'platform_secret or node_secret differs from the panel (copy the config from the panel again, or renew ' +
      'the secrets there), or the clock of this server is wrong',
  ],
  ['节点不存在或已禁用', 'the node was deleted or disabled in the panel'],
  ['缺少节点ID', 'a proxy removed the X-SVC-* headers'],
  ['重复请求', 'the same request reached the panel twice; a proxy repeats requests'],
]);

/**
 * Describes a clock difference. @param skew seconds the panel's clock is ahead
 * @param skew seconds
 */
export function skewText(skew: number) {
  return (
    `The clock of this server is ${Math.abs(skew)} s ${skew > 0 ? 'behind' : 'ahead of'} the panel's; requests ` +
    `with a difference of more than ${SIGNATURE_WINDOW_SECONDS} s are rejected. Set the clock, for example with: timedatectl set-ntp ` +
    'true'
  );
}

/** Describes a refusal and what to do. @param skew seconds the panel's clock is ahead; null if unknown */
export function refusalText(message: string, skew: number | null): string {
  const hint = REFUSAL_HINTS.get(message);
  const clock = skew !== null && Math.abs(skew) > SIGNATURE_WINDOW_SECONDS ? ` ${skewText(skew)}` : '';
  return (
    'The panel rejected the request: ' +
    `${clip(oneLine(message), 200) || 'no reason given'}${hint === undefined ? '' : ` (${hint})`}.${clock}`
  );
}

/** Returns a successful response. @throws PanelError describing the refusal */
export function accepted(answer: Answer, { clockSkewSeconds }: Pick<PanelClient, 'clockSkewSeconds'>): Answer {
  if (answer.success) return answer;
  throw new PanelError('status', refusalText(answer.message, clockSkewSeconds));
}
