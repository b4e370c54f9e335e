/** Details of an htmx event: its request, and for `htmx:confirm` how to continue. */
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

/** Returns the details of an htmx event. */
export const detailOf = (event: Event): Detail => (event as CustomEvent<Detail>).detail;
