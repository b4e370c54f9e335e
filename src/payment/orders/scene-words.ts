import { ownerKeys, translate, translateFor, type Locale } from '../../common/index.js';

const SCENE = 'scene.';

/**
 * Returns the display name of a scene: a text of the panel, or `scene.<scene>` of the selling plugin; the scene itself if there is
 * no text.
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
