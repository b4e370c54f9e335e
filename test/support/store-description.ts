import type { OpenApiDocument, Operation, Response as DescribedResponse } from '../../src/store/docs/index.js';

import { misfits, resolveRef, type Schema } from './schema.js';
import type { StoreClient, TestStore } from './store.js';

/** Request with its response. */
interface Exchange {
  readonly method: string;
  /** Path from `/api` on, with its query. */
  readonly path: string;
  readonly body: RequestInit['body'];
  readonly response: Response;
}

interface Found {
  readonly template: string;
  readonly operation: Operation;
}

/** Comparison of the store's API description with its behaviour: all responses to watched clients are checked. */
export class StoreDescription {
  /** Differences found. */
  readonly problems: string[] = [];
  private readonly seen = new Set<string>();

  private constructor(readonly document: OpenApiDocument) {}

  static async of(store: TestStore): Promise<StoreDescription> {
    const response = await store.visitor().send('GET', '/docs/openapi.json');
    return new StoreDescription((await response.json()) as OpenApiDocument);
  }

  /** Checks all further requests of a client, and returns it. */
  watch<Client extends StoreClient>(client: Client): Client {
    const send = client.send.bind(client);
    client.send = async (method, path, init = {}) => {
      const response = await send(method, path, init);
      await this.look({ method, path: `/api${path}`, body: init.body, response: response.clone() });
      return response;
    };
    return client;
  }

  /** Compares a response with its description. */
  async look(exchange: Exchange): Promise<void> {
    const { method, path, response } = exchange;
    const found = this.find(method, path.split('?')[0]!);
    if (!found) {
      this.problems.push(`${method} ${path}: not described`);
      return;
    }
    const { template, operation } = found;
    const name = `${method === 'HEAD' ? 'GET' : method} ${template} ${response.status}`;
    this.seen.add(name);
    const described = operation.responses[response.status];
    if (!described) {
      this.problems.push(`${name}: no such answer is described (${await response.text()})`);
      return;
    }
    const answer = '$ref' in described ? resolveRef<DescribedResponse>(this.document, described.$ref) : described;
    const problems = [...headerMisfits(answer, response), ...(method === 'HEAD' ? [] : await this.bodyMisfits(answer, response))];
    if (response.ok) problems.push(...this.requestMisfits(operation, exchange));
    this.problems.push(...problems.map((problem) => `${name}: ${problem}`));
  }

  /** Returns the described responses of all endpoints that were not received yet. */
  unseen(): string[] {
    return (
      this.operations()
        .flatMap(({ method, template, operation }) => Object.keys(operation.responses).map((status) => `${method} ${template} ${status}`))
        // Responses that require overload or an unreachable storage: see test/store/at-once.spec.ts and bucket.spec.ts.
        .filter((name) => !/ (default|503)$/.test(name) && !this.seen.has(name))
    );
  }

  /** Returns all endpoints. */
  operations(): { method: string; template: string; operation: Operation }[] {
    return Object.entries(this.document.paths).flatMap(([template, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), template, operation })),
    );
  }

  private find(method: string, path: string): Found | undefined {
    const wanted = (method === 'HEAD' ? 'GET' : method).toLowerCase();
    const parts = path.split('/');
    const fitting = Object.entries(this.document.paths).filter(([template, methods]) => {
      const places = template.split('/');
      return wanted in methods && places.length === parts.length && places.every((place, i) => place.startsWith('{') || place === parts[i]);
    });
    // A template with fixed parts takes precedence over one with parameters.
    const [best] = fitting.sort(([a], [b]) => a.split('{').length - b.split('{').length);
    return best && { template: best[0], operation: best[1][wanted]! };
  }

  private async bodyMisfits({ content }: DescribedResponse, response: Response): Promise<string[]> {
    const bytes = Buffer.from(await response.arrayBuffer());
    if (!content) return bytes.length === 0 ? [] : [`${bytes.length} bytes where no body is described`];
    const type = (response.headers.get('content-type') ?? '').split(';')[0]!;
    const described = content[type] ?? content[type.replace(/\/.*/, '/*')];
    if (!described) return [`${type} instead of ${Object.keys(content).join(', ')}`];
    if (Object.keys(described.schema).length === 0) return [];
    const text = bytes.toString('utf8');
    return misfits(described.schema as Schema, type === 'application/json' ? JSON.parse(text) : text, this.document);
  }

  /** Checks that everything in an accepted request is described. */
  private requestMisfits({ parameters, requestBody }: Operation, { path, body }: Exchange): string[] {
    const query = [...new URL(path, 'http://store').searchParams].flatMap(([name, value]) => {
      const parameter = parameters.find((one) => one.in === 'query' && one.name === name);
      if (!parameter) return [`takes the parameter ${name}, which is not described`];
      // An empty parameter counts as missing.
      return value === '' && !parameter.required
        ? []
        : misfits(parameter.schema as Schema, given(parameter.schema as Schema, value), this.document, `?${name}`);
    });
    return [...query, ...this.sentMisfits(requestBody, body)];
  }

  private sentMisfits(described: Operation['requestBody'], body: RequestInit['body']): string[] {
    if (body === undefined || body === null) return described?.required ? ['was taken without its body'] : [];
    if (body instanceof FormData) {
      const form = described?.content['multipart/form-data'];
      const fields = Object.fromEntries([...body].map(([name, value]) => [name, typeof value === 'string' ? value : '']));
      return form ? this.fieldMisfits(form.schema as Schema, fields) : ['takes a form that is not described'];
    }
    const json = described?.content['application/json'];
    return json ? this.fieldMisfits(json.schema as Schema, JSON.parse(body as string) as object) : [];
  }

  private fieldMisfits(schema: Schema, fields: object): string[] {
    const form = schema.$ref ? resolveRef<Schema>(this.document, schema.$ref) : schema;
    return misfits({ ...form, additionalProperties: false }, fields, this.document, 'body');
  }
}

/** Converts the value of a query parameter to the type of its schema. */
function given(schema: Schema, value: string): unknown {
  const isNumber = [schema.type].flat().some((type) => type === 'integer' || type === 'number');
  return isNumber && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
}

function headerMisfits({ headers = {} }: DescribedResponse, response: Response): string[] {
  return Object.keys(headers)
    .filter((name) => (name === 'Set-Cookie' ? response.headers.getSetCookie().length === 0 : !response.headers.has(name)))
    .map((name) => `without the header ${name}`);
}
