import { EventEmitter, once } from 'node:events'
import type { UserUpdate } from '@parley/contracts'
import type { Account } from './store/account.ts'

/** A signal may be missed; after this long the state is looked at anyway. Milliseconds. */
const lookAgainMs = 30_000
/** Milliseconds in which all of them look, when anybody may have changed. */
const spreadMs = 500

/** What users are told about themselves while they are connected. */
export interface UserFeed {
  /** Something about the user changed. */
  changed(userId: string): void
  /** Something may have changed about anybody. */
  changedAny(): void
  /** First the present state, then each change, until the session is over, the feed ends or `left` aborts. */
  follow(userId: string, sessionId: string, left: AbortSignal): AsyncGenerator<UserUpdate>
  /** Ends every reader. Idempotent. */
  end(): void
}

/** @param read the user of a live session, as they are now */
export function createUserFeed(read: (userId: string, sessionId: string) => Promise<Account | undefined>): UserFeed {
  const changes = new EventEmitter().setMaxListeners(0)
  const ended = new AbortController()
  const nextChange = (userId: string, left: AbortSignal): Promise<unknown> =>
    once(changes, userId, {
      signal: AbortSignal.any([left, ended.signal, AbortSignal.timeout(lookAgainMs)]),
      // An abort means only that there is nothing more to wait for.
    }).catch(() => undefined)
  return {
    changed: (userId) => void changes.emit(userId),
    changedAny() {
      for (const userId of changes.eventNames()) {
        // Each of them asks the store.
        setTimeout(() => changes.emit(userId), Math.random() * spreadMs).unref()
      }
    },
    end: () => ended.abort(),
    async *follow(userId, sessionId, left) {
      let told = ''
      while (!left.aborted && !ended.signal.aborted) {
        // Listens before it looks, so that no change falls in between.
        const change = nextChange(userId, left)
        const account = await read(userId, sessionId)
        if (account === undefined) return
        const update = presentUpdate(account)
        if (JSON.stringify(update) !== told) {
          told = JSON.stringify(update)
          yield update
        }
        await change
      }
    },
  }
}

const presentUpdate = ({ isBanned, isAdmin }: Account): UserUpdate => ({ type: 'user:update', isBanned, isAdmin })
