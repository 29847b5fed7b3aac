import { createServer, type ServerResponse } from 'node:http'
import { listen } from '../listen.ts'
import { answerQuestions } from '../process-channel.ts'
import { finishFrames, tokenFrame } from '../token.ts'
import { answerAuth, issueToken } from './auth-stub.ts'

/** How the provider answers from now on. */
export interface Pace {
  readonly tokens: number
  /** Milliseconds from one token to the next. */
  readonly everyMs: number
  /** Characters that each token carries beside its number and time. */
  readonly padding: number
}

interface Stream {
  readonly response: ServerResponse
  readonly pace: Pace
  sent: number
  dueAt: number
}

// A provider of OpenAI's wire format. One timer serves all streams, so that thousands of them cost it little.
const tickMs = 4
const streams = new Set<Stream>()
let pace: Pace = { tokens: 10, everyMs: 10, padding: 0 }

function advance(stream: Stream, now: number): void {
  while (stream.dueAt <= now && stream.sent < stream.pace.tokens) {
    stream.response.write(tokenFrame(stream.sent, stream.pace.padding))
    stream.sent += 1
    stream.dueAt += stream.pace.everyMs
  }
  if (stream.sent < stream.pace.tokens) return
  stream.response.end(finishFrames(stream.sent))
  streams.delete(stream)
}

const server = createServer({ noDelay: true }, (request, response) => {
  request.resume()
  if (answerAuth(request, response)) return
  request.once('end', () => {
    const stream: Stream = { response, pace, sent: 0, dueAt: performance.now() }
    response.once('close', () => streams.delete(stream))
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
    streams.add(stream)
    advance(stream, performance.now())
  })
})

setInterval(() => {
  const now = performance.now()
  for (const stream of streams) advance(stream, now)
}, tickMs)

answerQuestions({
  listen: () => listen(server),
  token: issueToken,
  pace: (next: Pace) => {
    pace = next
  },
})
