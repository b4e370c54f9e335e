import { AppError, type ErrorShape } from '../common/index.js';

/** Why an image is rejected. */
export type ImageRule = 'MISSING' | 'TYPE' | 'TOO_LARGE' | 'DIMENSIONS' | 'BROKEN';

const ERROR_MAP: Record<ImageRule, ErrorShape> = {
  MISSING: { err: 'E_ARGS', text: 'images.missing' },
  TYPE: { err: 'E_ARGS', text: 'images.type' },
  TOO_LARGE: { err: 'E_LIMIT', text: 'images.too_large' },
  DIMENSIONS: { err: 'E_LIMIT', text: 'images.dimensions' },
  BROKEN: { err: 'E_ARGS', text: 'images.broken' },
};

/** A rejected image. */
export class ImageRefusal extends AppError<ImageRule> {
  get shape(): ErrorShape {
    return ERROR_MAP[this.code];
  }
}
