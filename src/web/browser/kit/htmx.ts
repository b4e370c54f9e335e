/** What an event of htmx is about: its request, and for `htmx:confirm` how to go on. */
interface Detail {
  readonly ctx: {
    readonly sourceElement: HTMLElement;
    readonly request: {
      readonly method: string;
      readonly action: string;
      readonly body: FormData;
      readonly submitter?: HTMLElement;
      timeout: number;
    };
    readonly response: { readonly raw: Response };
    fetch?: (address: string, init: RequestInit) => Promise<Response>;
  };
  issueRequest(): void;
  dropRequest(): void;
}

/** What an event of htmx is about. */
export const detailOf = (event: Event): Detail => (event as CustomEvent<Detail>).detail;
