import type { Type } from '@nestjs/common';
import type * as swagger from '@nestjs/swagger';
import type { ApiPropertyOptions } from '@nestjs/swagger';

/** `@nestjs/swagger`. */
export type OpenApi = typeof swagger;
/** Decorator for a class, a method or a property. */
type Description = ClassDecorator & MethodDecorator & PropertyDecorator;
type DecoratorName =
  | 'ApiBody'
  | 'ApiConsumes'
  | 'ApiExcludeController'
  | 'ApiExcludeEndpoint'
  | 'ApiExtension'
  | 'ApiExtraModels'
  | 'ApiHeader'
  | 'ApiOkResponse'
  | 'ApiOperation'
  | 'ApiParam'
  | 'ApiProperty'
  | 'ApiPropertyOptional'
  | 'ApiResponse'
  | 'ApiSchema'
  | 'ApiSecurity'
  | 'ApiTags';

/** Descriptions in order of declaration, not yet applied. */
const pending: ((api: OpenApi) => void)[] = [];

/**
 * Defers a description until the first document is requested: `@nestjs/swagger` is a tenth of what is loaded at start, and most processes
 * never serve a document.
 */
export function describing(decorator: (api: OpenApi) => MethodDecorator | ClassDecorator | PropertyDecorator): Description {
  return (...target: unknown[]) => {
    pending.push((api) => (decorator(api) as (...given: unknown[]) => void)(...target));
  };
}

/** Loads `@nestjs/swagger` with all pending descriptions applied. */
export async function openApi(): Promise<OpenApi> {
  const api = await import('@nestjs/swagger');
  for (const describe of pending.splice(0)) describe(api);
  return api;
}

/** `@ApiProperty` options of class fields, by prototype. */
const properties = new WeakMap<object, Record<string, ApiPropertyOptions>>();

/** Returns the `@ApiProperty` options of a class and its base classes, without `@nestjs/swagger`: forms of pages need them. */
export function describedFields(form: Type): Readonly<Record<string, ApiPropertyOptions>> {
  const fields: Record<string, ApiPropertyOptions> = {};
  for (let at = form.prototype as object | null; at; at = Object.getPrototypeOf(at) as object | null)
    for (const [name, options] of Object.entries(properties.get(at) ?? {})) fields[name] ??= options;
  return fields;
}

/** Schema names set by `@ApiSchema`. */
const schemaNames = new WeakMap<object, string>();

/** Returns the name of a class in documents, without `@nestjs/swagger`. */
export const schemaNameOf = (model: Type): string => schemaNames.get(model) ?? model.name;

const later =
  <N extends DecoratorName>(name: N) =>
  (...given: Parameters<OpenApi[N]>): Description =>
    describing((api) => (api[name] as (...options: Parameters<OpenApi[N]>) => MethodDecorator)(...given));

/** As {@link later}, but recorded immediately for {@link describedFields}. */
function property(name: 'ApiProperty' | 'ApiPropertyOptional', required: boolean) {
  return (options: ApiPropertyOptions = {}): Description => {
    const describe = later(name)(options);
    return (target: object, key?: string | symbol) => {
      const known = properties.get(target) ?? {};
      known[String(key)] = { ...known[String(key)], required, ...options } as ApiPropertyOptions;
      properties.set(target, known);
      (describe as PropertyDecorator)(target, key!);
    };
  };
}

/** As {@link later}, but recorded immediately for {@link schemaNameOf}. */
export function ApiSchema(options: { readonly name?: string; readonly description?: string }): ClassDecorator {
  const describe = later('ApiSchema')(options);
  return (model) => {
    if (options.name !== undefined) schemaNames.set(model, options.name);
    (describe as ClassDecorator)(model);
  };
}

/** Deferred decorators of `@nestjs/swagger` under their own names; see {@link describing}. */
export const ApiBody = later('ApiBody');
export const ApiConsumes = later('ApiConsumes');
export const ApiExcludeController = later('ApiExcludeController');
export const ApiExcludeEndpoint = later('ApiExcludeEndpoint');
export const ApiExtension = later('ApiExtension');
export const ApiExtraModels = later('ApiExtraModels');
export const ApiHeader = later('ApiHeader');
export const ApiOkResponse = later('ApiOkResponse');
export const ApiOperation = later('ApiOperation');
export const ApiParam = later('ApiParam');
export const ApiProperty = property('ApiProperty', true);
export const ApiPropertyOptional = property('ApiPropertyOptional', false);
export const ApiResponse = later('ApiResponse');
export const ApiSecurity = later('ApiSecurity');
export const ApiTags = later('ApiTags');
