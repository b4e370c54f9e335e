import { translateFor, type Locale, type TextRef } from '../../common/index.js';

import type { Gateway, GatewayMethod } from './payment-registry.js';

/** Returns the display name of a gateway: the text `gateway.<slug>` of its plugin, else the name it registered. */
export function gatewayName({ owner, slug, name }: Pick<Gateway, 'owner' | 'slug' | 'name'>, locale: Locale): string {
  return ownText(owner, locale, `gateway.${slug}`) ?? name;
}

/** As {@link gatewayName}, for texts that are stored and translated later. */
export function gatewayWords({ owner, slug, name }: Pick<Gateway, 'owner' | 'slug' | 'name'>): TextRef {
  return { owner, key: `gateway.${slug}`, otherwise: name };
}

/** Returns the name the reseller gave a method; empty if the saved name equals one that the gateway registered. */
export function ownMethodName({ name }: Pick<Gateway, 'name'>, { label }: GatewayMethod, saved: string): string {
  return saved === label || saved === name ? '' : saved;
}

/**
 * Returns the display name of a method: the reseller's name, in every language, else the text `method.<method>` of the plugin, else the
 * name it registered.
 *
 * @param saved the name in the settings; empty if none
 */
export function methodName(
  gateway: Pick<Gateway, 'owner' | 'name'>,
  method: string,
  registered: GatewayMethod,
  saved: string,
  locale: Locale,
): string {
  return ownMethodName(gateway, registered, saved) || (ownText(gateway.owner, locale, `method.${method}`) ?? registered.label);
}

function ownText(owner: string, locale: Locale, key: string): string | undefined {
  const text = translateFor(owner, locale, key);
  return text === key ? undefined : text;
}
