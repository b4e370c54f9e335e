import { randomUUID } from 'node:crypto';

import type { Metadata, Sharp } from 'sharp';

import { Semaphore } from '../common/index.js';

import { imageKind, type ImageKind } from './image-kind.js';
import { ImageRefusal } from './image-refusal.js';
import { loadSharp } from './load-sharp.js';

/** Limits of an image. */
export const IMAGE_LIMITS = {
  /** Bytes of the upload. */
  bytes: 5 * 1024 * 1024,
  /** Pixels of width and of height. */
  side: 10_000,
  /** Pixels of all frames together: at worst some 200 MB (a rotated or progressive JPEG), usually 20 MB, during conversion. */
  pixels: 30_000_000,
  frames: 300,
} as const;

/** Timeout of a conversion, in seconds; images within the limits take far less. */
const MAX_SECONDS = 20;

/** An image re-encoded from its pixels. */
export interface ReencodedImage {
  /** Random, with the extension of its format: `<uuid>.png`. */
  readonly name: string;
  readonly kind: ImageKind;
  readonly contentType: string;
  readonly data: Buffer;
  /** Of one frame, in pixels. */
  readonly width: number;
  readonly height: number;
  /** More than 1 for an animation. */
  readonly frames: number;
}

const turns = new Semaphore(2);

/**
 * Decodes an image and re-encodes it in its own format, so that only pixels are served (no camera position, no appended script, no second
 * format). Animated GIF and WebP stay animated; images are rotated according to their EXIF orientation.
 *
 * @param within scales the image down until each side has at most this many pixels
 * @throws ImageRefusal MISSING, TOO_LARGE, TYPE, DIMENSIONS (before anything is decoded), BROKEN
 */
export async function reencodeImage(upload: Buffer, { within }: { within?: number } = {}): Promise<ReencodedImage> {
  if (upload.length === 0) throw new ImageRefusal('MISSING');
  if (upload.length > IMAGE_LIMITS.bytes) throw new ImageRefusal('TOO_LARGE');
  const kind = imageKind(upload);
  if (kind === null) throw new ImageRefusal('TYPE');
  return turns.take(async () => {
    try {
      const moving = kind === 'gif' || kind === 'webp';
      const sharp = await loadSharp();
      const frames = framesOf(await sharp(upload, { limitInputPixels: false, failOn: 'error' }).metadata());
      const open = { animated: moving, limitInputPixels: IMAGE_LIMITS.pixels, failOn: 'error', sequentialRead: true } as const;
      const image = sharp(upload, open).timeout({ seconds: MAX_SECONDS });
      const sized = within === undefined ? image : image.resize({ width: within, height: within, fit: 'inside', withoutEnlargement: true });
      const { data, info } = await encode(moving ? sized : sized.autoOrient(), kind).toBuffer({ resolveWithObject: true });
      return {
        name: `${randomUUID()}.${kind}`,
        kind,
        contentType: kind === 'jpg' ? 'image/jpeg' : `image/${kind}`,
        data,
        frames,
        width: info.width,
        height: info.pageHeight ?? info.height,
      };
    } catch (error) {
      if (error instanceof ImageRefusal) throw error;
      throw new ImageRefusal('BROKEN', {}, undefined, { cause: error });
    }
  });
}

/** Reads the header only. */
function framesOf({ width, height, pages = 1 }: Metadata): number {
  const { side, pixels, frames } = IMAGE_LIMITS;
  if (width > side || height > side || pages > frames || width * height * pages > pixels) {
    throw new ImageRefusal('DIMENSIONS', { side, megapixels: pixels / 1_000_000, frames });
  }
  return pages;
}

function encode(image: Sharp, kind: ImageKind): Sharp {
  switch (kind) {
    case 'jpg':
      // Optimized Huffman tables would save a tenth but need the whole image in memory twice (190 MB for 30 million pixels).
      return image.jpeg({ quality: 88, optimiseCoding: false });
    case 'png':
      return image.png({ compressionLevel: 8 });
    case 'gif':
      return image.gif({ effort: 3 });
    case 'webp':
      return image.webp({ quality: 88, effort: 3 });
  }
}
