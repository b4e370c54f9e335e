import { translateFor, type Locale, type TextRef } from '../common/index.js';

import type { Gateway, GatewayMethod } from './payment-registry.js';

/**
 * What a gateway is called in the language of its reader: the text `gateway.<slug>` of the plugin that brings it, else the name it
 * registered.
 */
export function gatewayName({ owner, slug, name }: Pick<Gateway, 'owner' | 'slug' | 'name'>, locale: Locale): string {
  return ownText(owner, locale, `gateway.${slug}`) ?? name;
}

/** The same for texts that are kept, and read later by people of any language. */
export function gatewayWords({ owner, slug, name }: Pick<Gateway, 'owner' | 'slug' | 'name'>): TextRef {
  return { owner, key: `gateway.${slug}`, otherwise: name };
}

/** The name the reseller gave a method; empty where what is saved is no more than a name that the gateway registered. */
export function ownMethodName({ name }: Pick<Gateway, 'name'>, { label }: GatewayMethod, saved: string): string {
  return saved === label || saved === name ? '' : saved;
}

/**
 * What a method is called: the name the reseller gave it, in every language, else the text `method.<method>` of the plugin, else the name
 * it registered.
 *
 * @param saved what the settings have as its name; empty for nothing
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
