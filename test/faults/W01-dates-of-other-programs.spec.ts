import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { TestShop } from '../support/provisioning.js';

const KT = { password: 'secret-1', webdx: '500', sqldx: '100', sizemax: '30', ymbds: '3' };
/** Midnight of 5 January 2027 in Asia/Shanghai. */
const SECONDS = '1799078400';

const READ: readonly (readonly [text: string, day: string])[] = [
  [SECONDS, '2027-01-05'],
  // The last second of that day, and the first of the next.
  ['1799164799', '2027-01-05'],
  ['1799164800', '2027-01-06'],
  ['946656000', '2000-01-01'],
  ['2027/01/05', '2027-01-05'],
  ['2027/1/5', '2027-01-05'],
  ['2027-1-5', '2027-01-05'],
  [' 2027-01-05 ', '2027-01-05'],
  ['2027-01-05 00:00:00', '2027-01-05'],
  ['2027-01-05 23:59:59', '2027-01-05'],
  ['2027/1/5 0:00', '2027-01-05'],
  ['2027-01-05T00:00:00', '2027-01-05'],
  ['2027-01-05T00:00:00+08:00', '2027-01-05'],
  ['2027-01-04T16:00:00Z', '2027-01-05'],
  ['2027-01-05T15:59:59.999Z', '2027-01-05'],
  ['2027-01-05T16:00:00.000Z', '2027-01-06'],
  ['2027-01-05T00:00:00+0900', '2027-01-04'],
  ['0', '0000-00-00'],
  ['', '0000-00-00'],
  ['0000-00-00', '0000-00-00'],
  ['0000-00-00 00:00:00', '0000-00-00'],
  ['0000/00/00', '0000-00-00'],
];
const REFUSED = [
  '1',
  '-1',
  '20270105',
  '99999999',
  '1799078400000',
  '12345678901',
  '1.799e9',
  '1799078400.5',
  '2027-02-30',
  '2027-13-01',
  '2027-01-05 24:00:00',
  '2027-01-05 12:60',
  '2027-01/05',
  '05.01.2027',
  '01/05/2027',
  '2027-01-05Z',
  '2027-01-05T',
  '2027-01-05T00:00:00+99:99',
  'tomorrow',
  'never',
  '٢٠٢٧-٠١-٠٥',
  '0000-00-01',
  '2027-01-05; DROP',
];

let shop: TestShop;
let id = 0;
beforeAll(async () => {
  shop = await TestShop.start();
});
afterAll(() => shop.panel.close());
beforeEach(() => shop.clear());

/** The result for each text: the day the host has afterwards, or why it was refused. One host for all of them if it already exists. */
const daysOf = async (gn: 'kt' | 'xf', field: string, texts: readonly string[]): Promise<string[][]> => {
  const days: string[][] = [];
  for (const [index, text] of texts.entries()) {
    const username = gn === 'kt' ? `host-${index}` : 'alice01';
    const answer = await shop.call(gn, { ...(gn === 'kt' ? KT : {}), username, [field]: text });
    const { data } = await shop.call('ztcx', { username });
    days.push([text, answer.code === 200 ? String(data?.user?.datae) : answer.msg]);
  }
  return days;
};
const admin = async (gn: string, fields: Record<string, string>) =>
  (await shop.panel.admin(gn, fields)) as unknown as Record<string, string>;

describe('W1 dates as other programs write them', () => {
  it('xf reads every known form, in TIMEZONE', async () => {
    await shop.call('kt', { ...KT, dqtime: '2040-01-01' });
    expect(
      await daysOf(
        'xf',
        'setdate',
        READ.map(([text]) => text),
      ),
    ).toEqual(READ);
  });

  it('kt reads them too', async () => {
    const some = READ.filter(([text]) => [SECONDS, '2027/01/05', '2027-01-05 00:00:00', '2027-01-04T16:00:00Z', '0'].includes(text));
    expect(some).toHaveLength(5);
    expect(
      await daysOf(
        'kt',
        'dqtime',
        some.map(([text]) => text),
      ),
    ).toEqual(some);
  });

  it('both reject invalid dates by name and change nothing', async () => {
    const problem = expect.stringMatching(/^错误！日期格式不正确.*Unix 秒/);
    expect(await daysOf('kt', 'dqtime', REFUSED)).toEqual(REFUSED.map((text) => [text, problem]));
    expect(await shop.row('host-0')).toBeNull();
    await shop.call('kt', { ...KT, dqtime: '2040-01-01' });
    expect(await daysOf('xf', 'setdate', REFUSED)).toEqual(REFUSED.map((text) => [text, problem]));
    expect((await shop.row())?.expiresOn).toBe('2040-01-01');
  });

  it("the administrators' forms read the same", async () => {
    const added = await admin('addzj', { btdh: 'bh1', user: 'alice01', pass: 'secret-1', datae: SECONDS });
    expect(added).toMatchObject({ success: true });
    id = Number(added.id);
    expect((await admin('zjsj', { id: String(id) })).datae).toBe('2027-01-05');
    for (const [text, day] of READ.filter(([text]) => text !== '')) {
      expect([text, (await admin('zjxf', { id: String(id), datae: text })).datae]).toEqual([text, day]);
      expect([text, (await admin('zjxgjl', { id: String(id), datar: text })).datae]).toEqual([text, day]);
    }
    for (const text of REFUSED) {
      expect([text, await admin('zjxf', { id: String(id), datae: text })]).toMatchObject([
        text,
        { err: 'E_ARGS', fields: { datae: expect.stringContaining('日期') } },
      ]);
      expect([text, await admin('zjxgjl', { id: String(id), datar: text })]).toMatchObject([
        text,
        { err: 'E_ARGS', fields: { datar: expect.stringContaining('日期') } },
      ]);
    }
  });
});
