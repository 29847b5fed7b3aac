import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ServiceName } from '@parley/contracts'
import { compileCache } from '@parley/engines/compile-cache'
import type { IdentityVariables } from '@parley/kit'
import type { ChatTiming } from '../src/generation/timing.ts'
import { type GivenChat, identityVariables } from './given-chat.ts'

/** What a process is started with, as JSON. */
export interface ChildParts {
  readonly url: string
  readonly urls: Partial<Record<ServiceName, string>>
  readonly identityVariables: IdentityVariables
  /** Of the stream logs; they are in the process's memory without it. */
  readonly redisUrl?: string
  readonly timing: Partial<ChatTiming>
  /** It keeps its leases, and what it writes is on disk only at the end of an answer. */
  readonly savesNothing?: boolean
}

/** Chat as a process of its own. */
export interface ChatProcess {
  readonly url: string
  /** SIGKILL. Resolves once it has ended; idempotent. */
  kill(): Promise<void>
  /** SIGSTOP: it keeps its connections and does nothing. */
  freeze(): void
  thaw(): void
}

/** Starts one over the same database and fake services. */
export async function startChatProcess(
  { url, router, billing, auth, memory }: GivenChat,
  parts: Omit<ChildParts, 'url' | 'urls' | 'identityVariables'>,
): Promise<ChatProcess> {
  const urls = { auth: auth.url, 'llm-router': router.url, billing: billing.url, memory: memory.url }
  const main = fileURLToPath(new URL('./child-main.ts', import.meta.url))
  const child = spawn(process.execPath, [main, JSON.stringify({ url, urls, identityVariables, ...parts })], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { NODE_COMPILE_CACHE: compileCache },
  })
  for await (const address of createInterface({ input: child.stdout })) {
    return {
      url: address,
      async kill() {
        if (child.exitCode !== null || child.signalCode !== null) return
        child.kill('SIGKILL')
        await once(child, 'exit')
      },
      freeze: () => void child.kill('SIGSTOP'),
      thaw: () => void child.kill('SIGCONT'),
    }
  }
  throw new Error('The service did not start')
}
