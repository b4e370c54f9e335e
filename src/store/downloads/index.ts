export { DownloadCounter } from './download-counter.js';
export { DownloadsController } from './downloads.controller.js';
