import type { ImportEvent, ImportOutcome } from '@parley/contracts'
import { streamEnd } from '@parley/contracts/constants'
import { createParser } from 'eventsource-parser'

/** How far an import has come, in chats of the file. */
export type ImportProgress = Extract<ImportEvent, { progress: unknown }>['progress']

export interface ImportDeps {
  /** Sends the file and answers the stream of its import; rejects with an ApiError. */
  readonly send: (file: string) => Promise<Response>
  /** Resolves once another try makes sense. */
  readonly pause: () => Promise<void>
}

/** The server said in its stream why an import ended; the message is for people. */
export class ImportFailure extends Error {
  readonly code: string
  constructor({ error, code }: Extract<ImportEvent, { error: string }>) {
    super(error)
    this.code = code
  }
}

/** Tries, of which those after the first take part in the import that the first has begun, or pass over what it has done. */
const tries = 4

/**
 * Imports a file and reports how far it is. A connection that breaks is made anew: the import goes on at the server meanwhile.
 * @throws ImportFailure, and what `send` rejects with
 */
export async function importFile(
  { send, pause }: ImportDeps,
  file: string,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportOutcome> {
  for (let left = tries - 1; ; left -= 1) {
    const answer = await readImport(await send(file), onProgress).catch((error: unknown) => {
      // The stream of an accepted file broke; a later refusal says why the import cannot go on.
      if (error instanceof ImportFailure && error.code !== 'unavailable') throw error
      if (left === 0) throw error
    })
    if (answer !== undefined) return answer
    await pause()
  }
}

async function readImport(response: Response, onProgress: (progress: ImportProgress) => void): Promise<ImportOutcome> {
  let answer: ImportOutcome | undefined
  const take = (event: ImportEvent) => {
    if ('error' in event) throw new ImportFailure(event)
    if ('progress' in event) onProgress(event.progress)
    else answer = event
  }
  const parser = createParser({ onEvent: ({ data }) => data === streamEnd || take(JSON.parse(data) as ImportEvent) })
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) parser.feed(part.value)
  if (answer === undefined) throw new Error('The stream ended early')
  return answer
}
