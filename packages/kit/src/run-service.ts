import { isEngineAway } from './engine-away.ts'
import type { Logger } from './log.ts'
import { retryWithBackoff } from './retry-with-backoff.ts'
import { runMain } from './run-main.ts'

/** What an operator may ask of a service's program instead of serving, by the name that is its first argument; takes the arguments after it. */
export type Commands = Readonly<Record<string, (args: readonly string[]) => Promise<void>>>

/**
 * Runs the process of a service: without an argument it serves until a signal comes, with the name of a command it does that and ends.
 * Ends with 1 and a reason when that fails.
 */
export async function runService(serve: () => Promise<void>, commands: Commands = {}): Promise<void> {
  const [, , name, ...args] = process.argv
  await runMain(async () => {
    if (name === undefined) return await serve()
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command === undefined)
      throw usageError(`Unknown command ${name}; there is: ${Object.keys(commands).join(', ') || 'none'}`)
    await command(args)
  })
}

/** What is wrong with a command that was typed; shown without a stack. */
export const usageError = (message: string): Error => Object.assign(new Error(message), { code: 'USAGE' })

/** Stores that can be brought up to date. */
export interface Migratable {
  migrate(): Promise<void>
  close(): Promise<void>
}

/**
 * Migrates and closes. An engine that is away is waited for; one that refuses is a failure, so that a job ends.
 * @throws what the engine or a migration says
 */
export async function migrateStores(stores: Migratable, log: Logger): Promise<void> {
  const refused = new AbortController()
  const act = async (): Promise<void> => {
    try {
      await stores.migrate()
    } catch (error) {
      if (!isEngineAway(error)) refused.abort(error)
      throw error
    }
  }
  try {
    await retryWithBackoff({ what: 'migration', act, log, signal: refused.signal })
    refused.signal.throwIfAborted()
    log.info('the store is up to date')
  } finally {
    await stores.close()
  }
}
