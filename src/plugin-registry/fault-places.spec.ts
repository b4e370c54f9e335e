import { expect, it } from 'vitest';

import { sayWords } from '../common/index.js';

import { sayPlace, sayPlaces } from './fault-places.js';
import './texts.js';

it.each([
  ['a timer or event listener', '定时器或事件监听函数'],
  ['a promise nobody awaits', '未等待结果的 Promise'],
  ['taking back a registration', '撤销注册'],
  ['activation', '启动'],
  ['shutdown', '停止'],
  ['timer', '定时器'],
  ['process listener', 'process 的监听函数'],
  ['home page', '首页'],
  ['listener of menu.admin', 'menu.admin 的监听函数'],
  ['operation p_shop_buy', '操作 p_shop_buy'],
  ['auth of operation p_shop_buy', '操作 p_shop_buy 的权限检查'],
  ['auth of route GET /shop/{id}', '路由 GET /shop/{id} 的权限检查'],
  ['actor of route POST /pool', '路由 POST /pool 的操作者识别'],
  ['route GET /shop/{id}', '路由 GET /shop/{id}'],
  ['page index', '页面 index'],
  ['list orders', '列表 orders'],
  ['override user/orders', '替换视图 user/orders'],
  ['widget admin/aside', '小部件 admin/aside'],
  ['job send', '后台任务 send'],
  ['cron nightly', '定时任务 nightly'],
  ['service credit.take', '服务 credit.take'],
  ['notify of the gateway', '支付网关的 notify'],
  ['notice channel sms', '通知渠道 sms'],
  ['test of the notice channel sms', '通知渠道 sms 的测试'],
  ['records of the DNS provider box', 'DNS 服务商 box 的 records'],
  ['host driver box: create', '主机驱动 box：create'],
])('translates %s', (place, chinese) => {
  expect(sayPlace('zh-CN', place)).toBe(chinese);
  expect(sayPlace('en', place)).toBe(place);
});

it.each(['onStop', 'something else', '', 'timer or promise'])('keeps the unknown place %j unchanged', (place) => {
  for (const locale of ['en', 'zh-CN'] as const) expect(sayPlace(locale, place)).toBe(place);
});

it('translates places nested in messages', () => {
  const reason = { key: 'plugins.at_place', params: { place: 'timer', reason: { key: 'plugins.stalled', params: { milliseconds: 900 } } } };
  const told = { key: 'plugins.quarantined', params: { at: '2026-11-28 18:00 UTC+8', reason } };
  expect(sayWords('zh-CN', sayPlaces('zh-CN', told))).toContain('定时器: 900 毫秒内其他一切都无法运行');
  expect(sayWords('en', sayPlaces('en', told))).toContain('timer: the panel was blocked for 900 ms');
  expect(sayPlaces('zh-CN', 'timer: words of an older panel')).toBe('timer: words of an older panel');
});
