import type { TextRef } from '../../common/index.js';
import { registerNotice, type NoticeDraft } from '../../notify/index.js';
import type { CheckOutcome } from '../checks/index.js';
import type { MonitorTask } from '../entities/index.js';
import type { Transition } from '../states/monitor-states.js';

const EXAMPLE = { url: 'https://example.com/', error: { key: 'monitor.problem.failed' } };
for (const transition of ['down', 'still', 'unknown'])
  registerNotice({
    kind: 'monitor',
    title: { key: `monitor.notice.${transition}`, params: { name: 'example.com' } },
    texts: [
      { key: 'monitor.notice.url_text', params: { ...EXAMPLE, code: 500, ms: 120 } },
      { key: 'monitor.notice.down_text', params: { what: 'example.com:443', error: EXAMPLE.error } },
    ],
  });
registerNotice({
  kind: 'monitor',
  title: { key: 'monitor.notice.up', params: { name: 'example.com' } },
  texts: [{ key: 'monitor.notice.up_text', params: { what: EXAMPLE.url } }],
});

/** Builds the notice for a monitor that is down, still down, up again or in an unknown state. */
export function noticeOf(task: MonitorTask, transition: Transition, outcome: CheckOutcome, at: Date): NoticeDraft {
  return {
    to: task.user === '' ? 'administrators' : { account: task.user },
    kind: task.type === 'cert' ? 'certificate' : 'monitor',
    // Recoveries are not mailed. Spec: monitor.md "Monitoring run" 5.
    mail: task.notifyByEmail && transition !== 'up',
    level: transition === 'up' ? 'success' : 'warning',
    key: `monitor:${task.id}:${transition}:${at.getTime()}`,
    title: { key: `monitor.notice.${transition}`, params: { name: task.name } },
    text: textOf(task, transition, outcome),
    link: `/${task.user === '' ? 'admin' : 'user'}/monitor?id=${task.id}`,
  };
}

function textOf({ type, url }: MonitorTask, transition: Transition, { code, ms, error }: CheckOutcome): TextRef {
  if (transition === 'up') return { key: 'monitor.notice.up_text', params: { what: url === '' ? { key: `monitor.kind.${type}` } : url } };
  const reason = error ?? { key: 'monitor.problem.failed' };
  if (type !== 'url')
    return { key: 'monitor.notice.down_text', params: { what: url === '' ? { key: `monitor.kind.${type}` } : url, error: reason } };
  return { key: 'monitor.notice.url_text', params: { url, code: code ?? '-', ms: ms ?? '-', error: reason } };
}
