import type { INestApplication } from '@nestjs/common';

import { StoreDescription } from './docs/index.js';
import { StoreModule } from './store.module.js';

/** Registers the store's API description for `/api/docs`; see {@link StoreDescription}. */
export function describeStore(app: INestApplication): void {
  app.get(StoreDescription).readFrom(({ SwaggerModule }, settings) =>
    SwaggerModule.createDocument(app, settings, {
      include: [StoreModule],
      operationIdFactory: (controller, method) => `${controller}.${method}`,
      autoTagControllers: false,
    }),
  );
}
