import type { Counter } from '@parley/cache'
import type { Model } from '@parley/contracts'
import { AppError, notFound } from '@parley/kit'
import type { Registry } from '../registry.ts'
import type { Candidate } from './ask-models.ts'
import { type MovingReservation, movingReservation, takeOfModel } from './model-limit.ts'

export interface CandidatesDeps {
  readonly registry: Registry
  readonly counter: Counter
}

/** Refusals for a model of the wrong type. */
export const wrongType: Readonly<Record<Model['modelType'], string>> = {
  text: 'This model doesn’t write text',
  image: 'This model doesn’t create images',
  embedding: 'This model makes no embeddings',
}

/** The request of a model. */
export interface ModelRequest {
  readonly model: string
  readonly allowLocked: boolean
}

/** A model, and what was taken from its limits per minute. */
interface TakenModel {
  readonly model: Model
  readonly reservation: MovingReservation
}

/**
 * The requested model, after taking a request and its tokens from its limits per minute.
 * @param tokensOf tokens that the request may take of a model; whatever the outcome, settle the reservation
 * @throws AppError not_found, model_locked, validation_failed for a model of the other type, rate_limited
 */
export async function takeModel(
  { registry, counter }: CandidatesDeps,
  asked: ModelRequest,
  type: Model['modelType'],
  tokensOf: (model: Model) => number,
): Promise<TakenModel> {
  const model = await registry.find(asked.model)
  if (model === undefined) throw notFound('Model not found')
  if (!model.enabled && !asked.allowLocked) {
    throw new AppError('model_locked', 'This model is currently unavailable. Please select a different model.')
  }
  if (model.modelType !== type) throw new AppError('validation_failed', wrongType[type])
  const taken = await takeOfModel(counter, model, tokensOf(model))
  return { model, reservation: movingReservation(counter, taken, tokensOf) }
}

/**
 * The requested model, then those of its fallbacks that are currently available.
 * @param take takes a call of a fallback from its limits, when it is its turn; false skips it
 */
export async function* answering(
  { registry }: Pick<CandidatesDeps, 'registry'>,
  asked: Model,
  take: (fallback: Model) => Promise<boolean>,
): AsyncGenerator<Candidate> {
  const known = await Promise.all(asked.fallbackModels.map((id) => registry.find(id)))
  const fallbacks = known.filter((model) => model?.enabled && model.modelType === asked.modelType) as Model[]
  yield { model: asked, isLast: fallbacks.length === 0 }
  for (const [index, model] of fallbacks.entries()) {
    if (await take(model)) yield { model, isLast: index === fallbacks.length - 1 }
  }
}
