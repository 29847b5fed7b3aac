import { createServer, type ServerResponse } from 'node:http'
import { listen } from '../listen.ts'
import { answerQuestions } from '../process-channel.ts'
import { finishFrames, tokenFrame, wholeAnswer } from '../token.ts'
import { answerServices, issueToken } from './service-stub.ts'

/** How the provider answers from now on. */
export interface Pace {
  readonly tokens: number
  /** Milliseconds between tokens. */
  readonly everyMs: number
  /** Characters added to each token's number and time. */
  readonly padding: number
}

/** Calls as the provider saw them. */
export interface SeenCalls {
  calls: number
  readonly leftAt: number[]
}

interface Stream {
  readonly response: ServerResponse
  readonly pace: Pace
  sent: number
  dueAt: number
}

// A provider with OpenAI's wire format and the frames of the fake provider. Instead of scripts, one timer serves all streams and prompts are ignored,
// so that thousands of streams stay cheap (28 µs of CPU a token; a paced script takes 52 µs, with 200 streams at 20 tokens/s).
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

/** Calls since the last reset, and the times at which callers left, in milliseconds since 1970. */
let seen: SeenCalls = { calls: 0, leftAt: [] }

const server = createServer({ noDelay: true }, (request, response) => {
  if (answerServices(request, response)) {
    request.resume()
    return
  }
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.once('end', () => {
    seen.calls += 1
    response.once('close', () => {
      if (!response.writableFinished) seen.leftAt.push(performance.timeOrigin + performance.now())
    })
    // The gateway measured alone relays chats here, too, and these always stream.
    const isCompletion = request.url?.endsWith('/chat/completions') === true
    if (isCompletion && !Buffer.concat(parts).includes('"stream":true')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(wholeAnswer)
      return
    }
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
  seen: () => seen,
  forget: () => {
    seen = { calls: 0, leftAt: [] }
  },
  pace: (next: Pace) => {
    pace = next
  },
})
