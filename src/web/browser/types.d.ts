/** The CSP build of Alpine, which evaluates no strings, has the types of the normal one. */
declare module '@alpinejs/csp' {
  export { default } from 'alpinejs';
}

/** Globals set by other scripts of a page. */
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
