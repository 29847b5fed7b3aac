import { createParser } from 'eventsource-parser'

/** What an answer by key tells of itself while it comes. `status` is 0 once the answer has begun. */
export type CompletionPiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'cost'; readonly charged: number; readonly remaining: number; readonly tokens: number }
  | { readonly type: 'refused'; readonly status: number; readonly message: string }

interface Asked {
  readonly origin: string
  readonly apiKey: string
  readonly model: string
  readonly prompt: string
  readonly signal: AbortSignal
}

/** The answer to one message by `/api/v1`, as it comes. Throws what fetch throws. */
export async function* streamCompletion({ origin, apiKey, model, prompt, signal }: Asked) {
  const response = await fetch(`${origin}/api/v1/chat/completions`, {
    method: 'POST',
    // The key says who calls, as for a program.
    credentials: 'omit',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      messages: [{ role: 'user', content: prompt }],
      stream: true,
      stream_options: { include_usage: true },
    }),
    signal,
  })
  if (!response.ok || response.body === null) {
    const [refusal] = piecesOf(await response.text(), response.status)
    yield refusal ?? { type: 'refused', status: response.status, message: response.statusText }
    return
  }
  const ready: CompletionPiece[] = []
  const parser = createParser({ onEvent: ({ data }) => ready.push(...piecesOf(data, 0)) })
  const decoder = new TextDecoder()
  for await (const bytes of chunksOf(response.body)) {
    parser.feed(decoder.decode(bytes, { stream: true }))
    yield* ready.splice(0)
  }
}

/** A body's chunks. Safari cannot iterate over a stream. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // The rest of a body that is left early is not wanted, and one that failed cannot be cancelled.
    await reader.cancel().catch(() => undefined)
  }
}

interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[]
  readonly usage?: { readonly total_tokens: number } | null
  readonly credits?: { readonly charged: number; readonly remaining: number }
  readonly error?: { readonly message: string }
}

/** What the data of one event, or the body of a refusal, says. */
export function piecesOf(data: string, status: number): CompletionPiece[] {
  const chunk = parse(data)
  if (chunk === null) return []
  if (chunk.error) return [{ type: 'refused', status, message: chunk.error.message }]
  const text = chunk.choices?.[0]?.delta?.content
  return [
    ...(text ? [{ type: 'text', text } as const] : []),
    ...(chunk.usage && chunk.credits
      ? [{ type: 'cost', ...chunk.credits, tokens: chunk.usage.total_tokens } as const]
      : []),
  ]
}

/** Null for the end's `[DONE]`, and for what a proxy says in the place of the API. */
function parse(data: string): Chunk | null {
  try {
    return JSON.parse(data) as Chunk
  } catch {
    return null
  }
}
