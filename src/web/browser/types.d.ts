/** The build of Alpine that evaluates no strings has the types of the other. */
declare module '@alpinejs/csp' {
  export { default } from 'alpinejs';
}

/** What the other scripts of a page put into `window`. */
interface Window {
  readonly htmx: {
    ajax(method: string, address: string, options: object): Promise<void>;
    registerExtension(name: string, extension: object): void;
  };
  readonly tabler?: {
    readonly Modal: { getOrCreateInstance(modal: Element): { show(): void; hide(): void } };
  };
  readonly trustedTypes?: { createPolicy(name: string, rules: object): unknown };
}
