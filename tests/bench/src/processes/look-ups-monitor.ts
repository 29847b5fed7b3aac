import { services } from '@parley/all-in-one/services'
import { memoryInternalRoutes, type Route } from '@parley/contracts'
import type { ServiceDefinition } from '@parley/kit'
import { answerQuestions } from '../process-channel.ts'

// Preloaded into Parley's process: notes how long chat's look-ups of memories take, and makes some without chat.
type Deps = Parameters<ServiceDefinition['create']>[0]
type Call = Deps['client']['call']

const { relevant } = memoryInternalRoutes
const { chat } = services
const { create } = chat
const times: number[] = []
let call: Call | undefined

Object.assign(chat, {
  create({ client, ...deps }: Deps) {
    call = client.call
    const timed: Call = async (route, options) => {
      if ((route as Route) !== relevant) return await client.call(route, options)
      const startedAt = performance.now()
      try {
        return await client.call(route, options)
      } finally {
        times.push(performance.now() - startedAt)
      }
    }
    return create({ ...deps, client: { ...client, call: timed } } as Deps)
  },
})

answerQuestions({
  /** Milliseconds of each look-up since the last question, including those that chat has given up. */
  lookUps: () => times.splice(0),
  /** Look-ups, one after the other; resolves to the number of memories found in all. */
  async lookUp({ userId, messages }: { userId: string; messages: readonly string[] }) {
    let found = 0
    for (const message of messages) {
      const body = { userId, message, maxTokens: 1_000 }
      found += (await call?.(relevant, { body }))?.memories.length ?? 0
    }
    return found
  },
})
// The channel must not keep the process alive.
process.channel?.unref()
