import type { Signal } from '@parley/cache'
import { guestModelId, type Model, modelDefaults } from '@parley/contracts'
import {
  type AdminAct,
  AppError,
  changedMeanwhile,
  type Logger,
  notFound,
  notReversible,
  type UndoingAct,
} from '@parley/kit'
import type { EndpointGuard } from '@parley/kit/egress'
import { endpointFaults, modelFaults } from './model-rules.ts'
import { providerNames } from './providers.ts'
import type { Registry } from './registry.ts'
import type { ModelFields, ModelStore, UndoneChange } from './store/model-store.ts'

export interface AdminDeps {
  readonly store: ModelStore
  readonly registry: Registry
  readonly guard: EndpointGuard
  readonly signal: Signal
  readonly log: Logger
}

type NewModel = Pick<ModelFields, 'name' | 'provider'> & { id: string } & {
  [F in keyof ModelFields]?: ModelFields[F] | undefined
}

/** Adds a model. @throws AppError conflict, invalid_model_data */
export async function addModel(deps: AdminDeps, { id, ...given }: NewModel, act: AdminAct): Promise<Model> {
  const fields = withApiName(id, fieldsOf(given))
  await refuseFaults(deps, id, fields)
  const model = await deps.store.add(id, fields, act)
  if (model === undefined) throw new AppError('conflict', 'A model with this id already exists')
  await announce(deps)
  return model
}

/** A model as `addModel` would create it, without usage. @throws AppError invalid_model_data */
export async function draftModel(deps: Omit<AdminDeps, 'signal' | 'log'>, { id, ...given }: NewModel): Promise<Model> {
  const fields = fieldsOf(given)
  await refuseFaults(deps, id, fields)
  const now = new Date().toISOString()
  const usage = { totalRequests: 0, averageResponseMs: 0, lastUsed: null }
  return { usage, createdAt: now, updatedAt: now, updatedBy: null, version: 1, ...fields, id }
}

/** Updates a model. @throws AppError not_found, invalid_model_data, conflict for an outdated version */
export async function changeModel(
  deps: AdminDeps,
  id: string,
  { version, ...given }: { [F in keyof ModelFields]?: ModelFields[F] | undefined } & { version?: number | undefined },
  act: AdminAct,
): Promise<Model> {
  const known = await deps.store.find(id)
  if (known === undefined) throw unknownModel()
  if (version !== undefined && version !== known.version) throw changedMeanwhile('this model', known)
  const fields = withApiName(id, withoutUndefined(given))
  await refuseFaults(deps, id, { ...known, ...fields })
  const change = await deps.store.change(id, fields, act, version)
  if (change === undefined) throw unknownModel()
  if (change.outcome === 'conflict') throw changedMeanwhile('this model', change.model)
  await announce(deps)
  return change.model
}

/** Undoes an admin's change or toggle. @throws AppError conflict, invalid_model_data, not_reversible */
export async function undoChange(deps: AdminDeps, action: string, act: UndoingAct): Promise<UndoneChange> {
  if (action !== 'model.changed' && action !== 'models.toggled') throw notReversible()
  const undone = await deps.store.undo(action, act, (id, fields) => refuseFaults(deps, id, fields))
  await announce(deps)
  return undone
}

/** Deletes a model permanently. @throws AppError not_found; conflict for the guests' model */
export async function removeModel(deps: AdminDeps, id: string, act: AdminAct): Promise<void> {
  if (id === guestModelId) throw new AppError('conflict', 'Guests use this model. Disable it instead.')
  if (!(await deps.store.remove(id, act))) throw unknownModel()
  await announce(deps)
}

/** Enables or disables the models of a provider, or all models. */
export async function toggleModels(
  deps: AdminDeps,
  body: { enabled: boolean; provider?: Model['provider'] | undefined },
  act: AdminAct,
): Promise<readonly Model[]> {
  const models = await deps.store.toggle(body.enabled, body.provider, act)
  await announce(deps)
  return models
}

async function refuseFaults(deps: Pick<AdminDeps, 'store' | 'guard'>, id: string, fields: ModelFields): Promise<void> {
  const faults = [
    ...modelFaults(id, fields, await deps.store.list()),
    ...(await endpointFaults(deps.guard, fields.apiEndpoint)),
  ]
  if (faults.length > 0) throw new AppError('invalid_model_data', 'Invalid model data', { details: faults })
}

/** Best effort: the change stands without the signal, because every cache also expires by itself. */
async function announce({ registry, signal, log }: AdminDeps): Promise<void> {
  registry.drop()
  try {
    await signal.publish('models-changed', {})
  } catch (error) {
    log.warn({ err: error }, 'signalling a change of the models failed')
  }
}

const fieldsOf = (given: Omit<NewModel, 'id'>): ModelFields => ({
  ...structuredClone(modelDefaults),
  ...sdkOf(given.provider),
  group: providerNames[given.provider],
  ...withoutUndefined(given),
})

/** The provider's name of a model defaults to its id. */
const withApiName = <F extends { readonly apiModelName?: string | undefined }>(id: string, fields: F): F =>
  fields.apiModelName === '' ? { ...fields, apiModelName: id } : fields

const unknownModel = (): AppError => notFound('Model not found')

const sdkOf = (provider: Model['provider']): Pick<ModelFields, 'sdkType'> => ({
  sdkType: provider === 'anthropic' ? 'anthropic-sdk' : modelDefaults.sdkType,
})

const withoutUndefined = <T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
