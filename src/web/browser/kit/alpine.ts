import Alpine from '@alpinejs/csp';
import type { AlpineComponent, DirectiveCallback } from 'alpinejs';

/** Attributes of pages that Alpine knows under a name of its own. */
const aliases = new Map<string, { readonly name: string; readonly value?: string }>();

/** Makes an attribute mean one of Alpine's. @example alias('data-bulk-bar', 'x-bind:hidden', 'chosen.length === 0') */
export function alias(attribute: string, name: string, value?: string): void {
  aliases.set(attribute, { name, value });
}

/** Declares a component with a state; elements with the attribute are one. @param make its state and methods */
export function component<T extends object>(attribute: string, name: string, make: () => AlpineComponent<T>): void {
  Alpine.data(name, make);
  alias(attribute, 'x-data', name);
  Alpine.addRootSelector(() => `[${attribute}]`);
}

/** Does something with every element that has the attribute, now or later. @param name of the directive, without `x-` */
export function directive(attribute: string, name: string, act: DirectiveCallback): void {
  Alpine.directive(name, act);
  alias(attribute, `x-${name}`);
}

/** Begins once every script of the page has declared what it has; pages may bring components too (`document`'s event `alpine:init`). */
export function start(): void {
  Alpine.mapAttributes(({ name, value }) => {
    const meant = aliases.get(name);
    return meant ? { name: meant.name, value: meant.value ?? value } : { name, value };
  });
  // All of the page is Alpine's: components may stand anywhere, in what htmx fetches later too.
  Alpine.addRootSelector(() => 'body');
  Object.assign(window, { Alpine });
  document.addEventListener('DOMContentLoaded', () => Alpine.start());
}
