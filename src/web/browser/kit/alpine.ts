import Alpine from '@alpinejs/csp';
import type { AlpineComponent, DirectiveCallback } from 'alpinejs';

/** Page attributes that stand for attributes of Alpine. */
const aliases = new Map<string, { readonly name: string; readonly value?: string }>();

/** Maps an attribute to one of Alpine's. @example alias('data-bulk-bar', 'x-bind:hidden', 'chosen.length === 0') */
export function alias(attribute: string, name: string, value?: string): void {
  aliases.set(attribute, { name, value });
}

/** Registers a component with state for elements with the attribute. @param make creates its state and methods */
export function component<T extends object>(attribute: string, name: string, make: () => AlpineComponent<T>): void {
  Alpine.data(name, make);
  alias(attribute, 'x-data', name);
  Alpine.addRootSelector(() => `[${attribute}]`);
}

/** Registers an action for every element with the attribute, present or added later. @param name of the directive, without `x-` */
export function directive(attribute: string, name: string, act: DirectiveCallback): void {
  Alpine.directive(name, act);
  alias(attribute, `x-${name}`);
}

/**
 * Starts Alpine after every script of the page has registered its parts; pages may also add components (on `document`'s event
 * `alpine:init`).
 */
export function start(): void {
  Alpine.mapAttributes(({ name, value }) => {
    const meant = aliases.get(name);
    return meant ? { name: meant.name, value: meant.value ?? value } : { name, value };
  });
  // The whole page belongs to Alpine: components may be anywhere, also in content that htmx loads later.
  Alpine.addRootSelector(() => 'body');
  Object.assign(window, { Alpine });
  document.addEventListener('DOMContentLoaded', () => Alpine.start());
}
