import type { INestApplication } from '@nestjs/common';

import { StoreDescription } from './docs/index.js';
import { StoreModule } from './store.module.js';

/** Lets the store describe its API at `/api/docs`; see {@link StoreDescription}. */
export function describeStore(app: INestApplication): void {
  app.get(StoreDescription).readFrom(({ SwaggerModule }, settings) =>
    SwaggerModule.createDocument(app, settings, {
      include: [StoreModule],
      operationIdFactory: (controller, method) => `${controller}.${method}`,
      autoTagControllers: false,
    }),
  );
}
