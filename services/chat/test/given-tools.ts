import { type FakeQuotes, type FakeSearch, startFakeQuotes, startFakeSearch } from '@parley/testing'
import { modelInfo, type Script } from './fake-router.ts'
import { type Answer, givenChat } from './given-chat.ts'

export type GivenTools = Awaited<ReturnType<typeof givenTools>>

/** Chat with a search engine and a source of quotes; the model `clever` calls tools, `v3` does not. */
export async function givenTools() {
  const given = await givenChat()
  const [search, quotes]: [FakeSearch, FakeQuotes] = await Promise.all([startFakeSearch(), startFakeQuotes()])
  const key = { apiKey: 'a key of the operator' }
  const config = { search: { ...key, baseUrl: search.url }, quotes: { ...key, baseUrl: quotes.url } }
  given.router.models.set('clever', modelInfo({ id: 'clever', supportsTools: true }))
  const chat = await given.replica({ config })
  const t = Math.floor(Date.now() / 1000)
  quotes.prices.set('AAPL', { c: 190.5, d: -1.25, dp: -0.65, t }).set('MSFT', { c: 410, d: 2, dp: 0.49, t })
  quotes.names.set('AAPL', 'Apple Inc')
  return {
    ...given,
    search,
    quotes,
    chat,
    config,
    async stop() {
      await given.stop()
      await Promise.all([search.close(), quotes.close()])
    },
  }
}

/** Answers each completion by the next script, and all later ones by the last. */
export function inTurn(...scripts: readonly Script[]): Script {
  let turn = 0
  return async (call) => {
    const script = scripts[Math.min(turn, scripts.length - 1)]
    turn += 1
    await script?.(call)
  }
}

/** Calls these tools and ends. */
export const calling =
  (...calls: readonly (readonly [name: string, given: unknown])[]): Script =>
  (call) => {
    call.start()
    for (const [name, given] of calls) call.tool(name, given)
    call.end('tool_calls')
  }

/** Says a text and ends. */
export const saying =
  (text: string): Script =>
  (call) => {
    call.start()
    call.text(text)
    call.end()
  }

/** The events of an answer between its first one and its end, parsed. */
export const toolEvents = (answer: Answer): Record<string, unknown>[] =>
  answer.data
    .slice(1, -2)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((event) => !('text' in event))
