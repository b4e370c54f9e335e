// Process that pulls tasks with the compiled code: sends "ready", waits for `{ nodeId, most }`, and sends the ids of its tasks.
import '../../dist/src/config/timezone.js';
import 'reflect-metadata';

import { ormOptions } from '../../dist/ormconfig.js';
import { Clock } from '../../dist/src/common/index.js';
import { AppConfig } from '../../dist/src/config/index.js';
import { createDatabase } from '../../dist/src/database/index.js';
import { TaskQueue } from '../../dist/src/agents/index.js';

const database = createDatabase(ormOptions(new AppConfig()));
await database.dataSource.initialize();
const queue = new TaskQueue(database, new Clock());

process.on('disconnect', () => process.exit(0));
process.once('message', async (/** @type {{ nodeId: string, most: number }} */ { nodeId, most }) => {
  const taskIds = [];
  const pullAll = async () => {
    while (taskIds.length < most) {
      const task = await queue.claim(nodeId);
      if (!task) return;
      taskIds.push(task.taskId);
    }
  };
  // Concurrently, like requests.
  await Promise.all(Array.from({ length: Math.min(most, 10) }, pullAll));
  process.send?.(taskIds);
});
process.send?.('ready');
