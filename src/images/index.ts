import './texts.js';

export { ImageFolder } from './image-folder.js';
export { imageKind, type ImageKind } from './image-kind.js';
export { ImageRefusal, type ImageRule } from './image-refusal.js';
export { loadSharp } from './load-sharp.js';
export { IMAGE_LIMITS, reencodeImage, type ReencodedImage } from './reencode-image.js';
export { sendImage } from './send-image.js';
