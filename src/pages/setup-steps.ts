import { DEFAULT_ORDER, isSafeUrl } from '../theme/index.js';

const STEP_ID = /^[a-z0-9_-]{1,64}$/;
const OPERATION = /^[A-Za-z0-9_]{1,64}$/;
/** Maximum number of steps. */
const MAX_STEPS = 20;

/** A step of the guide, as passed to the template. */
export interface SetupStep {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly url: string;
  readonly label: string;
  readonly done: boolean;
  /** Empty: the button is only a link. */
  readonly operation: string;
}

/** Returns the steps left by the listeners of `dashboard.admin.steps`, sorted; the last one with an `id` wins, invalid ones are dropped. */
export function toSetupSteps(records: readonly unknown[]): SetupStep[] {
  const steps = new Map<string, { step: SetupStep; order: number }>();
  for (const record of Array.isArray(records) ? records : []) {
    const step = toStep(record as Record<string, unknown> | null);
    if (!step) continue;
    const { order } = record as { order?: unknown };
    steps.set(step.id, { step, order: typeof order === 'number' && Number.isFinite(order) ? order : DEFAULT_ORDER });
  }
  return [...steps.values()]
    .sort((a, b) => a.order - b.order)
    .slice(0, MAX_STEPS)
    .map(({ step }) => step);
}

function toStep(record: Record<string, unknown> | null): SetupStep | null {
  if (typeof record !== 'object' || record === null) return null;
  const { id, title, text, url, label, done, operation } = record;
  if (typeof id !== 'string' || !STEP_ID.test(id) || typeof title !== 'string' || title.trim() === '' || !isSafeUrl(url)) return null;
  const words = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    id,
    title,
    text: words(text),
    url,
    label: words(label) || title,
    done: done === true,
    operation: typeof operation === 'string' && OPERATION.test(operation) ? operation : '',
  };
}
