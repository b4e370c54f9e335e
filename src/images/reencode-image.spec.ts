import { crc32, deflateSync } from 'node:zlib';

import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';

import { LOCALES, translate } from '../common/index.js';

import { ImageRefusal } from './image-refusal.js';
import { IMAGE_LIMITS, reencodeImage } from './reencode-image.js';

const still = (width = 40, height = 30): Sharp => sharp({ create: { width, height, channels: 3, background: '#3366cc' } });

async function moving(format: 'gif' | 'webp', frames = 3): Promise<Buffer> {
  const pixels = Buffer.concat(Array.from({ length: frames }, (_, i) => Buffer.alloc(20 * 10 * 3, i * 60)));
  const image = sharp(pixels, { raw: { width: 20, height: 10 * frames, channels: 3, pageHeight: 10 } });
  return format === 'gif'
    ? image.gif({ delay: Array(frames).fill(100), loop: 2 }).toBuffer()
    : image.webp({ delay: Array(frames).fill(100), loop: 2 }).toBuffer();
}

async function rule(upload: Buffer): Promise<string> {
  const error = await reencodeImage(upload).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ImageRefusal);
  const { shape, params, code } = error as ImageRefusal;
  for (const locale of LOCALES) expect(translate(locale, shape.text, params)).not.toMatch(/^images\.|\{/);
  return code;
}

/** A PNG whose header says whatever it likes. */
function pngBomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('reencodeImage', () => {
  it.each([
    ['jpg', 'image/jpeg', (): Promise<Buffer> => still().jpeg().toBuffer()],
    ['png', 'image/png', (): Promise<Buffer> => still().png().toBuffer()],
    ['gif', 'image/gif', (): Promise<Buffer> => still().gif().toBuffer()],
    ['webp', 'image/webp', (): Promise<Buffer> => still().webp().toBuffer()],
  ])('makes a %s anew under a random name', async (kind, contentType, make) => {
    const image = await reencodeImage(await make());
    expect(image).toMatchObject({ kind, contentType, width: 40, height: 30, frames: 1 });
    expect(image.name).toMatch(new RegExp(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.${kind}$`));
    expect(await sharp(image.data).metadata()).toMatchObject({ width: 40, height: 30 });
  });

  it.each(['gif', 'webp'] as const)('keeps a moving %s moving', async (format) => {
    const image = await reencodeImage(await moving(format));
    expect(image).toMatchObject({ width: 20, height: 10, frames: 3 });
    expect(await sharp(image.data, { animated: true }).metadata()).toMatchObject({ pages: 3, delay: [100, 100, 100], loop: 2 });
  });

  it('drops what is not pixels, and turns the picture as the camera said', async () => {
    const upload = await still()
      .jpeg()
      .withMetadata({ orientation: 6 })
      .withExif({ IFD0: { Copyright: 'somebody', Artist: 'at home' } })
      .toBuffer();
    const image = await reencodeImage(Buffer.concat([upload, Buffer.from('<script>alert(1)</script>')]));
    const { exif, icc, orientation, ...size } = await sharp(image.data).metadata();
    expect({ exif, icc, orientation }).toEqual({});
    expect([size.width, size.height, image.width, image.height]).toEqual([30, 40, 30, 40]);
    expect(image.data.includes('<script>')).toBe(false);
    expect(image.data.includes('at home')).toBe(false);
  });

  it('refuses other formats, whatever they are called', async () => {
    const others = [
      '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
      '<?xml version="1.0"?><svg/>',
      'BM',
      '%PDF-1.4',
      'GIF',
      'II*\0',
      '\0\0\0 ftypavif',
    ];
    for (const bytes of [...others.map((text) => Buffer.from(text)), await still().tiff().toBuffer(), await still().avif().toBuffer()])
      expect(await rule(bytes)).toBe('TYPE');
  });

  it('refuses nothing, too much, and what is damaged', async () => {
    expect(await rule(Buffer.alloc(0))).toBe('MISSING');
    expect(await rule(Buffer.alloc(IMAGE_LIMITS.bytes + 1))).toBe('TOO_LARGE');
    const noise = await sharp({
      create: { width: 300, height: 300, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
    })
      .png()
      .toBuffer();
    for (const bytes of [
      noise.subarray(0, noise.length / 2),
      noise.subarray(0, 20),
      Buffer.from('GIF89a'),
      Buffer.from('\xff\xd8\xff\xe0 <?php system(1) ?>', 'latin1'),
    ]) {
      expect(await rule(bytes)).toBe('BROKEN');
    }
  });

  it('refuses dimension bombs by their header', async () => {
    for (const [width, height] of [
      [50_000, 50_000],
      [10_001, 1],
      [1, 10_001],
      [6_000, 6_000],
    ] as const) {
      expect(await rule(pngBomb(width, height))).toBe('DIMENSIONS');
    }
    expect(await rule(pngBomb(0x7fffffff, 0x7fffffff))).toBe('BROKEN');
    expect(await rule(await moving('gif', IMAGE_LIMITS.frames + 1))).toBe('DIMENSIONS');
  });
});
