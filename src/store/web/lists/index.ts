export * from './account-lists.js';
export * from './author-lists.js';
export * from './catalogue-lists.js';
export * from './pieces.js';
export * from './review-lists.js';
export * from './show-list.js';
