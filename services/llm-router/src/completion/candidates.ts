import type { Counter } from '@parley/cache'
import type { Model } from '@parley/contracts'
import { AppError, isAppError, notFound } from '@parley/kit'
import type { Registry } from '../registry.ts'
import type { Candidate } from './ask-models.ts'
import { takeRequest } from './model-limit.ts'

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

/**
 * The requested model, after taking one request from its per-minute limit.
 * @throws AppError not_found, model_locked, validation_failed for a model of the other type, rate_limited
 */
export async function takeModel(
  { registry, counter }: CandidatesDeps,
  asked: { readonly model: string; readonly allowLocked: boolean },
  type: Model['modelType'],
): Promise<Model> {
  const model = await registry.find(asked.model)
  if (model === undefined) throw notFound('Model not found')
  if (!model.enabled && !asked.allowLocked) {
    throw new AppError('model_locked', 'This model is currently unavailable. Please select a different model.')
  }
  if (model.modelType !== type) throw new AppError('validation_failed', wrongType[type])
  await takeRequest(counter, model)
  return model
}

/**
 * The requested model, then those of its fallbacks that are currently available.
 * @param take takes a call of a fallback from its limits, when it is its turn; false skips it. By default one request of its minute is taken
 */
export async function* answering(
  { registry, counter }: CandidatesDeps,
  asked: Model,
  take: (fallback: Model) => Promise<boolean> = (fallback) => hasRequest(counter, fallback),
): AsyncGenerator<Candidate> {
  const known = await Promise.all(asked.fallbackModels.map((id) => registry.find(id)))
  const fallbacks = known.filter((model) => model?.enabled && model.modelType === asked.modelType) as Model[]
  yield { model: asked, isLast: fallbacks.length === 0 }
  for (const [index, model] of fallbacks.entries()) {
    if (await take(model)) yield { model, isLast: index === fallbacks.length - 1 }
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
