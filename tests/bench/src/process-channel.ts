import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setImmediate as breathe } from 'node:timers/promises'

/** A child's answers by question name. */
export type Answers = Readonly<Record<string, (input: never) => unknown>>

interface Question {
  readonly number: number
  readonly name: string
  readonly input: unknown
}
type Reply = { readonly number: number } & ({ readonly value: unknown } | { readonly error: string })

/** A child process of the benchmark, reached over an IPC channel. */
export interface Child {
  /** @throws Error from the child, or when it has died */
  ask<T>(name: string, input?: unknown): Promise<T>
  /** Milliseconds of CPU time, user and system, since its start. */
  cpu(): Promise<number>
  /** Resident memory in megabytes (1,000,000 bytes) after a full garbage collection. */
  memory(): Promise<number>
  /** Stops it and waits until it has exited. Idempotent. */
  stop(): Promise<void>
}

/** Starts a file of `processes/` as a child process; the file must call `answerQuestions`. */
export async function startChild(file: string): Promise<Child> {
  const child = fork(new URL(`./processes/${file}`, import.meta.url), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: ['--expose-gc'],
  })
  const ask = channelTo(child, file)
  return { ask, cpu: () => ask<number>('cpu'), memory: () => ask<number>('memory'), stop: () => end(child) }
}

/** Sends questions to a child process. @param name its name in errors */
export function channelTo(child: ChildProcess, name: string): Child['ask'] {
  const asked = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let count = 0
  child.on('message', (reply: Reply) => {
    const waiting = asked.get(reply.number)
    asked.delete(reply.number)
    if ('error' in reply) waiting?.reject(new Error(`${name}: ${reply.error}`))
    else waiting?.resolve(reply.value)
  })
  child.once('exit', (code) => {
    for (const { reject } of asked.values()) reject(new Error(`${name} ended with ${code}`))
  })
  return <T>(question: string, input?: unknown): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      count += 1
      asked.set(count, { resolve: resolve as (value: unknown) => void, reject })
      child.send({ number: count, name: question, input } satisfies Question, (error) => {
        if (error) reject(error)
      })
    })
}

/** Asks a process to exit, and kills it after the grace period. */
export async function end(child: ChildProcess, graceMs = 5_000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
  await gone
  clearTimeout(timer)
}

/** The child's side: answers questions one by one, and exits when the parent is gone. */
export function answerQuestions(answers: Answers): void {
  const all: Answers = { ...answers, cpu: cpuMs, memory: collectedMemory }
  process.on('message', async ({ number, name, input }: Question) => {
    try {
      const value = await all[name]?.(input as never)
      process.send?.({ number, value } satisfies Reply)
    } catch (error) {
      process.send?.({ number, error: String(error instanceof Error ? error.stack : error) } satisfies Reply)
    }
  })
  // Parley stops its PostgreSQL then.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Objects freed by one collection can make others collectable. */
const collections = 3

async function collectedMemory(): Promise<number> {
  for (let done = 0; done < collections; done += 1) {
    globalThis.gc?.()
    await breathe()
  }
  return process.memoryUsage.rss() / 1_000_000
}
