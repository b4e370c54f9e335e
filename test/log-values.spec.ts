/** Values in the operation log are shown in words. Source: docs/panel-api.md "Operation log". */
import { describe, expect, it } from 'vitest';

import { LOCALES, translate, type LoggedChange, type LoggedValue } from '../src/common/index.js';
import { CONTENT_RULES, STATUS_RULES } from '../src/monitor/checks/index.js';
import { INCIDENT_SEVERITIES, INCIDENT_STATES, MONITOR_KINDS } from '../src/monitor/index.js';
import '../src/hosting/index.js';
import '../src/payment/index.js';

import '../src/account/texts.js';
import { changeLines } from '../src/account/log-changes.js';

const line = (name: string, after: LoggedValue, zone = 'Asia/Shanghai'): string => {
  const change: LoggedChange = { of: 'thing', id: '1', deed: 'changed', fields: [{ name, before: null, after }] };
  return changeLines({ changes: [change] }, 'en', zone)[1]!.split(' → ')[1]!;
};

describe('a value in the operation log', () => {
  it.each([
    ['state', INCIDENT_STATES],
    ['state', ['provisioning', 'active', 'paused', 'terminating', 'failed', 'held', 'sold', 'resting']],
    ['severity', INCIDENT_SEVERITIES],
    ['orderState', ['unpaid', 'paid', 'closed', 'refunded', 'partly_refunded']],
    ['type', MONITOR_KINDS],
    ['statusRule', STATUS_RULES],
    ['contentRule', CONTENT_RULES],
  ])('of %s is a word in every language', (name, values) => {
    for (const value of values)
      for (const locale of LOCALES) expect(translate(locale, `account.value.${name}.${value}`)).not.toContain('account.value');
  });

  it('is a word, also for features and for each member of a list', () => {
    expect(line('severity', 'minor')).toBe('Minor');
    expect(line('scene', 'xf')).toBe('Renewal');
    expect(line('driver', 'embedded')).toBe('This machine');
    expect(line('pauseReasons', '["admin","quota"]')).toBe('paused by an administrator, usage exceeds the limits');
    expect(line('pauseReasons', '[]')).toBe('(empty)');
  });

  it('is a time in the format of the language, in the panel’s time zone', () => {
    expect(line('startedAt', '2026-01-02T16:05:00.000Z')).toBe('Jan 3, 2026, 12:05 AM');
    expect(line('startedAt', '2026-01-02T16:05:00.000Z', 'UTC')).toBe('Jan 2, 2026, 4:05 PM');
  });

  it('stays as it is when there is no word for it', () => {
    for (const value of ['gift', '[1,', 'constructor', '2026-99-99T00:00:00.000Z', '__proto__']) {
      expect(line('scene', value)).toBe(value);
      expect(line('name', value)).toBe(value);
    }
  });
});
