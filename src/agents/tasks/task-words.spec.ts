import { describe, expect, it } from 'vitest';

import { LOCALES, translate } from '../../common/index.js';
import '../texts.js';
import { COMMON_CODES, problemText, TASK_PROBLEMS, type TaskProblem } from '../wire/index.js';

import { translateProblem, translateTaskError } from './task-words.js';

const CHINESE = /[\u4e00-\u9fff]/;
const VALUES: Readonly<Record<string, string | number>> = {
  n: 3,
  kind: 'format_disk',
  reason: 'EIO: i/o error, read',
  path: '/www/wwwroot/shop',
  sites: '/www/sites',
  code: 'EACCES',
};
const filled = problemText as (problem: TaskProblem, params: typeof VALUES) => string;
const ofAction = (result: unknown, error = 'tar ended with 2') => ({
  action: 'site.start',
  error,
  result_text: typeof result === 'string' ? result : JSON.stringify(result),
});

describe('task messages of agents', () => {
  it.each(Object.keys(TASK_PROBLEMS) as TaskProblem[])('are translated with their parameters: %s', (problem) => {
    const said = filled(problem, VALUES);
    const places = [...TASK_PROBLEMS[problem].matchAll(/\{(\w+)\}/g)].map(([, name]) => String(VALUES[name!]));
    const [english, chinese] = [translateProblem('en', said), translateProblem('zh-CN', said)];
    expect([CHINESE.test(english), CHINESE.test(chinese)]).toEqual([false, true]);
    for (const place of places) expect([english.includes(place), chinese.includes(place)]).toEqual([true, true]);
    expect(english).not.toMatch(/[{}]/);
  });

  it('are recognized in the wording of all agent versions and stored rows', () => {
    expect(
      [
        '扫描目录不在允许的范围内：/tmp/x（节点配置 sites_root：/www/wwwroot）',
        '扫描目录无法读取（EACCES）：/root（1）：a',
        '节点程序在执行任务时中断 2 次，任务已放弃',
        '不支持的任务类型：agentlog.files',
        '扫描失败：EIO: i/o error, read',
        '原位置已有其他文件，未覆盖',
        '该服务器的节点程序只允许扫描（hosting）',
      ].map((text) => translateProblem('en', text)),
    ).toEqual([
      "The folder to scan is outside the allowed area: /tmp/x (“sites_root” in the agent's config: /www/wwwroot)",
      'The folder to scan cannot be read (EACCES): /root（1）：a',
      'The agent was interrupted 2 times during this task and gave up. Its log on the server shows why.',
      'The agent does not support tasks of type agentlog.files. Update the agent.',
      'The scan failed: EIO: i/o error, read',
      'Another file is now in its place and was not overwritten.',
      "The owner of this server only allows scans (“hosting” in the agent's config).",
    ]);
  });

  it('include messages written by the panel itself', () => {
    for (const [key, params] of [
      ['node.task_cancelled', {}],
      ['node.task_lease_ran_out', { n: 3 }],
      ['node.api_body_lost', {}],
    ] as const) {
      for (const locale of LOCALES) expect(translateProblem(locale, translate('zh-CN', key, params))).toBe(translate(locale, key, params));
    }
  });

  it('include earlier wordings of those, in rows that were written before', () => {
    for (const [text, key, params] of [
      ['管理员在被控端领取之前取消了该任务', 'node.task_cancelled', {}],
      ['节点领取 3 次均未在期限内上报结果，请检查节点日志后重新下发任务。', 'node.task_lease_ran_out', { n: 3 }],
      ['被控端领取 3 次均未在期限内上报结果，请检查被控端日志后重新下发任务。', 'node.task_lease_ran_out', { n: 3 }],
    ] as const) {
      for (const locale of LOCALES) expect(translateProblem(locale, text)).toBe(translate(locale, key, params));
    }
  });

  it('are shown unchanged if unknown', () => {
    for (const text of [
      '',
      'ENOSPC',
      '磁盘坏了',
      ' 文件已不存在',
      '文件已不存在。',
      '节点程序在执行任务时中断 x 次，任务已放弃',
      '{"key":"node.deleted"}',
    ])
      for (const locale of LOCALES) expect(translateProblem(locale, text)).toBe(text);
  });

  it('insert parameters literally, whatever they contain', () => {
    for (const path of ['{path}', '{code}', '$&$1', '<b>', 'a\nb', '（节点配置 sites_root：', '：'.repeat(3_900)])
      expect(translateProblem('en', filled('root_gone', { path }))).toBe(translate('en', 'node.problem_root_gone', { path }));
    // Looked through, not tried in all ways.
    const endless = `扫描目录不在允许的范围内：${'（节点配置 sites_root：'.repeat(300)}`;
    expect(translateProblem('en', endless)).toBe(endless);
  });
});

describe('error messages of actions', () => {
  it.each(COMMON_CODES)('are translated by their code: %s', (code) => {
    const task = ofAction({ outcome: 'refused', code, params: {}, message: 'tar ended with 2' });
    const [english, chinese] = LOCALES.toReversed().map((locale) => translateTaskError(locale, task));
    expect([CHINESE.test(english!), CHINESE.test(chinese!)]).toEqual([false, true]);
    expect(english).not.toMatch(/[{}]/);
  });

  it('contain the port code and the message of the server, or the known outcome', () => {
    const said = (result: unknown, error?: string) => LOCALES.map((locale) => translateTaskError(locale, ofAction(result, error)));
    expect(said({ outcome: 'refused', code: 'NO_SPACE' })).toEqual([
      '服务器拒绝执行（NO_SPACE）：tar ended with 2',
      'The server refused the operation (NO_SPACE): tar ended with 2',
    ]);
    expect(said({ outcome: 'unknown', code: '' })).toEqual([
      '无法确定是否已执行：tar ended with 2',
      'It is unknown whether the operation was carried out: tar ended with 2',
    ]);
    expect(said({ outcome: 'not_found', code: '' })).toEqual(['服务器上没有该站点', 'The site does not exist on this server.']);
    expect(said({ outcome: 'refused', code: 'BODY' }, translate('zh-CN', 'node.api_body_broken'))[1]).toBe(
      'The data sent with the task is incomplete: The body was not transferred completely; the task will fail.',
    );
  });

  it('are shown unchanged if the result is malformed, and are read only for actions', () => {
    for (const result of [
      '',
      'null',
      '[]',
      '"x"',
      '{"outcome":"refused","code":"DISK',
      { outcome: 'constructor', code: '__proto__' },
      { outcome: 1 },
    ])
      for (const locale of LOCALES) expect(translateTaskError(locale, ofAction(result))).toBe('tar ended with 2');
    const refused = ofAction({ outcome: 'refused', code: 'DISK_FULL' });
    expect(translateTaskError('en', { ...refused, action: 'ping' })).toBe('tar ended with 2');
    expect(translateTaskError('en', { ...refused, error: '' })).toBe('');
    expect(translateTaskError('en', ofAction('{}', '不支持的任务类型：site.start'))).toMatch(/^The agent does not support/);
  });
});
