import './texts.js';

export { FeedsController, ItemFeedsController } from './feeds.controller.js';
export { NewestVersions } from './newest-versions.js';
