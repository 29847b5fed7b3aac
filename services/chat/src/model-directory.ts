import { type ModelInfo, modelInternalRoutes } from '@parley/contracts'
import { AppError, type Clock, isAppError, notFound, type ServiceClient } from '@parley/kit'

/** How long a model's entry is believed without a signal. */
const maxAgeMs = 3_000
const maxEntries = 500

/** The models as llm-router tells them. */
export interface ModelDirectory {
  /**
   * A text model that this caller may use; at most 3 s old and asked anew once models changed.
   * @throws AppError not_found when unknown, model_locked when disabled and the caller is no admin, validation_failed for an image model,
   *   unavailable when llm-router cannot be asked
   */
  usable(modelId: string, caller: { readonly admin: boolean; readonly requestId: string }): Promise<ModelInfo>
  /** To be called on the `models-changed` signal. */
  drop(): void
}

/** Asks llm-router on demand; concurrent callers share one question. */
export function createModelDirectory(client: ServiceClient, now: Clock): ModelDirectory {
  let known = new Map<string, { info: Promise<ModelInfo>; at: number }>()
  const info = (modelId: string, requestId: string): Promise<ModelInfo> => {
    const entry = known.get(modelId)
    if (entry !== undefined && now().getTime() - entry.at < maxAgeMs) return entry.info
    // An answer that is under way when models change is in the map that is dropped.
    const asked = known
    const answer = client.call(modelInternalRoutes.info, { params: { id: modelId }, requestId })
    if (asked.size >= maxEntries) asked.clear()
    asked.set(modelId, { info: answer, at: now().getTime() })
    answer.catch(() => asked.get(modelId)?.info === answer && asked.delete(modelId))
    return answer
  }
  return {
    async usable(modelId, { admin, requestId }) {
      const model = await info(modelId, requestId).catch((error: unknown) => {
        throw isAppError(error, 'not_found') ? notFound('Unknown model') : error
      })
      if (!model.enabled && !admin) {
        throw new AppError('model_locked', 'This model is currently unavailable. Please select a different model.')
      }
      if (model.modelType !== 'text') throw new AppError('validation_failed', 'This model makes images, not text.')
      return model
    },
    drop() {
      known = new Map()
    },
  }
}
