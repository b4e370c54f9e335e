import { legacyTime, type Locale, sayWords, unpackWords } from '../../common/index.js';
import { type FormValues, versionOf } from '../../http/index.js';
import type { MonitorCheck, MonitorTask } from '../entities/index.js';

const stamp = (at: Date | null, timezone: string): string => (at ? legacyTime(at, timezone) : '');
const inWords = (locale: Locale, kept: string | null): string => sayWords(locale, unpackWords(kept ?? ''));
const flag = (value: boolean): string => (value ? 'true' : 'false');

/** A monitor on the wire. Source: docs/panel-api.md "Monitors". */
export function monitorWire(task: MonitorTask, locale: Locale, timezone: string): Record<string, string | number> {
  const form = monitorForm(task);
  const { headers: _hidden, ...shown } = form;
  return {
    id: task.id,
    user: task.user,
    ...shown,
    has_headers: flag(task.headers !== null),
    upside_down: flag(task.upsideDown),
    notify_email: flag(task.notifyByEmail),
    enabled: flag(task.enabled),
    state: task.enabled ? task.state : 'off',
    state_since: stamp(task.stateSince, timezone),
    last_run: stamp(task.lastRunAt, timezone),
    next_run: task.enabled ? stamp(task.nextRunAt, timezone) : '',
    last_status: task.lastStatus ?? '',
    last_code: task.lastCode ?? '',
    last_ms: task.lastMs ?? '',
    last_error: inWords(locale, task.lastError),
    last_push: stamp(task.lastPushAt, timezone),
    fail_count: task.failCount,
    created_at: stamp(task.createdAt, timezone),
    updated_at: stamp(task.updatedAt, timezone),
    row_version: versionOf(form),
  };
}

/** Returns the form fields of a monitor; headers are never shown. */
export function monitorForm(task: MonitorTask) {
  return {
    name: task.name,
    task_type: task.type,
    url: task.url,
    resource_type: task.resource,
    resource_threshold: task.resourceThreshold,
    method: task.method,
    headers: { secret: task.headers ?? '' },
    record_type: task.recordType,
    warn_days: task.warnDays,
    interval_seconds: task.intervalSeconds,
    timeout_seconds: task.timeoutSeconds,
    status_rule: task.statusRule,
    status_value: task.statusValue,
    content_rule: task.contentRule,
    content_value: task.contentValue ?? '',
    fail_threshold: task.failThreshold,
    hf_yz: task.recoveryThreshold,
    cs_jg: task.retrySeconds,
    cf_jg: task.repeatEvery,
    upside_down: task.upsideDown,
    tags: task.tags,
    notify_email: task.notifyByEmail,
  } satisfies FormValues;
}

/** A check on the wire; `http_code` is the older name of `status_code`. */
export function checkWire(check: MonitorCheck, locale: Locale, timezone: string): Record<string, string | number> {
  return {
    id: check.id,
    task_id: check.taskId,
    user: check.user,
    url: check.url,
    status_code: check.statusCode ?? '',
    http_code: check.statusCode ?? '',
    response_time: check.responseTime ?? '',
    check_status: check.status,
    error_message: inWords(locale, check.error),
    response_excerpt: check.excerpt,
    notified: flag(check.notified),
    created_at: legacyTime(check.createdAt, timezone),
  };
}
