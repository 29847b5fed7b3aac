import {
  type ProviderCall,
  type ProviderRequest,
  type ProviderScript,
  questionOf,
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

export type FakeProvider = Awaited<ReturnType<typeof startFakeProvider>>

/**
 * A fake provider of language and image models with scripted answers, on loopback.
 * A call takes the oldest queued script, else the first matching rule, else an echo of its message.
 */
export async function startFakeProvider() {
  const calls: ProviderCall[] = []
  const queue: ProviderScript[] = []
  const rules: { matches: Matches; script: ProviderScript }[] = []
  const answer = (call: ProviderCall): ProviderScript => {
    calls.push(call)
    return queue.shift() ?? rules.find((rule) => rule.matches(call.body))?.script ?? echo(call)
  }
  const provider = await startScriptedProvider({ answer })
  return {
    ...provider,
    /** Every call so far, oldest first. */
    calls: calls as readonly ProviderCall[],
    /** Queues scripts, each for one call. */
    reply: (...scripts: readonly ProviderScript[]) => void queue.push(...scripts),
    /** Answers every matching call, or all calls, with this script. */
    always: (script: ProviderScript, matches: Matches = () => true) => void rules.unshift({ matches, script }),
    /** Resolves to the nth call (from 1) once it has arrived. */
    call: (nth: number): Promise<ProviderCall> => waitUntil(() => calls[nth - 1], `call ${nth} of the provider`),
    /** Resolves to the nth call (from 1) once its client has disconnected early. */
    aborted: (nth: number): Promise<ProviderCall & { abortedAt: number }> =>
      waitUntil(() => {
        const call = calls[nth - 1]
        return call?.abortedAt === undefined ? undefined : { ...call, abortedAt: call.abortedAt }
      }, `abort of call ${nth} of the provider`),
    /** Clears calls, queue and rules. */
    reset(): void {
      for (const list of [calls, queue, rules]) list.length = 0
    },
  }
}

/** The answer to an unscripted call: an echo of the last user message. */
const echo = ({ prompt: { messages } }: ProviderCall): ProviderScript => ({
  text: `You said: ${messages[questionOf(messages)]?.text ?? ''}`,
})
