import type { ServerResponse } from 'node:http'
import type { CompletionBody, Usage } from '@parley/contracts'
import { replicaAddressOf } from '@parley/kit'
import { answering, type CandidatesDeps, takeModel } from './candidates.ts'
import { type DelaysDeps, delaysOf } from './delays.ts'
import { readFailure, timedOut, toAppError } from './failure.ts'
import type { KeptPrompts } from './kept-prompts.ts'
import { type OpenAnswerDeps, openAnswer } from './open-answer.ts'
import { type RecordDeps, recordAnswer } from './record-answer.ts'
import { sendAnswer } from './send-answer.ts'
import { writeLines } from './write-lines.ts'

export interface CompleteDeps extends OpenAnswerDeps, CandidatesDeps, RecordDeps, DelaysDeps {
  readonly prompts: KeptPrompts
}

/**
 * Streams one completion into a response. The status is held back until the first piece of an answer.
 * @throws AppError not_found, model_locked, validation_failed, rate_limited, provider_error or provider_timeout before that
 * piece; conflict when the prompt to continue is not kept
 */
export async function complete(deps: CompleteDeps, body: CompletionBody, response: ServerResponse): Promise<void> {
  const messages = deps.prompts.whole(body)
  const asked = await takeModel(deps, body, 'text')
  const stopped = new AbortController()
  response.once('close', () => stopped.abort())
  const total = setTimeout(() => stopped.abort(timedOut('total')), deps.timeouts.total)
  try {
    const { generationId, tools = [] } = body
    const keptAt = replicaAddressOf(response.req.socket)
    const limits = { signal: stopped.signal, onDelay: delaysOf(deps, body) }
    const answer = await openAnswer(deps, answering(deps, asked), { messages, tools }, limits)
    const options = {
      idleMs: deps.timeouts.idle,
      keep: () => (deps.prompts.keep(generationId, messages) ? { kept: true, keptAt } : {}),
      onEnd: (usage: Usage) => recordAnswer(deps, answer, usage),
    }
    await writeLines(response, (write) => sendAnswer(answer, options, write))
  } catch (error) {
    // The caller has left.
    if (response.destroyed) return
    throw toAppError(readFailure(error))
  } finally {
    clearTimeout(total)
  }
}
