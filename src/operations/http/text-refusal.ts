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

/** Thrown by guards of programs that expect plain text: the text is the whole answer. */
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
 * Protects a controller by a guard that throws {@link TextRefusal}. The guard sees only the request, reads no body, and also works in a
 * process without operations, where `AdmittedBy` has no call. Place it above `@Limited`, so that the rate limit is checked before the key.
 */
export const GuardedInText = (guard: Type<CanActivate>): ClassDecorator => applyDecorators(UseGuards(guard), UseFilters(TextRefusalFilter));
