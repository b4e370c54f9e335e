export { ImageUploads } from './image-uploads.js';
export { ImagesController, ImageUploadController } from './images.controller.js';
