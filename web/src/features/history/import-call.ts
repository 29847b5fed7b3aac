import type { ImportEvent, ImportOutcome } from '@parley/contracts'
import { streamEnd } from '@parley/contracts/constants'
import { createParser } from 'eventsource-parser'

/** The progress of an import, in chats of the file. */
export type ImportProgress = Extract<ImportEvent, { progress: unknown }>['progress']

export interface ImportDeps {
  /** Sends the file and resolves to the import's stream; rejects with an ApiError. */
  readonly send: (file: string) => Promise<Response>
  /** Resolves when a retry makes sense. */
  readonly pause: () => Promise<void>
}

/** The server ended the import with an error in its stream; the message is shown to the user. */
export class ImportFailure extends Error {
  readonly code: string
  constructor({ error, code }: Extract<ImportEvent, { error: string }>) {
    super(error)
    this.code = code
  }
}

/** Attempts; the later ones join the import started by the first, or skip what it has done. */
const tries = 4

/**
 * Imports a file and reports its progress. A broken connection is reopened: the import continues on the server meanwhile.
 * @throws ImportFailure, and the errors of `send`
 */
export async function importFile(
  { send, pause }: ImportDeps,
  file: string,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportOutcome> {
  for (let left = tries - 1; ; left -= 1) {
    const answer = await readImport(await send(file), onProgress).catch((error: unknown) => {
      // The stream of an accepted file broke off; a later refusal says why the import cannot continue.
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
