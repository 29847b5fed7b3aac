import type { Model } from '@parley/contracts'
import type { Target } from '../adapters/adapter.ts'
import type { ImageAdapter } from '../adapters/image-adapters.ts'
import { estimateTokens } from '../api/token-estimate.ts'
import { type Asked, type AskModelsDeps, askModels } from '../completion/ask-models.ts'
import { answering, type CandidatesDeps, type ModelRequest, takeModel } from '../completion/candidates.ts'
import { appErrorOf, makesNoImages, noImage } from '../completion/failure.ts'
import { type RecordDeps, recordAnswer } from '../completion/record-answer.ts'
import { within } from '../completion/within.ts'
import { type Image, readImage } from './read-image.ts'

export interface MakeImageDeps extends AskModelsDeps, CandidatesDeps, RecordDeps {
  /** Undefined when a model's provider generates no images. */
  readonly imageAdapterOf: (model: Model) => ImageAdapter | undefined
  /** For URLs returned by providers: blocks private networks. */
  readonly fetchOutside: typeof fetch
}

/** A model and its prompt. */
interface ImageRequest extends ModelRequest {
  readonly prompt: string
}

/**
 * Generates one image with the requested model or its fallbacks.
 * @param left aborts when the caller has left
 * @throws AppError not_found, model_locked, validation_failed, rate_limited, provider_error or provider_timeout
 */
export async function makeImage(deps: MakeImageDeps, request: ImageRequest, left: AbortSignal): Promise<Asked<Image>> {
  const tokens = estimateTokens(request.prompt)
  const { model, reservation } = await takeModel(deps, request, 'image', () => tokens)
  let used = 0
  try {
    const limits = { withinMs: deps.timeouts.image, signal: left }
    const made = await askModels(deps, answering(deps, model, reservation.take), limits, async (candidate) => {
      const adapter = deps.imageAdapterOf(candidate)
      if (adapter === undefined) throw makesNoImages()
      return (target) => (deadline) =>
        within({ deadline, left, which: 'image' }, (signal) =>
          requestImage(adapter, target, { prompt: request.prompt, signal, fetchOutside: deps.fetchOutside }),
        )
    })
    used = tokens
    recordAnswer(deps, made)
    return made
  } catch (error) {
    throw appErrorOf(error)
  } finally {
    await reservation.settle(used)
  }
}

/** The prompt of an image, and how its answer is read. */
interface ImageCall extends Pick<MakeImageDeps, 'fetchOutside'> {
  readonly prompt: string
  readonly signal: AbortSignal
}

/** Makes one call for an image. @throws ProviderFailure for an answer without a usable one, or the adapter's error */
export async function requestImage(
  adapter: ImageAdapter,
  target: Target,
  { prompt, signal, fetchOutside }: ImageCall,
): Promise<Image> {
  const answer = await adapter(target, prompt, signal)
  try {
    return await readImage(answer, fetchOutside, signal)
  } catch (error) {
    if (signal.aborted) throw error
    // Not retried: the provider has done its work, and a retry would be charged as well.
    throw noImage()
  }
}
