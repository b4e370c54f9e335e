export { DownloadCounter } from './download-counter.js';
export { DownloadsController } from './downloads.controller.js';
export { SigningKeyController } from './signing-key.controller.js';
