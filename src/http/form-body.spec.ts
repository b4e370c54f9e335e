import { request, type IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';

import { RequestServers } from '../../test/support/request-servers.js';

import { BodyAdmission } from './body-admission.js';
import { BodyError } from './body-error.js';
import { BodyPace } from './body-pace.js';
import { parseJsonBody, parseMultipart as parse, type MultipartLimits } from './form-body.js';
import type { Sender } from './memory-budget.js';

const admission = new BodyAdmission(new BodyPace());
const sender: Sender = { kind: 'account', who: 'user 1' };
const parseMultipart = (req: IncomingMessage, limits: MultipartLimits = {}) =>
  parse(admission.open(req, { limit: limits.totalBytes ?? 64 * 1024 * 1024, sender }), limits).finally(() => admission.done(req));

const servers = new RequestServers();

afterEach(async () => {
  await servers.close();
});

const code = (error: string): unknown => expect.objectContaining({ name: 'BodyError', code: error });

describe('parseJsonBody', () => {
  const json = (text: string): Record<string, string> => ({ ...parseJsonBody(Buffer.from(text)) });

  it('converts all values to strings', () => {
    expect(json('\uFEFF{"a":"x","n":12.5,"t":true,"f":false,"z":null,"l":[1,null],"o":{"p":{"q":"商"}},"e":""}')).toEqual({
      a: 'x',
      n: '12.5',
      t: 'true',
      f: 'false',
      l: '[1,null]',
      o: '{"p":{"q":"商"}}',
      e: '',
    });
    expect(json('')).toEqual({});
  });

  it('returns an object without prototype, and treats __proto__ like any other name', () => {
    const record = parseJsonBody(Buffer.from('{"__proto__":{"polluted":1},"constructor":"x"}'));
    expect(Object.getPrototypeOf(record)).toBeNull();
    expect(Object.entries(record)).toEqual([
      ['__proto__', '{"polluted":1}'],
      ['constructor', 'x'],
    ]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it.each(['[]', 'null', '1', '"x"', '{', '{"a":1}x', ' ', `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`])(
    'rejects anything but a JSON object (%#)',
    (text) => {
      expect(() => json(text)).toThrow(code('BODY_MALFORMED') as Error);
    },
  );

  it('rejects too many fields and too long names', () => {
    const fields = (count: number): string =>
      JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])));
    expect(Object.keys(json(fields(1_000)))).toHaveLength(1_000);
    expect(() => json(fields(1_001))).toThrow(code('BODY_TOO_LARGE') as Error);
    expect(() => json(`{"${'k'.repeat(201)}":1}`)).toThrow(code('BODY_TOO_LARGE') as Error);
  });

  it('returns strings or throws BodyError for any input', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value)),
        ),
        (text) => {
          try {
            expect(Object.values(json(text)).every((value) => typeof value === 'string')).toBe(true);
          } catch (error) {
            expect(error).toBeInstanceOf(BodyError);
          }
        },
      ),
    );
  });
});

describe('parseMultipart', () => {
  async function send(body: FormData, limits = {}): Promise<Awaited<ReturnType<typeof parseMultipart>>> {
    const { url, result } = await servers.serve((req) => parseMultipart(req, limits));
    await fetch(url, { method: 'POST', body }).catch(() => undefined);
    return result;
  }

  function formOf(fields: [string, string | File][]): FormData {
    const body = new FormData();
    for (const [name, value] of fields) body.append(name, value);
    return body;
  }

  async function raw(text: string, headers: Record<string, string> = {}, limits = {}): Promise<unknown> {
    const { url, result } = await servers.serve((req) => parseMultipart(req, limits));
    await fetch(url, { method: 'POST', body: text, headers: { 'content-type': 'multipart/form-data; boundary=X', ...headers } }).catch(
      () => undefined,
    );
    return result;
  }

  it('parses fields like a URL-encoded form, and files with their names', async () => {
    const { fields, files } = await send(
      formOf([
        ['gn', 'cxtj'],
        ['bdf[1][cz]', '输入'],
        ['idsz[]', '1'],
        ['a', '1'],
        ['a', '2'],
        ['__proto__', 'x'],
        ['filecx', new File(['zip'], '程序.zip', { type: 'application/zip' })],
        ['imgfile[]', new File([], 'empty.png', { type: 'image/png' })],
      ]),
    );
    expect(Object.entries(fields)).toEqual([
      ['gn', 'cxtj'],
      ['bdf', '{"1":{"cz":"输入"}}'],
      ['idsz', '["1"]'],
      ['a', '["1","2"]'],
      ['__proto__', 'x'],
    ]);
    expect(files).toEqual([
      { fieldname: 'filecx', originalname: '程序.zip', mimetype: 'application/zip', size: 3, buffer: Buffer.from('zip') },
      { fieldname: 'imgfile[]', originalname: 'empty.png', mimetype: 'image/png', size: 0, buffer: Buffer.alloc(0) },
    ]);
  });

  it('rejects bodies beyond the limits', async () => {
    const file = (bytes: number): File => new File([Buffer.alloc(bytes)], 'f');
    const many = formOf(Array.from({ length: 21 }, () => ['f', file(1)]));
    await expect(send(many)).rejects.toEqual(code('BODY_TOO_LARGE'));
    await expect(send(formOf([['f', file(101)]]), { fileBytes: 100 })).rejects.toEqual(code('BODY_TOO_LARGE'));
    await expect(send(formOf([['f', file(100)]]), { fileBytes: 100 })).resolves.toMatchObject({ files: [{ size: 100 }] });
    await expect(send(formOf([['f', file(100_000)]]), { totalBytes: 50_000 })).rejects.toEqual(code('BODY_TOO_LARGE'));
    await expect(send(formOf([['a[1][2][3][4][5][6]', 'x']]))).rejects.toEqual(code('BODY_TOO_LARGE'));
    await expect(send(formOf([['list[4000000000]', 'x']]))).rejects.toEqual(code('BODY_TOO_LARGE'));
    await expect(send(formOf(Array.from({ length: 1_001 }, (_, index) => [`k${index}`, 'x'])))).rejects.toEqual(code('BODY_TOO_LARGE'));
  });

  it('rejects a body without a declared length once it is too large, without waiting for its end', async () => {
    const { url, result } = await servers.serve((req) => parseMultipart(req, { totalBytes: 1_000 }));
    const client = request(url, { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=X' } });
    client.on('error', () => undefined);
    client.write(`--X\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n${'x'.repeat(2_000)}`);
    await expect(result).rejects.toEqual(code('BODY_TOO_LARGE'));
    client.destroy();
  });

  it('rejects anything but a multipart body', async () => {
    await expect(raw('--X\r\nbroken')).rejects.toEqual(code('BODY_MALFORMED'));
    await expect(raw('x', { 'content-type': 'multipart/form-data' })).rejects.toEqual(code('BODY_MALFORMED'));
    await expect(raw('a=b', { 'content-type': 'application/x-www-form-urlencoded' })).rejects.toEqual(code('BODY_MALFORMED'));
  });

  it('rejects when the client disconnects', async () => {
    const { url, result } = await servers.serve((req) => {
      req.once('data', () => client.destroy());
      return parseMultipart(req);
    });
    const client = request(url, { method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=X', 'content-length': 500 } });
    client.on('error', () => undefined);
    client.write('--X\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\nxx');
    await expect(result).rejects.toEqual(code('BODY_ABORTED'));
  });
});
