import Alpine from '@alpinejs/csp';

import { alias, component } from '../kit/alpine.js';
import { toast } from '../kit/toast.js';
import { call, type Fields, isSuccess } from './call.js';
import { refreshLists } from './list.js';

const POLL_MS = 3000;
const ENDED = ['success', 'failed', 'gone'];

/** Shows the progress of a task until it ends; the operation in `data-tasks` lists tasks, newest first. */
component('data-tasks', 'task', () => ({
  status: '',
  /** Text of the status: `data-task-{status}`. */
  words() {
    return this.status && (this.$root.getAttribute(`data-task-${this.status}`) ?? this.status);
  },
  async follow(id: unknown) {
    const bar = this.$root.querySelector('progress')!;
    this.$root.hidden = false;
    if (this.$root.dataset.taskFields !== undefined) return this.ask(id, bar);
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
  /** For an operation that reports a single task: its progress, and finally its result. */
  async ask(id: unknown, bar: HTMLProgressElement) {
    const fields = { ...(JSON.parse(this.$root.dataset.taskFields!) as Fields), task_id: String(id) };
    for (; this.$root.isConnected; await new Promise((resolve) => setTimeout(resolve, POLL_MS / 3))) {
      const answer = await call(this.$root.dataset.tasks!, fields);
      this.status = isSuccess(answer) ? String(answer.zt) : 'gone';
      bar.hidden = ENDED.includes(this.status);
      if (!bar.hidden) continue;
      if (answer.cw) toast(String(answer.cw), 'danger');
      break;
    }
    if (this.status === 'success' && this.$root.dataset.taskDone === 'reload') return location.reload();
    await refreshLists();
  },
}));
alias('data-task-state', 'x-text', 'words');

/** Shows the progress of a task in an element of the page. */
export function followTask(place: HTMLElement, id: unknown): Promise<void> {
  return (Alpine.$data(place) as { follow(id: unknown): Promise<void> }).follow(id);
}
