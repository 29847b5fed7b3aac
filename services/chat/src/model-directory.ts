import { type ModelInfo, modelInternalRoutes, modelRoutes } from '@parley/contracts'
import { AppError, type Clock, createFresh, isAppError, notFound, type ServiceClient } from '@parley/kit'

/** How long a model's entry is believed without a signal. */
const maxAgeMs = 3_000
const maxEntries = 500

/** The caller who wants to use a model. */
interface ModelUser {
  readonly admin: boolean
  readonly requestId: string
}

/** The models as llm-router lists them, asked for on demand; concurrent callers share one question. */
export function createModelDirectory(client: ServiceClient, now: Clock) {
  const known = createFresh<ModelInfo>({ maxAgeMs, max: maxEntries, now })
  const info = (id: string, requestId: string): Promise<ModelInfo> =>
    known.get(id, () => client.call(modelInternalRoutes.info, { params: { id }, requestId }))
  const allowed = async (modelId: string, { admin, requestId }: ModelUser): Promise<ModelInfo> => {
    const model = await info(modelId, requestId).catch((error: unknown) => {
      throw isAppError(error, 'not_found') ? notFound('Unknown model') : error
    })
    // One that makes vectors is not for people, and not listed to them.
    if (model.modelType === 'embedding') throw notFound('Unknown model')
    if (!model.enabled && !admin) {
      throw new AppError('model_locked', 'This model is currently unavailable. Please select a different model.')
    }
    return model
  }
  const firstForImages = async (requestId: string): Promise<ModelInfo> => {
    const { providers } = await client.call(modelRoutes.hierarchy, { requestId })
    const all = providers.flatMap(({ groups }) => groups.flatMap(({ models }) => models))
    for (const { id } of all.filter(({ modelType }) => modelType === 'image')) {
      const model = await info(id, requestId)
      if (model.enabled) return model
    }
    throw notFound('No image model is available.')
  }
  return {
    /**
     * A text model that this caller may use; cached for at most 3 s, and fetched again once models changed.
     * @throws AppError not_found when unknown or for embeddings, model_locked when disabled and the caller is no admin, validation_failed for an image model,
     *   unavailable when llm-router cannot be asked
     */
    async usable(modelId: string, caller: ModelUser): Promise<ModelInfo> {
      const model = await allowed(modelId, caller)
      if (model.modelType !== 'text') throw new AppError('validation_failed', 'This model creates images, not text.')
      return model
    },
    /**
     * The same for an image model; without an id the first one that is enabled.
     * @throws AppError as `usable`, validation_failed for a text model, not_found when none is enabled
     */
    async usableForImages(modelId: string | undefined, caller: ModelUser): Promise<ModelInfo> {
      const model = modelId === undefined ? await firstForImages(caller.requestId) : await allowed(modelId, caller)
      if (model.modelType !== 'image') throw new AppError('validation_failed', 'This model writes text, not images.')
      return model
    },
    /** A model's name; undefined when it is unknown or llm-router cannot be asked. */
    nameOf: (modelId: string, requestId: string): Promise<string | undefined> =>
      info(modelId, requestId).then(
        ({ name }) => name,
        () => undefined,
      ),
    /** The handler of the `models-changed` signal. */
    drop: known.dropAll,
  }
}
