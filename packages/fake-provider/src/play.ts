import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { anthropicFormat } from './anthropic.ts'
import { embeddingsAnswer } from './embeddings.ts'
import { imageAnswer } from './image.ts'
import { openAiFormat } from './openai.ts'
import type { ProviderCall, ProviderScript, Wire } from './script.ts'
import { frameText, type ProviderFrame, type WireFormat } from './wire-format.ts'

const formats: Readonly<Record<Wire, WireFormat>> = {
  openai: openAiFormat,
  anthropic: anthropicFormat,
  embeddings: { ...openAiFormat, whole: async (request, { synonyms }) => embeddingsAnswer(request, synonyms) },
  images: { ...openAiFormat, whole: async (_request, { image }) => imageAnswer(image) },
}
const failure = 'secret-upstream-detail: the engine fell over'

/** Answers a call with a script, until its end, a scripted failure or a disconnect. */
export async function playScript(response: ServerResponse, call: ProviderCall, script: ProviderScript): Promise<void> {
  if (script.hang === 'before-headers') return
  if (script.status !== undefined) {
    response.writeHead(script.status, { 'content-type': 'application/json', ...script.headers })
    response.end(script.body ?? formats[call.wire].error(failure).data)
    return
  }
  if (script.garbage === 'page') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>It works!</body></html>')
    return
  }
  if (call.body.stream === true) return playStream(response, call, script)
  if (script.delayMs !== undefined) await setTimeout(script.delayMs)
  if (script.pause?.after === 0) await script.pause.until
  const whole = await formats[call.wire].whole(call.body, script)
  response.writeHead(200, { 'content-type': 'application/json', ...script.headers })
  response.end(JSON.stringify(whole))
}

async function playStream(response: ServerResponse, call: ProviderCall, script: ProviderScript): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...script.headers })
  response.flushHeaders()
  if (script.hang === 'before-first') return
  for await (const frame of formats[call.wire].frames(call.body, script)) {
    if (frame.kind !== undefined) {
      if (script.pause?.after === call.sentChunks) await script.pause.until
      if (await interrupt(response, call, script)) return
      if (script.delayMs !== undefined && frame.kind === 'piece') await setTimeout(script.delayMs)
    }
    if (response.destroyed) return
    await writeFrame(response, frame, script)
    if (frame.kind === 'piece') call.sentChunks += 1
  }
  response.end()
}

/** Injects the script's failure at this point of the stream; true if the stream is over. */
async function interrupt(response: ServerResponse, call: ProviderCall, script: ProviderScript): Promise<boolean> {
  const sent = call.sentChunks
  if (typeof script.hang === 'object' && sent >= script.hang.after) return true
  if (script.cutAfterChunks !== undefined && sent >= script.cutAfterChunks) {
    // Flush written data first, or the cut would discard it.
    await setImmediate()
    response.destroy()
    return true
  }
  if (script.endAfterChunks !== undefined && sent >= script.endAfterChunks) {
    response.end()
    return true
  }
  if (script.errorFrameAfter !== undefined && sent >= script.errorFrameAfter) {
    await writeFrame(response, formats[call.wire].error(failure), script)
    response.end()
    return true
  }
  if (script.garbage !== undefined && sent >= 1) {
    response.end(script.garbage === 'json' ? 'data: {"choices":[{"del\n\n' : brokenUtf8())
    return true
  }
  return false
}

const brokenUtf8 = (): Buffer => Buffer.concat([Buffer.from('data: {"x":"'), Buffer.from([0xff, 0xc3, 0x28, 0xfe])])

async function writeFrame(response: ServerResponse, frame: ProviderFrame, script: ProviderScript): Promise<void> {
  const bytes = Buffer.from(frameText(frame, script.crlf === true ? '\r\n' : '\n'))
  for (const part of script.splitUtf8 === true ? splitInsideCharacters(bytes) : [bytes]) {
    if (response.destroyed) return
    if (!response.write(part)) await drainedOrClosed(response)
    if (script.splitUtf8 === true) await setImmediate()
  }
}

async function drainedOrClosed(response: ServerResponse): Promise<void> {
  const settled = new AbortController()
  const { signal } = settled
  // An error means that the client has disconnected.
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).catch(() => undefined)
  settled.abort()
}

/** Splits before every UTF-8 continuation byte, so that every multi-byte character is split across chunks. */
function splitInsideCharacters(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = []
  let start = 0
  bytes.forEach((byte, index) => {
    if ((byte & 0xc0) !== 0x80) return
    parts.push(bytes.subarray(start, index))
    start = index
  })
  parts.push(bytes.subarray(start))
  return parts
}
