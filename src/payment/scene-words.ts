import { ownerKeys, translate, translateFor, type Locale } from '../common/index.js';

const SCENE = 'scene.';

/**
 * What people know the scene of an order as: a text of ours, or `scene.<scene>` of the plugin that sells under it; the scene itself where
 * nobody has a word for it.
 *
 * @example
 * ```ts
 * sceneWords('xf', 'en'); // "Renewal"
 * ```
 */
export function sceneWords(scene: string, locale: Locale): string {
  const own = translate(locale, `payment.${SCENE}${scene}`);
  if (own !== `payment.${SCENE}${scene}`) return own;
  const seller = ownerKeys(SCENE).find(({ key }) => key === scene);
  return seller ? translateFor(seller.owner, locale, SCENE + scene) : scene;
}
