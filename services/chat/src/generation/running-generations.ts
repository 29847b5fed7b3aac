import { inSpan } from '@parley/kit'
import { generationIdOf } from '../store/continued.ts'
import type { NewGeneration, StopReason } from '../store/entities.ts'
import { createEarlyStops, type SendKey } from './early-stops.ts'
import type { Cause } from './ending.ts'
import { type RunDeps, type RunRequest, runGeneration } from './run.ts'

/** The answers that this replica makes. */
export type RunningGenerations = ReturnType<typeof createRunningGenerations>

interface RunningGeneration {
  readonly generationId: string
  readonly end: AbortController
  readonly done: Promise<void>
  readonly send: SendKey | undefined
}

const stoppedByUser: Cause = { kind: 'stopped', reason: 'user' }

/** The running answers of a replica that has none yet. */
export function createRunningGenerations(deps: RunDeps) {
  const running = new Map<string, RunningGeneration>()
  deps.metrics.countRunning(() => running.size)
  const earlyStops = createEarlyStops()
  let isDraining = false
  let isOver = false
  const endAll = (): void => {
    isOver = true
    for (const { end } of running.values()) end.abort({ kind: 'lost' } satisfies Cause)
  }
  return {
    /**
     * Starts an answer that was stored under this replica's lease. Resolves once it can be read; generation continues in the background.
     * @throws AppError with the reason when it failed before its first event
     */
    start(request: RunRequest): Promise<void> {
      const { id } = request.generation
      const { send } = request
      return new Promise((resolve, reject) => {
        const end = new AbortController()
        if (send !== undefined && earlyStops.has(send)) end.abort(stoppedByUser)
        const opened = (refusal?: Error): void => (refusal === undefined ? resolve() : reject(refusal))
        const attributes = { 'gen_ai.request.model': request.generation.model }
        const done = inSpan('chat', 'generation', { attributes }, () => runGeneration(deps, request, end, opened))
          .catch((error: unknown) => {
            deps.log.error({ err: error, generationId: id }, 'a generation failed')
            reject(error)
          })
          .finally(() => running.delete(id))
        running.set(id, { generationId: generationIdOf(request.generation), end, done, send })
        if (isOver) endAll()
      })
    },
    /** True while an answer is made here. */
    isRunning: (id: string): boolean => running.has(id),
    /** Resolves once this generation of an answer is no longer being made here, its end and settlement included. */
    async whenOver(answer: Pick<NewGeneration, 'id' | 'continued'>): Promise<void> {
      const current = running.get(answer.id)
      if (current?.generationId === generationIdOf(answer)) await current.done
    },
    /** Ends an answer if it is made here. */
    stop(id: string, reason: StopReason): void {
      running.get(id)?.end.abort({ kind: 'stopped', reason } satisfies Cause)
    },
    /** Ends the answer to a send, even one that has not begun yet. */
    stopSend(send: SendKey): void {
      earlyStops.remember(send)
      for (const { end, send: own } of running.values()) {
        if (own?.ownerId === send.ownerId && own.clientMessageId === send.clientMessageId) end.abort(stoppedByUser)
      }
    },
    /**
     * Resolves when nothing is running. An answer that still runs `graceMs` after the first call is ended as interrupted with its text saved, and so
     * is one that begins later.
     */
    async drain(graceMs: number): Promise<void> {
      // This timer must not keep the process alive.
      if (!isDraining) setTimeout(endAll, graceMs).unref()
      isDraining = true
      while (running.size > 0) await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}
