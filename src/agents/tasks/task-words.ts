import { localeOf, translate } from '../../common/index.js';
import zhCN from '../lang/zh-CN.json' with { type: 'json' };
import { type ActionFailure, type COMMON_CODES, fieldsOf, isAction, TASK_PROBLEMS } from '../wire/index.js';

import type { TaskLine } from './task-list.js';

/** Errors written by the panel itself, or reported by agents from its responses; stored in the default language. */
const OWN = ['task_cancelled', 'task_lease_ran_out', 'api_body_unwanted', 'api_body_broken', 'api_body_lost'] as const;

/** Earlier wordings of these, which rows keep. A line must never change. */
const EARLIER: readonly (readonly [key: (typeof OWN)[number], text: string])[] = [
  ['task_cancelled', '管理员在被控端领取之前取消了该任务'],
  ['task_lease_ran_out', '节点领取 {n} 次均未在期限内上报结果，请检查节点日志后重新下发任务。'],
  ['task_lease_ran_out', '被控端领取 {n} 次均未在期限内上报结果，请检查被控端日志后重新下发任务。'],
];

/** Known texts with their translation keys. */
const KNOWN: readonly (readonly [key: string, form: RegExp])[] = [
  ...Object.entries(TASK_PROBLEMS).map(([problem, text]) => [`node.problem_${problem}`, formOf(text)] as const),
  ...OWN.map((key) => [`node.${key}`, formOf(zhCN[key])] as const),
  ...EARLIER.map(([key, text]) => [`node.${key}`, formOf(text)] as const),
];

/** Text keys of refusal codes; they may include the server's own message. */
const REFUSALS: Readonly<Record<(typeof COMMON_CODES)[number], string>> = {
  UNKNOWN_ACTION: 'node.refused_unknown_action',
  ARGUMENTS: 'node.refused_arguments',
  LATE: 'node.refused_late',
  FOREIGN: 'node.refused_foreign',
  SITE_TAKEN: 'node.refused_site_taken',
  SCAN_ONLY: 'node.problem_scans_only',
  CONFIG: 'node.refused_config',
  PROGRAM: 'node.refused_program',
  MISSING_PROGRAM: 'node.refused_missing_program',
  DISK_FULL: 'node.refused_disk_full',
  BUSY: 'node.refused_busy',
  BODY: 'node.refused_body',
};

/** Text keys of outcomes without one of those codes. */
const OUTCOMES: Readonly<Record<ActionFailure['outcome'], string>> = {
  refused: 'node.refused_otherwise',
  unknown: 'node.refused_unknown',
  not_found: 'node.refused_not_found',
};

/** Both, looked up by untrusted text from servers. */
const KEYS: ReadonlyMap<string, string> = new Map(Object.entries({ ...REFUSALS, ...OUTCOMES }));

/** Translates an agent's error; unknown texts stay unchanged. */
export function translateProblem(locale: string, text: string): string {
  for (const [key, form] of KNOWN) {
    const found = form.exec(text);
    if (found) return translate(localeOf(locale), key, { ...found.groups, ...(found.groups?.n ? { n: Number(found.groups.n) } : {}) });
  }
  return text;
}

/** Translates the error of a task; for actions by the code in the result. */
export function translateTaskError(locale: string, task: Pick<TaskLine, 'action' | 'error' | 'result_text'>): string {
  const message = translateProblem(locale, task.error);
  if (task.error === '' || !isAction(task.action)) return message;
  const { outcome, code } = failureOf(task.result_text);
  const key = KEYS.get(code) ?? KEYS.get(outcome);
  return key === undefined ? message : translate(localeOf(locale), key, { code, message });
}

/** Parses the result of an action. Servers are not trusted and the text may be truncated, so invalid input yields empty values. */
function failureOf(result: string): { outcome: string; code: string } {
  try {
    const { outcome, code } = fieldsOf(JSON.parse(result));
    return { outcome: typeof outcome === 'string' ? outcome : '', code: typeof code === 'string' ? code.slice(0, 40) : '' };
  } catch {
    return { outcome: '', code: '' };
  }
}

/** Returns a pattern that matches a text with filled placeholders. */
function formOf(text: string): RegExp {
  const parts = text.split(/\{(\w+)\}/).map((part, at) => {
    if (at % 2 === 0) return part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    return part === 'n' ? String.raw`(?<n>\d{1,9})` : `(?<${part}>.*?)`;
  });
  return new RegExp(`^${parts.join('')}$`, 's');
}
