import type { ServerResponse } from 'node:http'
import type { CompletionBody, Usage } from '@parley/contracts'
import { replicaAddressOf } from '@parley/kit'
import { responseOutput } from '../api/output.ts'
import { estimateTokens } from '../api/token-estimate.ts'
import { answering, type CandidatesDeps, takeModel } from './candidates.ts'
import { type DelaysDeps, delaysOf } from './delays.ts'
import { appErrorOf, timedOut } from './failure.ts'
import type { KeptPrompts } from './kept-prompts.ts'
import { type OpenAnswerDeps, openAnswer } from './open-answer.ts'
import { type RecordDeps, recordAnswer } from './record-answer.ts'
import { sendAnswer } from './send-answer.ts'

export interface CompleteDeps extends OpenAnswerDeps, CandidatesDeps, RecordDeps, DelaysDeps {
  readonly prompts: KeptPrompts
}

const lineHeaders = {
  'content-type': 'application/x-ndjson; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

/**
 * Streams one completion into a response. The status is held back until the first piece of an answer.
 * @throws AppError not_found, model_locked, validation_failed, rate_limited, provider_error or provider_timeout before that
 * piece; conflict when the prompt to continue is not kept
 */
export async function complete(deps: CompleteDeps, body: CompletionBody, response: ServerResponse): Promise<void> {
  const messages = deps.prompts.whole(body)
  const { generationId, tools = [] } = body
  const inputTokens = estimateTokens(messages) + estimateTokens(tools)
  const { model, reservation } = await takeModel(deps, body, 'text', ({ maxTokens }) => inputTokens + maxTokens)
  const stopped = new AbortController()
  response.once('close', () => stopped.abort())
  const total = setTimeout(() => stopped.abort(timedOut('total')), deps.timeouts.total)
  try {
    const keptAt = replicaAddressOf(response.req.socket)
    const limits = { signal: stopped.signal, onDelay: delaysOf(deps, body) }
    const opened = openAnswer(deps, answering(deps, model, reservation.take), { messages, tools }, limits)
    const answer = await opened.catch(async (error: unknown) => {
      await reservation.settle(0)
      throw error
    })
    const options = {
      idleMs: deps.timeouts.idle,
      keep: () => (deps.prompts.keep(generationId, messages) ? { kept: true, keptAt } : {}),
      onEnd: async (usage: Usage) => {
        recordAnswer(deps, answer, usage)
        await reservation.settle(usage.inputTokens + usage.outputTokens)
      },
    }
    const output = responseOutput(response)
    output.begin(lineHeaders)
    await sendAnswer(answer, options, async (lines) => {
      await output.write(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')))
      return !response.destroyed
    })
    await output.end(Buffer.alloc(0))
  } catch (error) {
    // The caller has left.
    if (response.destroyed) return
    throw appErrorOf(error)
  } finally {
    clearTimeout(total)
  }
}
