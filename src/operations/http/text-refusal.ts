import type { ServerResponse } from 'node:http';

import {
  applyDecorators,
  type ArgumentsHost,
  type CanActivate,
  Catch,
  type ExceptionFilter,
  type Type,
  UseFilters,
  UseGuards,
} from '@nestjs/common';

import { sendBody, TEXT_TYPE } from '../../http/index.js';

/** Thrown by a guard whose callers are programs that read a text: it is the whole answer. */
export class TextRefusal extends Error {
  constructor(
    readonly status: number,
    readonly text: string,
  ) {
    super(text);
  }
}

@Catch(TextRefusal)
class TextRefusalFilter implements ExceptionFilter<TextRefusal> {
  catch({ status, text }: TextRefusal, host: ArgumentsHost): void {
    sendBody(host.switchToHttp().getResponse<ServerResponse>(), status, TEXT_TYPE, text);
  }
}

/**
 * Protects a controller by a guard that throws {@link TextRefusal}: it looks at the request alone and reads no body, and works in a process
 * without operations, where `AdmittedBy` has no call to ask about. Stands above `@Limited`: who comes too soon is not asked for a key.
 */
export const GuardedInText = (guard: Type<CanActivate>): ClassDecorator => applyDecorators(UseGuards(guard), UseFilters(TextRefusalFilter));
