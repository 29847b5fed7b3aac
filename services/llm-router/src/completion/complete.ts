import type { ServerResponse } from 'node:http'
import type { Counter } from '@parley/cache'
import type { CompletionBody, Model } from '@parley/contracts'
import { AppError, isAppError, type Logger, notFound } from '@parley/kit'
import type { Registry } from '../registry.ts'
import type { ModelStore } from '../store/model-store.ts'
import { answerLines } from './answer-lines.ts'
import { readFailure, timedOut, toAppError } from './failure.ts'
import { takeRequest } from './model-limit.ts'
import { type Candidate, type OpenAnswerDeps, openAnswer } from './open-answer.ts'
import { writeLines } from './write-lines.ts'

/** What a completion uses. */
export interface CompleteDeps extends OpenAnswerDeps {
  readonly registry: Registry
  readonly counter: Counter
  readonly store: Pick<ModelStore, 'recordAnswer'>
  readonly log: Logger
}

/**
 * Runs one completion into a response, whose status is held until the first piece of an answer.
 * @throws AppError not_found, model_locked, validation_failed, rate_limited, provider_error or provider_timeout before that piece
 */
export async function complete(deps: CompleteDeps, body: CompletionBody, response: ServerResponse): Promise<void> {
  const asked = await findAnswering(deps.registry, body)
  await takeRequest(deps.counter, asked)
  const stopped = new AbortController()
  response.once('close', () => stopped.abort())
  const total = setTimeout(() => stopped.abort(timedOut('total')), deps.timeouts.total)
  try {
    const answer = await openAnswer(deps, answering(deps, asked), body.messages, stopped.signal)
    try {
      await writeLines(response, answerLines(answer, body.messages, deps.timeouts.idle))
    } finally {
      recordAnswer(deps, answer.model, performance.now() - answer.startedAt)
    }
  } catch (error) {
    // Nobody is there to be told.
    if (response.destroyed) return
    throw toAppError(readFailure(error))
  } finally {
    clearTimeout(total)
  }
}

async function findAnswering(registry: Registry, body: CompletionBody): Promise<Model> {
  const model = await registry.find(body.model)
  if (model === undefined) throw notFound('This model does not exist')
  if (!model.enabled && !body.allowLocked) {
    throw new AppError('model_locked', 'This model is currently unavailable. Please select a different model.')
  }
  if (model.modelType !== 'text') throw new AppError('validation_failed', 'This model does not write text')
  return model
}

/** The model that was asked, then its fallbacks that may answer now. */
async function* answering(deps: CompleteDeps, asked: Model): AsyncGenerator<Candidate> {
  const known = await Promise.all(asked.fallbackModels.map((id) => deps.registry.find(id)))
  const fallbacks = known.filter((model) => model?.enabled && model.modelType === 'text') as Model[]
  yield { model: asked, isLast: fallbacks.length === 0 }
  for (const [index, model] of fallbacks.entries()) {
    if (await hasRequest(deps.counter, model)) yield { model, isLast: index === fallbacks.length - 1 }
  }
}

async function hasRequest(counter: Counter, model: Model): Promise<boolean> {
  try {
    await takeRequest(counter, model)
    return true
  } catch (error) {
    if (isAppError(error, 'rate_limited')) return false
    throw error
  }
}

/** Off the path of the answer: figures for admins are worth no wait and no failure. */
function recordAnswer(deps: CompleteDeps, model: Model, ms: number): void {
  deps.store.recordAnswer(model.id, Math.round(ms)).catch((error: unknown) => {
    deps.log.warn({ err: error, model: model.id }, 'the use of a model was not recorded')
  })
}
