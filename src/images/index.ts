import './texts.js';

export { ImageFolder } from './image-folder.js';
export { ImageRefusal } from './image-refusal.js';
export { loadSharp } from './load-sharp.js';
export { IMAGE_LIMITS, reencodeImage } from './reencode-image.js';
export { sendImage } from './send-image.js';
