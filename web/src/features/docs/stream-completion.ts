import { createParser } from 'eventsource-parser'

/** An event of an answer by key. `status` is 0 once the answer has started. */
export type CompletionPiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'cost'; readonly charged: number; readonly remaining: number; readonly tokens: number }
  | { readonly type: 'refused'; readonly status: number; readonly message: string }

interface CompletionQuery {
  readonly origin: string
  readonly apiKey: string
  readonly model: string
  readonly prompt: string
  readonly signal: AbortSignal
}

/** Streams the answer to one message through `/api/v1`. Throws the errors of fetch. */
export async function* streamCompletion({ origin, apiKey, model, prompt, signal }: CompletionQuery) {
  const response = await fetch(`${origin}/api/v1/chat/completions`, {
    method: 'POST',
    // The key identifies the caller, as for a program.
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
    // The consumer may stop early; the rest of the body is not needed then, and a failed body cannot be cancelled.
    await reader.cancel().catch(() => undefined)
  }
}

interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[]
  readonly usage?: { readonly total_tokens: number } | null
  readonly credits?: { readonly charged: number; readonly remaining: number }
  readonly error?: { readonly message: string }
}

/** Parses the data of one event, or the body of a refusal. */
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

/** Null for the final `[DONE]`, and for a proxy's response. */
function parse(data: string): Chunk | null {
  try {
    return JSON.parse(data) as Chunk
  } catch {
    return null
  }
}
