import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RouteRefusedError } from './route-path.js';
import { NO_ROUTES, RouteTable, type RouteDefinition } from './route-table.js';

type Definition = Partial<RouteDefinition<string>> & { path: string };

function tableOf(...routes: (string | Definition)[]): RouteTable<string> {
  const table = new RouteTable<string>();
  for (const route of routes) {
    const definition = typeof route === 'string' ? { path: route } : route;
    table.add({ method: 'GET', owner: 'test', handler: definition.path, ...definition });
  }
  return table;
}

function found(table: RouteTable<string>, path: string, method = 'GET'): string[] {
  return table.match(method, path).map((match) => match.entry.handler);
}

function params(table: RouteTable<string>, path: string): Record<string, string> | undefined {
  const [match] = table.match('GET', path);
  return match && { ...match.params };
}

describe('RouteTable.match', () => {
  it('matches one non-empty segment per parameter', () => {
    const table = tableOf('/shop/{plan}/order/{id}');
    expect(params(table, '/shop/7/order/abc')).toEqual({ plan: '7', id: 'abc' });
    for (const path of ['/shop/7/order', '/shop//order/abc', '/shop/7/order/', '/shop/7/8/order/abc', '/shop/7/order/a/b']) {
      expect(found(table, path)).toEqual([]);
    }
  });

  it('ignores a trailing slash in route and request, but does not collapse slashes', () => {
    const table = tableOf('/a', '/b/', '/c/{id}/', '/');
    expect([found(table, '/a'), found(table, '/a/'), found(table, '/b'), found(table, '/b/')]).toEqual([['/a'], ['/a'], ['/b/'], ['/b/']]);
    expect(params(table, '/c/1/')).toEqual({ id: '1' });
    expect(found(table, '/')).toEqual(['/']);
    for (const path of ['//', '//a', '/a//', '///', '/c//', '']) expect(found(table, path)).toEqual([]);
  });

  it('orders by priority, then by registration, regardless of how specific a route is', () => {
    const table = tableOf(
      { path: '/x/{any}', handler: 'parameter' },
      { path: '/x/y', handler: 'literal' },
      { path: '/{a}/{b}', handler: 'early', priority: -1 },
      { path: '/x/y', handler: 'zero', priority: 0 },
      { path: '/x/y', handler: 'late', priority: 11 },
    );
    expect(found(table, '/x/y')).toEqual(['early', 'zero', 'parameter', 'literal', 'late']);
    expect(table.match('GET', '/x/y').map((match) => ({ ...match.params }))).toEqual([{ a: 'x', b: 'y' }, {}, { any: 'y' }, {}, {}]);
  });

  it('keeps the parameters of each path through the trie separate', () => {
    const table = tableOf('/{a}/x/{b}', '/{a}/{b}/{c}', '/p/x/{d}', '/p/{e}/q');
    expect(table.match('GET', '/p/x/q').map((match) => ({ ...match.params }))).toEqual([
      { a: 'p', b: 'q' },
      { a: 'p', b: 'x', c: 'q' },
      { d: 'q' },
      { e: 'x' },
    ]);
  });

  it('matches methods literally, and * for any method', () => {
    const table = tableOf(
      { path: '/a', method: 'get', handler: 'get' },
      { path: '/a', method: 'POST', handler: 'post' },
      { path: '/a', method: '*', handler: 'any' },
    );
    expect(found(table, '/a', 'GET')).toEqual(['get', 'any']);
    expect(found(table, '/a', 'POST')).toEqual(['post', 'any']);
    expect(found(table, '/a', 'HEAD')).toEqual(['any']);
  });

  it('decodes values, keeps an encoded slash inside its value, and does not match invalid encoding', () => {
    const table = tableOf('/f/{name}');
    expect(params(table, '/f/%E5%95%86%20a%2Fb+c')).toEqual({ name: '商 a/b+c' });
    expect(params(table, '/f/%2e%2e')).toEqual({ name: '..' });
    for (const bad of ['%', '%zz', '%E5%95', '%ff', 'a%2']) expect(found(table, `/f/${bad}`)).toEqual([]);
  });

  it('compares literal segments as sent', () => {
    const table = tableOf('/admin', '/商店/{id}');
    for (const path of ['/%61dmin', '/Admin', '/ADMIN', '/admin%2F', '/admi', '/admin2', '//admin']) expect(found(table, path)).toEqual([]);
    expect(params(table, '/%E5%95%86%E5%BA%97/1')).toEqual({ id: '1' });
  });

  it('treats names of object prototypes like any other name', () => {
    const table = tableOf('/constructor/{constructor}', '/__proto__/{__proto__}/{toString}');
    expect(table.match('GET', '/__proto__/polluted/x')[0]?.params).toSatisfy(
      (values: object) => Object.keys(values).join() === '__proto__,toString' && Reflect.get(values, '__proto__') === 'polluted',
    );
    const [match] = table.match('GET', '/constructor/1');
    expect(Object.entries(match!.params)).toEqual([['constructor', '1']]);
    expect('hasOwnProperty' in match!.params || 'toString' in match!.params || '__proto__' in match!.params).toBe(false);
    expect(found(table, '/toString')).toEqual([]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('returns separate parameters per request, and one frozen array for no match', () => {
    const table = tableOf('/a/{id}', '/b');
    const [first] = table.match('GET', '/a/1');
    first!.params.id = 'changed';
    expect(params(table, '/a/1')).toEqual({ id: '1' });
    table.match('GET', '/b')[0]!.params.extra = 'x';
    expect(params(table, '/b')).toEqual({});
    expect(table.match('GET', '/c')).toBe(NO_ROUTES);
    expect(Object.isFrozen(NO_ROUTES)).toBe(true);
  });

  it('handles very long requests', () => {
    const table = tableOf(`/${Array.from({ length: 32 }, (_, index) => `{p${index}}`).join('/')}`);
    expect(Object.keys(params(table, '/v'.repeat(32))!)).toHaveLength(32);
    expect(found(table, '/v'.repeat(33))).toEqual([]);
    expect(found(table, '/'.repeat(100_000))).toEqual([]);
  });
});

describe('RouteTable.add', () => {
  it.each([
    ['shop', 'must start with "/"'],
    ['', 'must start with "/"'],
    ['/a/{id', 'whole segment'],
    ['/a/x{id}', 'whole segment'],
    ['/a/{id}.html', 'whole segment'],
    ['/a/{}', 'whole segment'],
    ['/a/{1a}', 'whole segment'],
    ['/a/{a-b}', 'whole segment'],
    ['/{id}/x/{id}', '{id} occurs twice'],
    ['/a//b', 'empty segment'],
    ['//', 'empty segment'],
    ['/a?b=1', '"?"'],
    ['/\ud800', 'surrogate'],
    [`/${'a'.repeat(2048)}`, '2048 characters, this one has 2049'],
    ['/a'.repeat(33), '32 segments, this one has 33'],
  ])('rejects an invalid path (%#)', (path, rule) => {
    const table = new RouteTable<string>();
    const add = (): unknown => table.add({ method: 'GET', path, owner: 'test', handler: '' });
    expect(add).toThrow(RouteRefusedError);
    expect(add).toThrow(rule);
    expect([table.list(), table.nodeCount]).toEqual([[], 1]);
  });

  it('rejects invalid methods and priorities', () => {
    const table = new RouteTable<string>();
    for (const method of ['', 'GET POST', 'G*T', 'GET\n']) {
      expect(() => table.add({ method, path: '/', owner: 'test', handler: '' })).toThrow('no HTTP method');
    }
    expect(() => table.add({ method: 'GET', path: '/', priority: NaN, owner: 'test', handler: '' })).toThrow('priority');
    expect(table.nodeCount).toBe(1);
  });

  it('accepts paths up to the limits', () => {
    const table = tableOf(`/${'a'.repeat(2047)}`, '/a'.repeat(32));
    expect(found(table, `/${'a'.repeat(2047)}/`)).toHaveLength(1);
    expect(found(table, '/a'.repeat(32))).toHaveLength(1);
  });

  it('lists registered routes and counts them by owner', () => {
    const table = tableOf({ path: '/b', owner: 'one', priority: 99 }, { path: '/a', owner: '__proto__' }, { path: '/a', owner: 'one' });
    expect(table.list().map(({ path, owner, priority }) => [path, owner, priority])).toEqual([
      ['/b', 'one', 99],
      ['/a', '__proto__', 10],
      ['/a', 'one', 10],
    ]);
    expect([...table.countsByOwner()]).toEqual([
      ['one', 2],
      ['__proto__', 1],
    ]);
  });

  it('removes a route once, without affecting an equal one or a result in use', () => {
    const table = new RouteTable<string>();
    const undoFirst = table.add({ method: 'GET', path: '/a/{id}', owner: 'one', handler: 'first' });
    table.add({ method: 'GET', path: '/a/{id}', owner: 'two', handler: 'second' });
    const inUse = table.match('GET', '/a/1');
    undoFirst();
    undoFirst();
    expect(inUse.map((match) => match.entry.handler)).toEqual(['first', 'second']);
    expect(found(table, '/a/1')).toEqual(['second']);
    expect([...table.countsByOwner()]).toEqual([['two', 1]]);
  });

  it('leaves no nodes behind after 1,000 cycles, in any order of removal', () => {
    const table = tableOf('/', '/keep/{id}/x');
    const before = table.nodeCount;
    for (let cycle = 0; cycle < 1_000; cycle++) {
      const undos = [`/cycle-${cycle}/a`, `/cycle-${cycle}/{id}/b/{c}`, `/keep/${cycle}`, '/keep/{id}', '/keep/{id}/x/y'].map((path) =>
        table.add({ method: 'GET', path, owner: 'cycle', handler: path }),
      );
      if (cycle % 2 === 0) undos.reverse();
      for (const undo of undos) undo();
      expect(table.nodeCount).toBe(before);
    }
    expect([found(table, '/'), found(table, '/keep/1/x'), found(table, '/keep/1')]).toEqual([['/'], ['/keep/{id}/x'], []]);
    expect(table.list()).toHaveLength(2);
  });
});

/** The same rules as one regular expression per route and a linear scan. */
class LinearTable {
  private readonly routes: { method: string; names: string[]; pattern: RegExp; priority: number; id: number }[] = [];

  add(id: number, method: string, path: string, priority: number): void {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
    const source = path.replace(/\/$/, '').replace(/\{\w+\}/g, '([^/]+)');
    this.routes.push({ id, method, names, priority, pattern: new RegExp(`^${source}/?$`) });
  }

  remove(id: number): void {
    this.routes.splice(
      this.routes.findIndex((route) => route.id === id),
      1,
    );
  }

  match(method: string, path: string): { id: number; params: [string, string][] }[] {
    return this.routes
      .toSorted((one, other) => one.priority - other.priority || one.id - other.id)
      .flatMap((route) => {
        const match = route.method === '*' || route.method === method ? route.pattern.exec(path) : null;
        if (!match) return [];
        try {
          return [
            { id: route.id, params: route.names.map((name, index): [string, string] => [name, decodeURIComponent(match[index + 1]!)]) },
          ];
        } catch {
          return [];
        }
      });
  }
}

describe('RouteTable, compared with a linear scan of regular expressions', () => {
  const literal = fc.constantFrom('a', 'b', 'A', '__proto__', '%61');
  const routePath = fc
    .tuple(fc.array(fc.oneof(literal, fc.constant(null)), { maxLength: 4 }), fc.boolean(), fc.constantFrom('p', '__proto__'))
    .map(
      ([parts, slash, name]) =>
        `/${parts.map((part, index) => part ?? `{${name}${index || ''}}`).join('/')}${slash && parts.length > 0 ? '/' : ''}`,
    );
  const requestPath = fc
    .array(fc.oneof({ weight: 6, arbitrary: literal }, { weight: 1, arbitrary: fc.constantFrom('', '%', '%2F', '%E5%95%86', 'x y') }), {
      maxLength: 5,
    })
    .map((parts) => `/${parts.join('/')}`);
  const method = fc.constantFrom('GET', 'POST', '*');
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ add: routePath, method, priority: fc.integer({ min: -1, max: 2 }) }) },
    { weight: 1, arbitrary: fc.record({ remove: fc.nat() }) },
    { weight: 3, arbitrary: fc.record({ request: requestPath, method: fc.constantFrom('GET', 'POST', 'HEAD') }) },
  );

  it('agrees for random routes, priorities, removals and requests', () => {
    let matches = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }), (steps) => {
        const table = new RouteTable<number>();
        const linear = new LinearTable();
        const standing: { id: number; undo: () => void }[] = [];
        steps.forEach((one, id) => {
          if ('add' in one) {
            const { add: path, method, priority } = one;
            standing.push({ id, undo: table.add({ method, path, priority, owner: 'test', handler: id }) });
            linear.add(id, method, path, priority);
          } else if ('remove' in one) {
            const [gone] = standing.splice(one.remove % Math.max(1, standing.length), 1);
            gone?.undo();
            if (gone) linear.remove(gone.id);
          } else {
            const actual = table
              .match(one.method, one.request)
              .map(({ entry, params }) => ({ id: entry.handler, params: Object.entries(params) }));
            expect(actual).toEqual(linear.match(one.method, one.request));
            matches += actual.length;
          }
        });
        for (const { undo } of standing) undo();
        expect(table.nodeCount).toBe(1);
      }),
      { numRuns: 1_000 },
    );
    expect(matches).toBeGreaterThan(1_000);
  });
});
