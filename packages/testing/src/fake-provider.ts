import {
  type ProviderCall,
  type ProviderRequest,
  type ProviderScript,
  questionOf,
  type ScriptedProvider,
  startScriptedProvider,
} from '@parley/fake-provider'
import { waitUntil } from './wait-until.ts'

export {
  embeddingsAnswer,
  type ProviderCall,
  type ProviderRequest,
  type ProviderScript,
  tinyPng,
} from '@parley/fake-provider'

type Matches = (request: ProviderRequest) => boolean

/**
 * A provider of language and image models whose answers a test writes.
 * A call takes the oldest queued script, else the first rule that matches, else it hears its own message.
 */
export interface FakeProvider extends ScriptedProvider {
  /** Every call so far, oldest first. */
  readonly calls: readonly ProviderCall[]
  /** Queues scripts, each for one call. */
  reply(...scripts: readonly ProviderScript[]): void
  /** Answers every call that matches by this script, or all calls. */
  always(script: ProviderScript, matches?: Matches): void
  /** Resolves to the nth call (from 1) once it has come in. */
  call(nth: number): Promise<ProviderCall>
  /** Resolves to the nth call (from 1) once its client has gone away before the end. */
  aborted(nth: number): Promise<ProviderCall & { abortedAt: number }>
  /** Forgets calls, queue and rules. */
  reset(): void
}

/** Starts a fake provider on a free port of the loopback; `port` fixes it. */
export async function startFakeProvider(port = 0): Promise<FakeProvider> {
  const calls: ProviderCall[] = []
  const queue: ProviderScript[] = []
  const rules: { matches: Matches; script: ProviderScript }[] = []
  const answer = (call: ProviderCall): ProviderScript => {
    calls.push(call)
    return queue.shift() ?? rules.find((rule) => rule.matches(call.body))?.script ?? echo(call)
  }
  const provider = await startScriptedProvider({ answer, port })
  return {
    ...provider,
    calls,
    reply: (...scripts) => void queue.push(...scripts),
    always: (script, matches = () => true) => void rules.unshift({ matches, script }),
    call: (nth) => waitUntil(() => calls[nth - 1], `call ${nth} of the provider`),
    aborted: (nth) =>
      waitUntil(() => {
        const call = calls[nth - 1]
        return call?.abortedAt === undefined ? undefined : { ...call, abortedAt: call.abortedAt }
      }, `abort of call ${nth} of the provider`),
    reset() {
      for (const list of [calls, queue, rules]) list.length = 0
    },
  }
}

/** What an unscripted call is answered with: the last user message, said back. */
const echo = ({ prompt: { messages } }: ProviderCall): ProviderScript => ({
  text: `You said: ${messages[questionOf(messages)]?.text ?? ''}`,
})
