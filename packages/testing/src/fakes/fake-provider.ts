import {
  type ProviderCall,
  type ProviderRequest,
  type ProviderScript,
  questionOf,
  type ScriptedProvider,
  startScriptedProvider,
} from '@parley/fake-provider'
import { waitUntil } from '../data/wait-until.ts'

export {
  embeddingsAnswer,
  type ProviderCall,
  type ProviderRequest,
  type ProviderScript,
  tinyPng,
} from '@parley/fake-provider'

type Matches = (request: ProviderRequest) => boolean

/**
 * A fake provider of language and image models with scripted answers.
 * A call takes the oldest queued script, else the first matching rule, else an echo of its message.
 */
export interface FakeProvider extends ScriptedProvider {
  /** Every call so far, oldest first. */
  readonly calls: readonly ProviderCall[]
  /** Queues scripts, each for one call. */
  reply(...scripts: readonly ProviderScript[]): void
  /** Answers every matching call, or all calls, with this script. */
  always(script: ProviderScript, matches?: Matches): void
  /** Resolves to the nth call (from 1) once it has arrived. */
  call(nth: number): Promise<ProviderCall>
  /** Resolves to the nth call (from 1) once its client has disconnected early. */
  aborted(nth: number): Promise<ProviderCall & { abortedAt: number }>
  /** Clears calls, queue and rules. */
  reset(): void
}

/** Starts a fake provider on loopback. @param port a free one by default */
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

/** The answer to an unscripted call: an echo of the last user message. */
const echo = ({ prompt: { messages } }: ProviderCall): ProviderScript => ({
  text: `You said: ${messages[questionOf(messages)]?.text ?? ''}`,
})
