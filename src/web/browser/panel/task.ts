import Alpine from '@alpinejs/csp';

import { alias, component } from '../kit/alpine.js';
import { call } from './call.js';
import { refreshLists } from './list.js';

const POLL_MS = 3000;
const ENDED = ['success', 'failed', 'gone'];

/** How far a task is until it has ended; the operation that `data-tasks` names lists tasks, newest first. */
component('data-tasks', 'task', () => ({
  status: '',
  /** The status in words: `data-task-{status}`. */
  words() {
    return this.status && (this.$root.getAttribute(`data-task-${this.status}`) ?? this.status);
  },
  async follow(id: unknown) {
    const bar = this.$root.querySelector('progress')!;
    this.$root.hidden = false;
    for (let wasListed = false; this.$root.isConnected; await new Promise((resolve) => setTimeout(resolve, POLL_MS))) {
      const { rows } = await call(this.$root.dataset.tasks!, { page: '1', limit: '100' });
      const task = ((rows ?? []) as { task_id: unknown; status: string }[]).find((row) => row.task_id === id);
      this.status = task?.status ?? (wasListed ? 'gone' : 'pending');
      wasListed ||= task !== undefined;
      bar.hidden = ENDED.includes(this.status);
      if (bar.hidden) break;
    }
    await refreshLists();
  },
}));
alias('data-task-state', 'x-text', 'words');

/** Shows in a place of the page how far a task is. */
export function followTask(place: HTMLElement, id: unknown): Promise<void> {
  return (Alpine.$data(place) as { follow(id: unknown): Promise<void> }).follow(id);
}
