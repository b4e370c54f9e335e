/** Paid programs: ordered, paid once per site, and unavailable to others. */
import { afterAll, beforeAll, expect, it } from 'vitest';

import { Database } from '../src/database/index.js';
import { DeployProgram, HostingAccount, ProgramPurchase } from '../src/hosting/index.js';
import { Order, Orders, Settlement } from '../src/payment/index.js';
import { ProgramDelivery } from '../src/programs/index.js';

import { OwnerClient } from './support/owner-client.js';
import { TestPanel } from './support/panel.js';
import { zipOf } from './support/program-zip.js';

let panel: TestPanel;
let owner: OwnerClient;
let program: string;

beforeAll(async () => {
  panel = await TestPanel.start({ SERVICES: 'panel,worker' });
  await panel.enable('sandbox');
  owner = await OwnerClient.open(panel, 'owner01', 'local');
  program = await add('Blog', '12.5');
});
afterAll(() => panel?.close());

const repository = <T extends object>(entity: new () => T) => panel.get(Database).repository(entity);

async function add(cxname: string, cxrmb: string): Promise<string> {
  const body = new FormData();
  for (const [name, value] of Object.entries({ gn: 'cxtj', cxname, cxrmb, kg: 'on' })) body.append(name, value);
  body.append('filecx', new Blob([new Uint8Array(await zipOf({ 'index.html': cxname }))]), 'program.zip');
  const made = (await (await panel.adminFetch('/admin/ajax.php', { method: 'POST', body })).json()) as { id: number };
  return String(made.id);
}
const order = (fields: Record<string, string> = {}, of = owner) => of.call('xdd', { scene: 'yjbs', spid: program, ...fields });
async function pay(ddh: string): Promise<void> {
  const { id, amount } = (await panel.get(Orders).get(ddh))!;
  await panel.get(Orders).chooseType(id, 'sandbox__test');
  expect(await panel.get(Settlement).settle(ddh, 'sandbox', { trade_no: `t-${ddh}`, amount })).toMatchObject({ ok: true });
}
const payPage = (fields: Record<string, string>, cookie = owner.cookie) =>
  panel.fetch('/user/pay.php', {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { Cookie: cookie, 'Accept-Language': 'zh-CN' },
  });

it('are ordered at their price for the own site, and two clicks order once', async () => {
  expect(await order({ rmb: '1.00' })).toMatchObject({ success: false, err: 'E_CONFLICT' });
  const [first, again] = [await order({ rmb: '12.50', qqh: 'click' }), await order({ rmb: '12.50', qqh: 'click' })];
  expect(first).toMatchObject({ success: true, rmb: '12.50', pay_path: expect.stringContaining('/pay/order/') as string });
  expect(again.ddh).toBe(first.ddh);
  const row = await repository(Order).findOneByOrFail({ number: String(first.ddh) });
  expect(row).toMatchObject({ scene: 'yjbs', name: 'Blog', amount: 1250, context: { user: 'owner01', gmid: Number(program) } });
  const listed = (await panel.admin('listdd')).rows as unknown as Record<string, string>[];
  expect(listed[0]).toMatchObject({ spname: '一键部署-Blog' });
  for (const spid of ['9999', '', 'x', '1e0']) expect(await order({ spid })).toMatchObject({ success: false, err: 'E_NOTEXIST' });
});

it('are installed after payment, on that site only', async () => {
  expect(await owner.call('yjbs', { id: program })).toMatchObject({ success: false, err: 'E_PAY' });
  const { ddh } = await order();
  await pay(String(ddh));
  await expect.poll(() => repository(ProgramPurchase).count()).toBe(1);
  expect(await owner.call('yjbs', { id: program })).toMatchObject({ success: true });
  expect((await repository(DeployProgram).findOneByOrFail({ id: Number(program) })).buyers).toEqual(['owner01']);
  const stranger = await OwnerClient.open(panel, 'stranger1', 'local');
  expect(await stranger.call('yjbs', { id: program })).toMatchObject({ success: false, err: 'E_PAY' });
  expect(await order()).toMatchObject({ success: false, code: '您已购买该程序！' });
});

it('are paid once: a second paid order is left to a person', async () => {
  const other = await OwnerClient.open(panel, 'twice001', 'local');
  const [one, two] = [await order({ qqh: 'a' }, other), await order({ qqh: 'b' }, other)];
  await pay(String(one.ddh));
  await expect.poll(() => repository(ProgramPurchase).countBy({ accountId: Number(other.id) })).toBe(1);
  await pay(String(two.ddh));
  const again = (await panel.get(Orders).get(String(two.ddh)))!;
  const delivery = panel.get(ProgramDelivery);
  await expect(delivery.deliver(again)).rejects.toMatchObject({ code: 'PAID_BEFORE' });
  await expect(delivery.deliver((await panel.get(Orders).get(String(one.ddh)))!)).resolves.toBeUndefined();
  expect(await repository(ProgramPurchase).countBy({ accountId: Number(other.id) })).toBe(1);
});

it('are deleted with the site: a later owner of its name has bought nothing, and late payments are left to a person', async () => {
  const gone = await OwnerClient.open(panel, 'gone0001', 'local');
  const { ddh } = await order({}, gone);
  await panel.admin('zjsc', { id: gone.id });
  await expect.poll(() => repository(HostingAccount).countBy({ username: 'gone0001' })).toBe(0);
  const next = await OwnerClient.open(panel, 'gone0001', 'local');
  await pay(String(ddh));
  await expect(panel.get(ProgramDelivery).deliver((await panel.get(Orders).get(String(ddh)))!)).rejects.toMatchObject({
    code: 'HOST_MISSING',
  });
  expect(await next.call('yjbs', { id: program })).toMatchObject({ success: false, err: 'E_PAY' });
  expect(await repository(ProgramPurchase).countBy({ accountId: Number(next.id) })).toBe(0);
});

it('are ordered by the form of older front ends, which leads to the gateway', async () => {
  const buyer = await OwnerClient.open(panel, 'buyer001', 'local');
  const answer = await payPage({ pay_lx: 'yjbs', id: program, type: 'sandbox__test' }, buyer.cookie);
  expect([200, 303]).toContain(answer.status);
  const [made] = await repository(Order).find({ where: { user: 'buyer001' } });
  expect(made).toMatchObject({ scene: 'yjbs', status: 'unpaid', type: 'sandbox__test' });
  const refused: [Record<string, string>, string, string][] = [
    [{ pay_lx: 'yjbs', id: program, type: 'nobody__x' }, '请选择有效的支付方式', buyer.cookie],
    [{ pay_lx: 'ymgm', id: program, type: 'sandbox__test' }, '请选择有效的支付方式', buyer.cookie],
    [{ pay_lx: 'yjbs', id: program, type: 'sandbox__test' }, '您已购买该程序！', owner.cookie],
  ];
  for (const [fields, text, cookie] of refused) {
    const page = await payPage(fields, cookie);
    expect(page.status).toBe(400);
    expect(await page.text()).toContain(text);
  }
  await panel.admin('cxkg', { id: program, kg: 'false' });
  expect(await (await payPage({ pay_lx: 'yjbs', id: program, type: 'sandbox__test' }, buyer.cookie)).text()).toContain('该程序已下架！');
  await panel.admin('cxkg', { id: program, kg: 'true' });
  expect(await (await payPage({ pay_lx: 'yjbs', id: program, type: 'sandbox__test' }, '')).text()).not.toContain('Blog');
  expect(await repository(Order).countBy({ user: 'buyer001' })).toBe(1);
  expect((await panel.fetch('/user/pay.php', { headers: { Cookie: buyer.cookie } })).headers.get('location')).toBe('/user/programs');
});

it('are not sold when free, or when the site cannot have them', async () => {
  const free = await add('Free', '0');
  expect(await order({ spid: free })).toMatchObject({ success: false, err: 'E_STATE' });
  await panel.admin('cxxgjl', { id: program, webkj: '99999' });
  await repository(HostingAccount).update({ username: 'stranger1' }, { webQuotaMb: 10 });
  const count = await repository(Order).count();
  const stranger = (await repository(HostingAccount).findOneByOrFail({ username: 'stranger1' })).id;
  const cookie = await panel.signInUser('stranger1');
  expect((await payPage({ pay_lx: 'yjbs', id: program, type: 'sandbox__test' }, cookie)).status).toBe(400);
  expect([stranger > 0, await repository(Order).count()]).toEqual([true, count]);
});
