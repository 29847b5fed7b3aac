import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import express, { type Request, type Response } from 'express'
import { countTokens, demoAnswer, pieces } from './answer.ts'
import { demoPicture, notice } from './picture.ts'
import { type DemoRequest, readRequest } from './request.ts'
import { callsFor } from './tool-use.ts'
import { anthropicFormat, type DemoAnswer, openAiFormat, type WireFormat } from './wire-formats.ts'

export { demoVariables } from './variables.ts'

/** Milliseconds between two pieces: a pace that can be read along with. */
const pieceMs = 12

/** A server that answers without a model, in the wire formats of OpenAI's chat completions and images and of Anthropic's messages. */
export interface DemoProvider {
  readonly url: string
  close(): Promise<void>
}

/** Starts it, on a free loopback port unless told. The URL is a base URL for SDKs of either kind. */
export async function startDemoProvider({ host = '127.0.0.1', port = 0 } = {}): Promise<DemoProvider> {
  const app = express()
  app.get('/healthz', (_request, response) => response.json({ status: 'ok' }))
  // Ten attachments of 10 MB as base64, and the text.
  app.use(express.json({ limit: '160mb' }))
  app.post(['/v1/chat/completions', '/chat/completions'], (request, response) =>
    answer(request, response, openAiFormat),
  )
  app.post(['/v1/messages', '/messages'], (request, response) => answer(request, response, anthropicFormat))
  app.post(['/v1/images/generations', '/images/generations'], draw)
  const server = app.listen(port, host)
  await new Promise<void>((resolve, reject) => server.once('listening', resolve).once('error', reject))
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(request: Request, response: Response, format: WireFormat): Promise<void> {
  const asked = readRequest(request.body)
  if (asked === undefined) {
    refuse(response, 'model and messages are needed')
    return
  }
  const given = answerTo(asked)
  if (!asked.stream) {
    response.json(format.whole(given))
    return
  }
  response.setHeader('content-type', 'text/event-stream')
  for (const frame of format.begin(given)) response.write(frame)
  for (const piece of pieces(given.text)) {
    if (response.destroyed) return
    response.write(format.piece(piece, given.model))
    await sleep(pieceMs)
  }
  for (const frame of format.end(given)) response.write(frame)
  response.end()
}

function answerTo(asked: DemoRequest): DemoAnswer {
  const calls = callsFor(asked)
  const text = calls.length > 0 ? '' : asked.wantsImage ? notice : demoAnswer(asked)
  const usage = { input: countTokens(asked.length), output: countTokens(text.length + JSON.stringify(calls).length) }
  return { model: asked.model, text, calls, usage, ...(asked.wantsImage && { image: dataUrl(asked.question) }) }
}

const dataUrl = (description: string): string => `data:image/png;base64,${demoPicture(description).toString('base64')}`

function draw(request: Request, response: Response): void {
  const { prompt } = (request.body ?? {}) as { prompt?: unknown }
  if (typeof prompt !== 'string') {
    refuse(response, 'a prompt is needed')
    return
  }
  response.json({ created: 0, data: [{ b64_json: demoPicture(prompt).toString('base64'), revised_prompt: notice }] })
}

function refuse(response: Response, message: string): void {
  response.status(400).json({ error: { type: 'invalid_request_error', message } })
}
