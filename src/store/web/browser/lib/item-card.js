// @ts-check
/** @import { Item } from '../api-types' */
import { icon, make } from './dom.js';

/** The picture of an item, or one of its kind. @param {Item} item */
export function itemImage({ main_image: image, type }) {
  if (image) return make('img', { class: 'item-image', src: image, alt: '', loading: 'lazy' });
  return make('div', { class: `item-image item-image-${type}` }, icon(type === 'plugin' ? 'puzzle-outline' : 'palette-outline'));
}

/** A picture of an account. @param {string} avatar @param {string} name */
export function avatarOf(avatar, name) {
  return avatar ? make('img', { class: 'avatar', src: avatar, alt: '' }) : make('span', { class: 'avatar', 'aria-hidden': 'true' }, [...name][0] ?? '');
}
