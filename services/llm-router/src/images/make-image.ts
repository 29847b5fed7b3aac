import type { Model } from '@parley/contracts'
import type { Target } from '../adapters/adapter.ts'
import type { ImageAdapter } from '../adapters/image-adapters.ts'
import { type Asked, type AskModelsDeps, askModels } from '../completion/ask-models.ts'
import { answering, type CandidatesDeps, takeModel } from '../completion/candidates.ts'
import { makesNoImages, noImage, readFailure, toAppError } from '../completion/failure.ts'
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
interface ImageRequest {
  readonly model: string
  readonly prompt: string
  readonly allowLocked: boolean
}

/**
 * Generates one image with the requested model or its fallbacks.
 * @param left aborts when the caller has left
 * @throws AppError not_found, model_locked, validation_failed, rate_limited, provider_error or provider_timeout
 */
export async function makeImage(deps: MakeImageDeps, request: ImageRequest, left: AbortSignal): Promise<Asked<Image>> {
  const asked = await takeModel(deps, request, 'image')
  try {
    const limits = { withinMs: deps.timeouts.image, signal: left }
    const made = await askModels(deps, answering(deps, asked), limits, async (model) => {
      const adapter = deps.imageAdapterOf(model)
      if (adapter === undefined) throw makesNoImages()
      return (target, deadline) =>
        within({ deadline, left, which: 'image' }, (signal) =>
          askOnce(adapter, target, { prompt: request.prompt, signal, deps }),
        )
    })
    recordAnswer(deps, made)
    return made
  } catch (error) {
    throw toAppError(readFailure(error))
  }
}

async function askOnce(
  adapter: ImageAdapter,
  target: Target,
  { prompt, signal, deps }: { prompt: string; signal: AbortSignal; deps: MakeImageDeps },
): Promise<Image> {
  const answer = await adapter(target, prompt, signal)
  try {
    return await readImage(answer, deps.fetchOutside, signal)
  } catch (error) {
    if (signal.aborted) throw error
    // Not retried: the provider has done its work, and a retry would be charged as well.
    throw noImage()
  }
}
