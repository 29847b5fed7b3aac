import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { errorFrame, type ProviderFrame, streamFrames, wholeAnswer } from './provider-frames.ts'
import type { ProviderCall, ProviderScript } from './provider-script.ts'

/** Plays a script to a call, as far as the script and the client let it. */
export async function playScript(response: ServerResponse, call: ProviderCall, script: ProviderScript): Promise<void> {
  if (script.hang === 'before-headers') return
  if (script.status !== undefined) {
    response.writeHead(script.status, { 'content-type': 'application/json', ...script.headers })
    response.end(script.body ?? errorFrame(call.wire).data)
    return
  }
  if (script.garbage === 'page') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>It works!</body></html>')
    return
  }
  if (call.body.stream === true) return playStream(response, call, script)
  if (script.delayMs !== undefined) await setTimeout(script.delayMs)
  response.writeHead(200, { 'content-type': 'application/json', ...script.headers })
  response.end(JSON.stringify(wholeAnswer(call.wire, call.body, script)))
}

async function playStream(response: ServerResponse, call: ProviderCall, script: ProviderScript): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...script.headers })
  response.flushHeaders()
  if (script.hang === 'before-first') return
  for (const frame of streamFrames(call.wire, call.body, script)) {
    if (frame.piece === true || frame.data === '[DONE]' || frame.event === 'message_stop') {
      if (script.pause?.after === call.sentChunks) await script.pause.until
      if (await interrupt(response, call, script)) return
      if (script.delayMs !== undefined && frame.piece === true) await setTimeout(script.delayMs)
    }
    if (response.destroyed) return
    await writeFrame(response, frame, script)
    if (frame.piece === true) call.sentChunks += 1
  }
  response.end()
}

/** Does what the script wants at this point of the stream; true when the stream is over. */
async function interrupt(response: ServerResponse, call: ProviderCall, script: ProviderScript): Promise<boolean> {
  const sent = call.sentChunks
  if (typeof script.hang === 'object' && sent >= script.hang.after) return true
  if (script.cutAfterChunks !== undefined && sent >= script.cutAfterChunks) {
    // What was written must have left the process, or the cut would take it along.
    await setImmediate()
    response.destroy()
    return true
  }
  if (script.endAfterChunks !== undefined && sent >= script.endAfterChunks) {
    response.end()
    return true
  }
  if (script.errorFrameAfter !== undefined && sent >= script.errorFrameAfter) {
    await writeFrame(response, errorFrame(call.wire), script)
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
  const newline = script.crlf === true ? '\r\n' : '\n'
  const event = frame.event === undefined ? '' : `event: ${frame.event}${newline}`
  const bytes = Buffer.from(`${event}data: ${frame.data}${newline}${newline}`)
  for (const part of script.splitUtf8 === true ? splitInsideCharacters(bytes) : [bytes]) {
    if (response.destroyed) return
    if (!response.write(part)) await drainedOrClosed(response)
    if (script.splitUtf8 === true) await setImmediate()
  }
}

async function drainedOrClosed(response: ServerResponse): Promise<void> {
  const settled = new AbortController()
  const { signal } = settled
  // A client that failed is a client that is gone.
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).catch(() => undefined)
  settled.abort()
}

/** Cuts before every continuation byte of UTF-8, so that no character of several bytes arrives whole. */
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
