import { inflateRawSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { formOf, pictureForm, pluginZip, zipOf } from '../support/store-packages.js';
import { TestStore, type StoreAnswer, type StoreClient } from '../support/store.js';

/** The requests and reads of deployed front ends, page by page. Source: the family's front end as supported by docs/store-api.md. */

const CAPTCHA = 'aB3d';
const PAGE = { page: 1, limit: 10 };

type Row = Record<string, unknown>;
type Types = Readonly<Record<string, 'number' | 'string' | 'tags' | 'html'>>;

let store: TestStore;
let admin: StoreClient;
let author: StoreClient;
let visitor: StoreClient;
beforeAll(async () => {
  store = await TestStore.start({ CAPTCHA: `fixed:${CAPTCHA}` });
  [admin, author, visitor] = [await store.member('Root', 'admin'), store.visitor(), store.visitor()];
});
afterAll(() => store.close());

/** The front end's only way to send requests: the JSON type every time, even without a body. */
const ask = <Data = Row>(client: StoreClient, method: string, path: string, body?: object): Promise<StoreAnswer<Data>> =>
  client.call<Data>(method, path, body, { 'content-type': 'application/json' });
const query = (params: Row): string =>
  new URLSearchParams(Object.entries(params).map(([name, value]): [string, string] => [name, String(value)])).toString();
async function done<Data = Row>(answer: Promise<StoreAnswer<Data>>, msg?: string): Promise<Data> {
  const { status, code, msg: said, data } = await answer;
  expect([status, code], said).toEqual([200, 0]);
  if (msg !== undefined) expect(said).toBe(msg);
  return data;
}
/** Only `code`, `msg` and `data` are read. */
async function refused(answer: Promise<StoreAnswer<unknown>>, status: number, msg: string): Promise<void> {
  const { status: real, code, msg: said, data } = await answer;
  expect([real, code, said, data]).toEqual([status, status, msg, null]);
}
function reads(row: Row, types: Types): void {
  for (const [name, type] of Object.entries(types)) {
    expect(typeof row[name], name).toBe(type === 'number' ? 'number' : 'string');
    if (type === 'tags') expect(Array.isArray(JSON.parse(row[name] as string))).toBe(true);
  }
}
const captcha = (client: StoreClient): Promise<Response> =>
  client.send('GET', `/auth/captcha?t=${Date.now()}`, { headers: { 'content-type': 'application/json' } });
/** The numbers of the developer's and administrator's tables, as computed there. */
const cell = (price: unknown): string => (price as number).toFixed(2);

describe('the header', () => {
  it('is for signed-in users only', async () => {
    expect((await ask(visitor, 'GET', '/auth/me')).code).not.toBe(0);
    const me = await done(ask(admin, 'GET', '/auth/me'));
    reads(me, {
      id: 'number',
      username: 'string',
      email: 'string',
      role: 'string',
      avatar: 'string',
      bio: 'string',
      status: 'string',
      created_at: 'string',
      updated_at: 'string',
    });
    expect(me).toMatchObject({ username: 'Root', role: 'admin', status: 'active' });
    expect(Object.keys(me)).not.toEqual(expect.arrayContaining([expect.stringMatching(/password/)]));
  });
});

describe('register, login and password', () => {
  const form = { username: 'author', password: 'secret-1', email: 'author@example.org' };

  it('have a picture that can be refreshed', async () => {
    const picture = await captcha(author);
    expect(picture.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    expect(await picture.text()).toMatch(/width="120" height="42"/);
  });

  it.each([
    [{ ...form, username: '' }, '请填写所有必填字段'],
    [{ ...form, email: '' }, '请填写所有必填字段'],
    [{ ...form, username: 'x' }, '用户名长度 2-30 字符'],
    [{ ...form, username: 'x'.repeat(31) }, '用户名长度 2-30 字符'],
    [{ ...form, password: '12345' }, '密码至少 6 位'],
    [{ ...form, captcha: '' }, '请输入验证码'],
    [{ ...form, captcha: 'zzzz' }, '验证码错误'],
    [{ ...form, username: 'ROOT', captcha: CAPTCHA }, '用户名或邮箱已被注册'],
    [{ ...form, email: 'root@example.com', captcha: CAPTCHA }, '用户名或邮箱已被注册'],
  ])('report what is wrong with %j', async (body, msg) => {
    const client = store.visitor();
    await captcha(client);
    await refused(ask(client, 'POST', '/auth/register', body), 400, msg);
  });

  it('require the captcha when no picture was requested', () =>
    refused(ask(store.visitor(), 'POST', '/auth/register', { ...form, captcha: CAPTCHA }), 400, '请输入验证码'));

  it('sign up and in at once, out and in again', async () => {
    expect(await done(ask(author, 'POST', '/auth/register', { ...form, captcha: CAPTCHA.toUpperCase() }), '注册成功')).toMatchObject({
      username: 'author',
      role: 'developer',
    });
    await done(ask(author, 'GET', '/auth/me'));
    await done(ask(author, 'POST', '/auth/logout'), '已退出登录');
    await refused(ask(author, 'GET', '/auth/me'), 401, '请先登录');
    for (const [body, status, msg] of [
      [{ username: '', password: '', captcha: CAPTCHA }, 400, '请填写用户名和密码'],
      [{ username: 'author', password: 'wrong-1', captcha: CAPTCHA }, 401, '用户名或密码错误'],
      [{ username: 'nobody', password: 'wrong-1', captcha: CAPTCHA }, 401, '用户名或密码错误'],
    ] as const) {
      await captcha(author);
      await refused(ask(author, 'POST', '/auth/login', body), status, msg);
    }
    await captcha(author);
    expect(
      await done(ask(author, 'POST', '/auth/login', { username: 'author', password: 'secret-1', captcha: CAPTCHA }), '登录成功'),
    ).toMatchObject({ username: 'author' });
  });

  it('change the password', async () => {
    for (const [body, msg] of [
      [{ oldPassword: '', newPassword: '' }, '请填写旧密码和新密码'],
      [{ oldPassword: 'secret-1', newPassword: '12345' }, '新密码至少 6 位'],
      [{ oldPassword: 'wrong-1', newPassword: 'secret-2' }, '旧密码错误'],
    ] as const)
      await refused(ask(author, 'PUT', '/auth/password', body), 400, msg);
    await done(ask(author, 'PUT', '/auth/password', { oldPassword: 'secret-1', newPassword: 'secret-2' }), '密码修改成功');
    await done(ask(author, 'GET', '/auth/me'));
  });
});

describe('submit', () => {
  const send = async (fields: Readonly<Record<string, string>>, zip?: Buffer, name?: string): Promise<StoreAnswer<Row>> =>
    author.call('POST', '/developer/items', formOf(fields, zip, name));
  const form = {
    type: 'plugin',
    slug: 'front',
    name: 'Front',
    version: '1.0.0',
    description: '<p>Hello</p>',
    price: '0',
    category: '',
    homepage: '',
    main_image: '',
    requires_svc: '',
  };

  it('uploads the main picture first', async () => {
    await refused(author.call('POST', '/upload/image', new FormData()), 400, '上传失败，请选择图片');
    const bad = new FormData();
    bad.append('image', new Blob(['<svg/>']), 'a.svg');
    await refused(author.call('POST', '/upload/image', bad), 400, '仅支持 jpg/png/gif/webp 格式图片');
    const good = await pictureForm('jpeg');
    const { url, filename } = await done<{ url: string; filename: string }>(author.call('POST', '/upload/image', good), '上传成功');
    expect(url).toBe(`/uploads/images/${filename}`);
    expect((await fetch(store.url + url)).headers.get('content-type')).toBe('image/jpeg');
  });

  it('reports errors in the order of its fields, then of the package, then that it exists', async () => {
    const zip = await pluginZip('front');
    const wrong: [Row, Buffer | undefined, string][] = [
      [{ type: '', slug: '', name: '', version: '', description: '' }, undefined, '请选择提交类型（plugin/theme）'],
      [{ slug: '', name: '', version: '', description: '' }, undefined, '请填写标识（slug）'],
      [{ name: '', version: '', description: '' }, undefined, '请填写名称'],
      [{ version: '', description: '' }, undefined, '请填写版本号'],
      [{ description: '', slug: 'a b' }, undefined, '请上传 zip 文件'],
      [{ description: '', slug: 'a b' }, zip, '请填写简介'],
      [{ slug: 'a b' }, zip, '标识仅允许字母数字下划线横线，最长63字符'],
      [{ slug: 'other' }, zip, 'zip 根目录名 "front" 与填写的标识 "other" 不一致，请修改'],
    ];
    for (const [fields, file, msg] of wrong) await refused(send({ ...form, ...fields } as Record<string, string>, file), 400, msg);
    await refused(send(form, zip, 'front.rar'), 400, '仅支持 zip 格式文件');
  });

  /** The rule broken by the package comes first, word for word; which file, and what to do, may follow. */
  it.each([
    ['无法解析 zip 文件', () => Promise.resolve(Buffer.from('no zip'))],
    ['zip 文件为空', () => Promise.resolve(Buffer.from('504b0506000000000000000000000000000000000000', 'hex'))],
    ['zip 包含文件过多（上限 500）', () => zipOf('front', Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`f${i}`, ''])))],
    ['单个文件不能超过 10MB', () => zipOf('front', { big: Buffer.alloc(10 * 1024 * 1024 + 1) })],
    ['文件夹名无效（仅允许字母数字下划线横线，最长63字符）', () => zipOf('front end', { a: 'x' })],
    ['不允许路径穿越', async () => rename(await zipOf('front', { 'aa/x': 'x' }), 'front/aa/x', 'front/../x')],
    ['不允许绝对路径', async () => rename(await zipOf('front', { x: 'x' }), 'front/x', '/ront/x')],
    ['zip 根目录必须有且仅有一个文件夹', async () => rename(await zipOf('front', { x: 'x', 'y.js': '' }), 'front/y.js', 'other/y.js')],
  ])('says %s', async (msg, make) => {
    const answer = await send(form, await make());
    expect([answer.status, answer.msg.slice(0, msg.length)]).toEqual([400, msg]);
  });

  it('submits, with an amount and without', async () => {
    const data = await done(send({ ...form, price: '12.50', requires_svc: '>=1.80' }, await pluginZip('front')), '提交成功，等待审核');
    expect(data).toMatchObject({ slug: 'front', status: 'pending', price: 12.5, tags: '[]', review_msg: '' });
    await refused(send({ ...form, slug: 'FRONT', version: '2' }, await pluginZip('FRONT')), 400, '插件 "FRONT" 已存在');
    await done(
      send(
        { ...form, type: 'theme', price: '' },
        await zipOf('front', { 'theme.json': '{"name":"front","version":"1.0.0"}', 'user/a.liquid': '' }),
      ),
    );
    await refused(send({ ...form, type: 'theme', version: '2' }, await zipOf('front', { 'theme.json': '{}' })), 400, '主题 "front" 已存在');
  });
});

describe('admin', () => {
  const table = <Data = { items: Row[]; total: number }>(path: string, params: Row = {}): Promise<Data> =>
    done<Data>(ask(admin, 'GET', `${path}?${query({ ...params, ...PAGE })}`));

  it('has numbers', async () => {
    reads(await done(ask(admin, 'GET', '/admin/stats')), {
      plugins: 'number',
      themes: 'number',
      pending: 'number',
      users: 'number',
      downloads: 'number',
      pendingEdits: 'number',
    });
    await refused(ask(author, 'GET', '/admin/stats'), 403, '需要管理员权限');
  });

  it('decides on pending submissions', async () => {
    const { items, total } = await table('/admin/items', { status: 'pending' });
    expect([items.length, total]).toEqual([2, 2]);
    for (const row of items)
      reads(row, {
        id: 'number',
        type: 'string',
        slug: 'string',
        name: 'string',
        version: 'string',
        author_name: 'string',
        price: 'number',
        status: 'string',
        created_at: 'string',
      });
    expect(items.map(({ price }) => cell(price))).toEqual(['0.00', '12.50']);
    const [theme, plugin] = items.map(({ id }) => Number(id)) as [number, number];
    await done(ask(admin, 'PUT', `/admin/items/${theme}/reject`, { msg: '缺少截图' }), '已驳回');
    expect(await done(ask(author, 'GET', `/developer/items/${theme}`))).toMatchObject({ status: 'rejected', review_msg: '缺少截图' });
    await done(ask(admin, 'PUT', `/admin/items/${plugin}/approve`), '已审核通过');
    await refused(ask(admin, 'PUT', '/admin/items/99999/approve'), 404, '项目不存在');
    await done(ask(admin, 'PUT', `/admin/items/${plugin}/suspend`, { msg: '管理员下架' }), '已下架');
    expect(await done(ask(author, 'GET', `/developer/items/${plugin}`))).toMatchObject({ status: 'suspended', review_msg: '管理员下架' });
    await refused(ask(visitor, 'GET', `/items/${plugin}`), 404, '项目不存在');
    await done(ask(admin, 'PUT', `/admin/items/${plugin}/approve`), '已审核通过');
    // A reason is optional.
    await done(
      author.call(
        'POST',
        `/developer/items/${theme}/versions`,
        formOf({ version: '1.0.1', changelog: '' }, await zipOf('front', { 'theme.json': '{}' })),
      ),
      '新版本上传成功，等待审核',
    );
    await done(ask(admin, 'PUT', `/admin/items/${theme}/reject`), '已驳回');
    expect((await table('/admin/items')).total).toBe(2);
    expect((await table('/admin/items', { type: 'theme', status: '', keyword: '' })).items).toMatchObject([
      { id: theme, status: 'rejected' },
    ]);
    await done(ask(admin, 'DELETE', `/admin/items/${theme}`), '已删除');
    await refused(ask(admin, 'DELETE', `/admin/items/${theme}`), 404, '项目不存在');
  });

  it('bans and unbans', async () => {
    const { users, total } = await table<{ users: Row[]; total: number }>('/admin/users');
    expect(users).toHaveLength(total);
    for (const user of users)
      reads(user, { id: 'number', username: 'string', email: 'string', role: 'string', status: 'string', created_at: 'string' });
    const banned = store.visitor();
    await captcha(banned);
    const { id } = await done(
      ask(banned, 'POST', '/auth/register', { username: 'banned', password: 'secret-1', email: 'banned@example.org', captcha: CAPTCHA }),
    );
    await refused(ask(admin, 'PUT', `/admin/users/${String(id)}`, { status: 'gone' }), 400, '无效的状态值');
    await done(ask(admin, 'PUT', `/admin/users/${String(id)}`, { status: 'banned' }), '更新成功');
    await captcha(banned);
    await refused(ask(banned, 'POST', '/auth/login', { username: 'banned', password: 'secret-1', captcha: CAPTCHA }), 403, '账号已被封禁');
    await done(ask(admin, 'PUT', `/admin/users/${String(id)}`, { status: 'active' }), '更新成功');
  });
});

describe('developer', () => {
  const own = async (params: Row = {}): Promise<{ items: Row[]; total: number }> =>
    done(ask(author, 'GET', `/developer/items?${query({ ...PAGE, ...params })}`));

  it('lists own items by page', async () => {
    const { items, total } = await own({ type: '' });
    expect(items).toHaveLength(total);
    reads(items[0]!, {
      id: 'number',
      type: 'string',
      name: 'string',
      version: 'string',
      price: 'number',
      downloads: 'number',
      status: 'string',
      review_msg: 'string',
    });
    expect(cell(items[0]!.price)).toBe('12.50');
    expect(await own({ type: 'theme' })).toMatchObject({ items: [], total: 0 });
    expect(await own({ limit: 90, page: 2 })).toMatchObject({ items: [], page: 2, page_size: 90 });
  });

  it('edits: an administrator decides each change, and the item stays published meanwhile', async () => {
    const id = Number((await own()).items[0]!.id);
    const item = await done(ask(author, 'GET', `/developer/items/${id}`));
    const same = {
      price: item.price,
      description: item.description,
      category: item.category,
      homepage: item.homepage,
      main_image: item.main_image,
    };
    await done(ask(author, 'PUT', `/developer/items/${id}`, same), '没有需要修改的内容');
    await done(ask(author, 'PUT', `/developer/items/${id}`, { ...same, price: 0, category: '支付' }), '已提交 2 项修改，等待管理员审核');
    await refused(ask(author, 'PUT', '/developer/items/99999', same), 404, '项目不存在或无权操作');
    expect(await done(ask(visitor, 'GET', `/items/${id}`))).toMatchObject({ price: 12.5, category: '' });
    const requests = await done<Row[]>(ask(admin, 'GET', `/admin/edit-requests?${query({ status: 'pending', ...PAGE })}`));
    expect(requests).toHaveLength(2);
    for (const row of requests)
      reads(row, {
        id: 'number',
        item_id: 'number',
        field: 'string',
        old_value: 'string',
        new_value: 'string',
        status: 'string',
        created_at: 'string',
        item_name: 'string',
        slug: 'string',
        type: 'string',
      });
    expect(requests.map(({ field, new_value }) => [field, new_value])).toEqual([
      ['category', '支付'],
      ['price', '0.00'],
    ]);
    await done(ask(admin, 'PUT', `/admin/edit-requests/${String(requests[0]!.id)}/reject`), '已驳回修改');
    await done(ask(admin, 'PUT', `/admin/edit-requests/${String(requests[1]!.id)}/approve`), '已批准修改');
    await refused(ask(admin, 'PUT', `/admin/edit-requests/${String(requests[1]!.id)}/approve`), 400, '申请不存在或已处理');
    await refused(ask(admin, 'PUT', '/admin/edit-requests/99999/reject'), 404, '申请不存在或已处理');
    // A price of 0 means free.
    expect((await done(ask(visitor, 'GET', `/items/${id}`))).price).toBe(0);
  });

  it('uploads a new version', async () => {
    const id = Number((await own()).items[0]!.id);
    const path = `/developer/items/${id}/versions`;
    await refused(
      author.call('POST', path, formOf({ version: '', changelog: '' }, await pluginZip('front', '1.1.0'))),
      400,
      '请填写版本号',
    );
    await refused(author.call('POST', path, formOf({ version: '1.1.0', changelog: '' })), 400, '请上传 zip 文件');
    await done(
      author.call('POST', path, formOf({ version: '1.1.0', changelog: 'Better' }, await pluginZip('front', '1.1.0'))),
      '新版本上传成功，等待审核',
    );
    expect(await done<Row[]>(ask(author, 'GET', path))).toMatchObject([
      { version: '1.1.0', status: 'pending' },
      { version: '1.0.0', status: 'approved' },
    ]);
    await refused(ask(author, 'GET', '/developer/items/99999'), 404, '项目不存在');
    await refused(ask(visitor, 'GET', '/developer/items'), 401, '请先登录');
  });
});

describe('index and detail', () => {
  it('list what is published', async () => {
    for (const params of [
      {},
      { sort: 'newest' },
      { sort: 'downloads' },
      { sort: 'price' },
      { type: 'plugin' },
      { type: '', keyword: '' },
      { keyword: 'front' },
    ]) {
      const data = await done<{ items: Row[]; total: number }>(
        ask(visitor, 'GET', `/items?${query({ page: 1, page_size: 12, sort: 'newest', ...params })}`),
      );
      expect(data.total).toBe(1);
      reads(data.items[0]!, {
        id: 'number',
        name: 'string',
        description: 'html',
        main_image: 'string',
        author_name: 'string',
        type: 'string',
        version: 'string',
        price: 'number',
        downloads: 'number',
      });
      expect(Math.ceil(data.total / 12)).toBe(1);
    }
    expect(await done(ask(visitor, 'GET', '/items/categories'))).toEqual([
      '支付',
      '通知',
      '管理',
      '界面',
      '安全',
      'SEO',
      '备份',
      '监控',
      '其他',
    ]);
  });

  it('show an item and send its package', async () => {
    const { items } = await done<{ items: Row[] }>(ask(visitor, 'GET', '/items?page=1&page_size=12&sort=newest'));
    const id = Number(items[0]!.id);
    const item = await done(ask(visitor, 'GET', `/items/${id}`));
    reads(item, {
      name: 'string',
      type: 'string',
      version: 'string',
      author_name: 'string',
      zip_size: 'number',
      downloads: 'number',
      category: 'string',
      tags: 'tags',
      requires_svc: 'string',
      price: 'number',
      description: 'html',
      homepage: 'string',
      created_at: 'string',
    });
    for (const secret of ['zip_path', 'review_msg', 'email', 'slug_key']) expect(item).not.toHaveProperty(secret);
    const versions = await done<Row[]>(ask(visitor, 'GET', `/items/${id}/versions`));
    expect(versions).toHaveLength(1);
    reads(versions[0]!, { version: 'string', zip_size: 'number', created_at: 'string' });
    const file = await visitor.send('GET', `/items/${id}/download`);
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="front-v1.0.0.zip"');
    const zip = Buffer.from(await file.arrayBuffer());
    expect(inflatedNames(zip)).toEqual(['front/plugin.json', 'front/index.js']);
    expect((await done(ask(visitor, 'GET', `/items/${id}`))).downloads).toBe(1);
    await refused(ask(visitor, 'GET', '/items/x'), 400, '无效的 ID');
    await refused(ask(visitor, 'GET', '/items/99999/download'), 404, '项目不存在或未审核');
    await refused(ask(visitor, 'GET', '/nothing'), 404, 'Not Found');
  });
});

/** Another name of the same length for a file in a ZIP, in both places where it occurs. */
function rename(zip: Buffer, from: string, to: string): Buffer {
  expect(to).toHaveLength(from.length);
  return Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1');
}

/** Names of the readable files in the ZIP. */
function inflatedNames(zip: Buffer): string[] {
  const names: string[] = [];
  for (let at = zip.indexOf('PK\u0001\u0002'); at >= 0; at = zip.indexOf('PK\u0001\u0002', at + 4)) {
    const [method, size, length, local] = [
      zip.readUInt16LE(at + 10),
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt32LE(at + 42),
    ];
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const data = zip.subarray(start, start + size);
    if (method === 8) inflateRawSync(data);
    names.push(zip.toString('utf8', at + 46, at + 46 + length));
  }
  return names;
}
