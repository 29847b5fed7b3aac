import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '@parley/kit'
import { type ApiCaller, readEvents } from '@parley/testing'

/** A completion as received by a program with an API key. */
export interface Completion {
  /** From the latest response. */
  generationId: string
  text: string
  /** Undefined until the end arrived. */
  ending: 'done' | 'error' | undefined
  /** Reasons of failed requests, oldest first. */
  readonly failures: string[]
}

/** How long a program retries, in milliseconds. The claim of a dead replica lasts a minute. */
const patienceMs = 240_000
const pauseMs = 500

/** How a completion is requested. */
export interface KeyRequest {
  readonly said: string
  /** How often a failed or broken request is retried under its Idempotency-Key. */
  readonly retries: number
  /** Number of concurrent requests with that Idempotency-Key. */
  readonly copies: number
}

/** Requests a streamed completion. @param api authenticated with the key */
export async function askByKey(api: ApiCaller, { said, retries, copies }: KeyRequest): Promise<Completion[]> {
  const headers = { 'idempotency-key': newId() }
  const givenUp = new AbortController()
  const endAt = performance.now() + patienceMs
  const askUntilAnswered = async (): Promise<Completion> => {
    const completion: Completion = { generationId: '', text: '', ending: undefined, failures: [] }
    for (let sent = 0; sent <= retries && performance.now() < endAt; sent += 1) {
      const failure = await askOnce(api, completion, { said, headers, signal: givenUp.signal }).catch(String)
      if (completion.ending !== undefined) return completion
      completion.failures.push(failure)
      if (sent < retries) await pause(pauseMs)
    }
    // The other copy would wait for the claim of a dead replica.
    givenUp.abort()
    return completion
  }
  return await Promise.all(Array.from({ length: copies }, askUntilAnswered))
}

interface Sent {
  readonly said: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** Sends one request; resolves to the reason of its failure, which means nothing once `ending` is set. */
async function askOnce(api: ApiCaller, completion: Completion, { said, headers, signal }: Sent): Promise<string> {
  const body = { model: 'v3', stream: true, messages: [{ role: 'user', content: said }] }
  const answer = await api.open('POST', '/api/v1/chat/completions', { headers, signal, body })
  if (answer.status !== 200) return `${answer.status} ${await text(answer.body)}`
  completion.generationId = String(answer.headers['x-generation-id'])
  completion.text = ''
  let end: Completion['ending']
  for await (const { data } of readEvents(answer)) {
    if (data === '[DONE]') end ??= 'done'
    else {
      const event = JSON.parse(data) as { choices?: { delta: { content?: string } }[]; error?: object }
      if (event.error !== undefined) end = 'error'
      completion.text += event.choices?.[0]?.delta.content ?? ''
    }
  }
  completion.ending = end
  return 'cut'
}
