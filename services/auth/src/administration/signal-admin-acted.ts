import type { Signal } from '@parley/cache'
import type { Logger } from '@parley/kit'
import type { AuthParts } from '../parts.ts'

/** Sends the hint `admin-acted`. */
export const createSignalAdminActed =
  (signal: Signal, log: Logger): AuthParts['signalAdminActed'] =>
  () =>
    signal
      .publish('admin-acted', {})
      .catch((error: unknown) => log.warn({ err: error }, 'an act of an admin could not be signalled'))
