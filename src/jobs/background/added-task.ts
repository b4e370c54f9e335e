import { DEFAULT_PRIORITY, LAST_PRIORITY, type AddOptions } from './background-queue.js';

/** Maximum size of a payload's JSON, in bytes: it fits into a column of both database engines. */
const MAX_PAYLOAD_BYTES = 60_000;
const MAX_KEY = 120;
const MAX_BY = 120;
const NAME = /^[\w.-]{1,60}$/;

/** A requested task, validated, with defaults filled in. */
export interface AddedTask {
  readonly name: string;
  /** JSON. */
  readonly payload: string;
  readonly key: string | null;
  readonly runAt: Date | null;
  readonly priority: number;
  readonly by: string | null;
}

/** Whether a name is valid for tasks. */
export const isTaskName = (name: string): boolean => NAME.test(name);

/** @throws Error describing the problem */
export function checkedTask(name: string, payload: unknown, options: AddOptions = {}): AddedTask {
  const { key = null, runAt = null, priority = DEFAULT_PRIORITY, by = null } = options;
  const refuse = (problem: string): never => {
    throw new Error(`The task "${name}" ${problem}.`);
  };
  if (!isTaskName(name)) refuse('needs a name of letters, digits, ".", "-" and "_", at most 60');
  const text = JSON.stringify(payload ?? null) as string | undefined;
  if (text === undefined) return refuse('needs a JSON payload');
  if (Buffer.byteLength(text) > MAX_PAYLOAD_BYTES) refuse(`has a payload of more than ${MAX_PAYLOAD_BYTES} bytes`);
  if (key !== null && (key === '' || key.length > MAX_KEY)) refuse(`needs a key of 1 to ${MAX_KEY} characters`);
  if (runAt !== null && Number.isNaN(runAt.getTime())) refuse('needs a valid time to run at');
  if (!Number.isInteger(priority) || priority < 1 || priority > LAST_PRIORITY) refuse(`needs a priority of 1 to ${LAST_PRIORITY}`);
  return { name, payload: text, key, runAt, priority, by: by && by.slice(0, MAX_BY) };
}
