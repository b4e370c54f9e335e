import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { kumaBackup, kumaMonitor } from '../../../test/support/kuma-backup.js';
import type { MonitorError } from '../errors.js';

import { MAX_FILE_BYTES, asRecord, readKumaFile } from './kuma-file.js';
import { convertAll } from './kuma-monitor.js';

const convert = (more: Record<string, unknown>) => convertAll([kumaMonitor(more)])[0]!;
const keys = (texts: readonly { key: string }[]) => texts.map(({ key }) => key.replace('monitor.import.', ''));
const fieldsOf = (more: Record<string, unknown>) => convert(more).fields;
const reasonOf = (more: Record<string, unknown>) => convert(more).reason?.key.replace('monitor.import.', '');

function problemOf(bytes: Buffer): string {
  try {
    readKumaFile(bytes);
    return '';
  } catch (error) {
    const { file } = (error as MonitorError).fields as { file: { key: string } };
    return file.key.replace('monitor.import.file_', '');
  }
}

describe('an Uptime Kuma file', () => {
  it('is read as exported, with a byte order mark, and with an object instead of the list', () => {
    expect(readKumaFile(Buffer.from(kumaBackup([kumaMonitor()])))).toEqual([kumaMonitor()]);
    expect(readKumaFile(Buffer.from(`\ufeff${kumaBackup({ 7: kumaMonitor() })}`))).toHaveLength(1);
    expect(readKumaFile(Buffer.from(kumaBackup([null, 7, 'x', [[]]])))).toEqual([{}, {}, {}, {}]);
  });

  it('is rejected with the reason if it is something else', () => {
    for (const [text, problem] of [
      ['', 'json'],
      ['<html>', 'json'],
      [kumaBackup([kumaMonitor()]).slice(0, -9), 'json'],
      ['null', 'form'],
      ['[]', 'form'],
      ['{"monitorList":"all"}', 'form'],
      ['{"monitors":[]}', 'form'],
      [kumaBackup([]), 'empty'],
      [kumaBackup(Array.from({ length: 1_001 }, () => 1)), 'many'],
      [`{"monitorList":${'['.repeat(500_000)}${']'.repeat(500_000)}}`, ''],
    ] as const)
      expect(problemOf(Buffer.from(text)), text.slice(0, 40)).toBe(problem);
    expect(problemOf(Buffer.from(kumaBackup([kumaMonitor({ name: '商店' })]), 'utf16le'))).toBe('encoding');
    // “商店” in GBK.
    expect(problemOf(Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc9, 0xcc, 0xb5, 0xea]), Buffer.from('"}')]))).toBe('encoding');
    expect(problemOf(Buffer.alloc(MAX_FILE_BYTES + 1, ' '))).toBe('large');
  });
});

describe('an Uptime Kuma monitor', () => {
  it('of type http keeps its status, headers and intervals', () => {
    const given = {
      maxretries: 2,
      retryInterval: 20,
      resendInterval: 5,
      interval: 10,
      active: 0,
      upsideDown: true,
      headers: '{"Accept":"application/json","X-N":7}',
      basic_auth_user: 'me',
      basic_auth_pass: 'pass',
      tags: [
        { tag_id: 1, name: 'cn', value: '' },
        { tag_id: 2, name: 'team', value: 'a,b' },
      ],
    };
    const { fields, notes } = convert(given);
    expect(fields).toEqual({
      task_type: 'url',
      name: 'Shop',
      url: 'https://shop.example.com/',
      method: 'GET',
      headers: `Accept: application/json\nX-N: 7\nAuthorization: Basic ${Buffer.from('me:pass').toString('base64')}`,
      status_rule: 'range',
      status_value: '200-299',
      interval_seconds: '15',
      timeout_seconds: '30',
      fail_threshold: '3',
      cs_jg: '20',
      cf_jg: '5',
      upside_down: 'true',
      enabled: 'false',
      tags: 'cn,team:a b',
    });
    expect(notes).toEqual([
      { key: 'monitor.import.note_interval', params: { from: 10, to: 15 } },
      { key: 'monitor.import.note_timeout', params: { from: 48, to: 30 } },
    ]);
  });

  it('lists settings that differ here', () => {
    expect(keys(convert({ ignoreTls: true, expiryNotification: true, proxyId: 3, maxredirects: 0, timeout: 10 }).notes)).toEqual([
      'note_tls',
      'note_certificate',
      'note_proxy',
      'note_redirects',
    ]);
    expect(keys(convert({ interval: 2_000_000, maxretries: 500, retryInterval: 2, resendInterval: 1e9, timeout: 10 }).notes)).toEqual([
      'note_interval',
      'note_retries',
      'note_retry',
      'note_repeat',
    ]);
    expect(keys(convert({ type: 'push', pushToken: 'abc' }).notes)).toEqual(['note_push']);
  });

  it('has its status codes converted to one rule or is rejected', () => {
    for (const [codes, rule, value] of [
      [['200'], 'eq', '200'],
      [['200-299', '300-399'], 'range', '200-399'],
      [['401', '200-299', '250-310'], 'in', null],
      [['200', '204', '301'], 'in', '200,204,301'],
      [undefined, 'range', '200-299'],
    ] as const) {
      const { fields, reason } = convert({ accepted_statuscodes: codes });
      if (value === null) expect(reason?.key).toBe('monitor.import.no_statuses');
      else expect(fields).toMatchObject({ status_rule: rule, status_value: value });
    }
    for (const codes of [['2xx'], ['299-200'], [null], [['200']]]) expect(reasonOf({ accepted_statuscodes: codes })).toBe('no_statuses');
  });

  it('of the other supported types is converted', () => {
    expect(fieldsOf({ type: 'keyword', keyword: ' well' })).toMatchObject({ content_rule: 'contains', content_value: ' well' });
    expect(fieldsOf({ type: 'keyword', keyword: 'bad', invertKeyword: 1 })).toMatchObject({ content_rule: 'not_contains' });
    expect(fieldsOf({ type: 'json-query', jsonPath: '$.list[0].state', expectedValue: 'ok' })).toMatchObject({
      content_rule: 'json',
      content_value: 'list.0.state=ok',
    });
    expect(fieldsOf({ type: 'port', hostname: 'mail.example.com', port: 25 })).toMatchObject({
      task_type: 'tcp',
      url: 'mail.example.com:25',
    });
    expect(fieldsOf({ type: 'port', hostname: '2606:4700::1', port: 443 })).toMatchObject({ url: '[2606:4700::1]:443' });
    expect(fieldsOf({ type: 'dns', hostname: 'example.com', dns_resolve_type: 'MX' })).toMatchObject({
      task_type: 'dns',
      record_type: 'MX',
    });
    expect(fieldsOf({ type: 'push' })).not.toHaveProperty('timeout_seconds');
  });

  it('of an unsupported type is rejected with the reason', () => {
    for (const [more, reason] of [
      [{ type: 'ping' }, 'no_kind'],
      [{ type: 'docker' }, 'no_kind'],
      [{ type: '__proto__' }, 'no_kind'],
      [{ type: 7 }, 'no_kind'],
      [{ type: 'group' }, 'no_group'],
      [{ method: 'PUT' }, 'no_method'],
      [{ method: 'POST', body: '{"a":1}' }, 'no_body'],
      [{ authMethod: 'ntlm' }, 'no_auth'],
      [{ headers: '{not json' }, 'no_headers'],
      [{ headers: '{"X":"a\\nB: c"}' }, 'no_headers'],
      [{ type: 'dns', dns_resolve_type: 'SOA' }, 'no_record'],
      [{ type: 'json-query', jsonPath: '$count(a)', expectedValue: '1' }, 'no_json'],
      [{ type: 'json-query', jsonPath: 'a', jsonPathOperator: '>', expectedValue: '1' }, 'no_json'],
      [{ type: 'dns', conditions: [{ type: 'expression' }] }, 'no_conditions'],
    ] as const)
      expect(reasonOf(more), JSON.stringify(more)).toBe(reason);
  });

  it('in a group gets its name as a tag', () => {
    const [, member] = convertAll([kumaMonitor({ id: 4, type: 'group', name: 'Shops' }), kumaMonitor({ id: 5, parent: 4 })]);
    expect(member).toMatchObject({ fields: { tags: 'Shops' } });
    expect(keys(member!.notes)).toContain('note_group');
  });

  it('with arbitrary fields is converted or rejected without throwing', () => {
    const field = fc.constantFrom(...Object.keys(kumaMonitor()));
    fc.assert(
      fc.property(fc.array(fc.tuple(field, fc.jsonValue()), { maxLength: 6 }), (changes) => {
        const [found] = convertAll([asRecord(kumaMonitor(Object.fromEntries(changes)))]);
        expect(found!.fields === null).toBe(found!.reason !== null);
        for (const value of Object.values(found!.fields ?? {})) expect(value).toBeTypeOf('string');
      }),
    );
  });
});
