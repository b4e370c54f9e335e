import { directive } from '../kit/alpine.js';
import { isLocal } from '../kit/page.js';

const POLL_MS = 3000;

/** Polls an order until it is no longer unpaid, then navigates on. */
directive('data-poll', 'poll', (place, { expression }, { cleanup }) => {
  const poll = async (): Promise<void> => {
    if (document.hidden) return;
    const response = await fetch(expression, { headers: { Accept: 'application/json' } });
    const answer = (await response.json()) as { status?: string; data?: { status?: string } };
    const status = answer.data?.status ?? answer.status;
    if (!status || status === 'unpaid') return;
    clearInterval(timer);
    const { pollDone } = (place as HTMLElement).dataset;
    if (isLocal(pollDone)) location.assign(pollDone);
    else location.reload();
  };
  // A failed poll is retried by the next one.
  const timer = setInterval(() => void poll().catch(() => undefined), POLL_MS);
  cleanup(() => clearInterval(timer));
});
