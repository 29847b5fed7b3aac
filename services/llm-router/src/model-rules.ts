import type { ErrorBody, Model, ProviderId } from '@parley/contracts'
import type { EndpointGuard } from '@parley/kit/egress'
import { imageAdapters } from './adapters/image-adapters.ts'
import type { ModelFields } from './store/model-store.ts'

type Faults = NonNullable<ErrorBody['details']>

/** The SDK types that work with a provider's own address. */
const speaks = (provider: ProviderId, sdkType: Model['sdkType']): boolean =>
  provider === 'anthropic' ? sdkType === 'anthropic-sdk' : sdkType !== 'anthropic-sdk'

/** Whether a model's SDK type supports embeddings; all except Anthropic's use OpenAI's format. */
export const makesEmbeddings = ({ sdkType }: Pick<Model, 'sdkType'>): boolean => sdkType !== 'anthropic-sdk'

/** Faults of a model beyond the schema of its fields; may be empty. */
export function modelFaults(id: string, fields: ModelFields, others: readonly Model[]): Faults {
  const faults: Faults = []
  if (fields.apiEndpoint === '' && !speaks(fields.provider, fields.sdkType)) {
    faults.push({ path: 'sdkType', message: `The provider ${fields.provider} doesn’t support ${fields.sdkType}` })
  }
  if (fields.modelType === 'image' && imageAdapters[fields.sdkType] === undefined) {
    faults.push({ path: 'sdkType', message: `${fields.sdkType} makes no images` })
  }
  if (fields.modelType === 'embedding' && !makesEmbeddings(fields)) {
    faults.push({ path: 'sdkType', message: `${fields.sdkType} makes no embeddings` })
  }
  if (fields.modelType === 'embedding' && fields.fallbackModels.length > 0) {
    faults.push({
      path: 'fallbackModels',
      message: 'Vectors of another model can’t be compared: an embedding model has no fallbacks',
    })
  }
  if (new Set(fields.fallbackModels).size < fields.fallbackModels.length) {
    faults.push({ path: 'fallbackModels', message: 'A fallback is listed twice' })
  }
  for (const fallback of new Set(fields.fallbackModels)) {
    const message = fallbackFault(id, fallback, fields.modelType, others)
    if (message !== undefined) faults.push({ path: 'fallbackModels', message })
  }
  return faults
}

function fallbackFault(
  id: string,
  fallback: string,
  modelType: Model['modelType'],
  others: readonly Model[],
): string | undefined {
  if (fallback === id) return 'A model can’t be its own fallback'
  const model = others.find((other) => other.id === fallback)
  if (model === undefined) return `There is no model ${fallback}`
  return model.modelType === modelType ? undefined : `${fallback} isn’t a model for ${modelType}`
}

/** Faults of a model's endpoint; empty for a valid or absent one. */
export async function endpointFaults(guard: EndpointGuard, endpoint: string): Promise<Faults> {
  const message = endpoint === '' ? undefined : await guard.fault(endpoint)
  return message === undefined ? [] : [{ path: 'apiEndpoint', message }]
}
