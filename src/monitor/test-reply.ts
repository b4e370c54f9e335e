import { translate, type Locale } from '../common/index.js';
import { SuccessReply } from '../operations/index.js';

import type { CheckOutcome } from './checks/index.js';

/** Builds the reply to a manual check. */
export function testReply(outcome: CheckOutcome | null, locale: Locale): SuccessReply {
  if (!outcome) return new SuccessReply('monitor.test.waits', { ok: '', result: translate(locale, 'monitor.test.waits') });
  const { ok, code, ms, error, excerpt } = outcome;
  const result = ok ? translate(locale, 'monitor.test.ok') : translate(locale, error?.key ?? 'monitor.problem.failed', error?.params);
  return new SuccessReply('monitor.test.done', {
    ok: String(ok),
    result,
    status_code: code ?? '–',
    response_time: ms === null ? '–' : `${ms} ms`,
    excerpt,
  });
}
