import { loggerFor, packWords, wordsOf } from '../../common/index.js';
import type { AppConfig } from '../../config/index.js';
import { beforeStartUp, isIdle, serveAlone, ServedAlready } from '../../database/index.js';
import { restoreTarget } from '../database/by-engine.js';
import type { RestoreTarget } from '../database/restore-target.js';
import { BackupError } from '../errors.js';

import { FileMoves } from './file-moves.js';
import { PreparedRestore, type RestorePlan } from './prepared-restore.js';
import { RollbackFailed, putInPlace, finishOrUndo } from './restore-backup.js';

const log = loggerFor('backup');

/** How long to wait for other processes to end, in milliseconds. */
const IDLE_TIMEOUT_MS = 10_000;
/** Limits attempts, so that a start that keeps getting killed does not repeat forever. */
const MAX_ATTEMPTS = 3;

/**
 * Carries out a prepared restore before the database is opened. If killed, the next start continues. On failure the previous state is
 * recovered, the panel starts with it, and the outcome contains the reason. While another process uses the database, the restore stays
 * pending.
 *
 * @throws Error if the previous state could not be recovered; no panel may start on that
 */
export async function carryOutPrepared(config: AppConfig): Promise<void> {
  const prepared = new PreparedRestore(config.dataDir);
  await prepared.clear();
  if (!prepared.plan) return;
  await beforeStartUp(config, async () => {
    const { plan } = prepared;
    // Another process has carried it out already.
    if (!plan) return;
    const release = await lockDatabase(config);
    if (!release) return log.warn({ backup: plan.backup }, 'a prepared restore is waiting: another process uses the database');
    try {
      await carryOut(config, prepared, plan);
    } finally {
      release();
    }
  });
}

async function lockDatabase(config: AppConfig): Promise<(() => void) | null> {
  if (!(await isIdle(config, IDLE_TIMEOUT_MS))) return null;
  if (!config.sqlitePath) return () => undefined;
  return serveAlone(config.sqlitePath, 'restore').catch((error: unknown) => {
    if (error instanceof ServedAlready) return null;
    throw error;
  });
}

async function carryOut(config: AppConfig, prepared: PreparedRestore, plan: RestorePlan): Promise<void> {
  const now = new Date();
  const target = restoreTarget(config);
  const moves = new FileMoves(config.dataDir);
  const { backup, by, safety } = plan;
  const outcome = { backup, by, safety, at: now.toISOString(), noted: false };
  try {
    // The process was killed just after the restore was complete.
    if (!moves.isOpen || (await target.isInterrupted())) {
      const problem = await tryRestore(prepared, plan, target, moves, now);
      if (problem !== null) {
        log.error({ err: problem, backup }, 'a restore failed: the previous state was recovered');
        // On a full disk the outcome cannot be stored, but the panel starts.
        await prepared
          .storeOutcome({ ...outcome, problem: packWords(wordsOf(problem), 500) })
          .catch((error: unknown) => log.error({ err: error }, 'the outcome of a restore could not be stored'));
        return void (await prepared.discard());
      }
    }
    await prepared.storeOutcome({ ...outcome, problem: null });
    await prepared.discard();
    await moves.commit(now);
    log.info({ backup, by }, 'the backup was restored');
  } finally {
    await target.close();
  }
}

/** @returns the error if the previous state was recovered; null if the restore succeeded @throws RollbackFailed */
async function tryRestore(
  prepared: PreparedRestore,
  plan: RestorePlan,
  target: RestoreTarget,
  moves: FileMoves,
  now: Date,
): Promise<unknown> {
  try {
    await finishOrUndo(target, moves, now);
    if (plan.attempts >= MAX_ATTEMPTS) throw new BackupError('RESTORE_KILLED', { n: plan.attempts });
    await prepared.ready({ ...plan, attempts: plan.attempts + 1 });
    log.info({ backup: plan.backup, by: plan.by }, 'a prepared restore starts');
    await putInPlace(prepared.unpacked, plan.manifest, target, moves, now);
    return null;
  } catch (error) {
    await finishOrUndo(target, moves, now).catch((problem: unknown) => {
      throw new RollbackFailed(error, problem);
    });
    return error;
  }
}
