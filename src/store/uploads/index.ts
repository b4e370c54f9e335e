export { UploadRefusals } from './upload-refusals.js';
