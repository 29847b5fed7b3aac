import type { Model } from '@parley/contracts'
import type { Generated, JSONColumnType, Selectable } from 'kysely'
import type { ModelFields } from './model-store.ts'

/** A row of `models`, with the contract's names of its fields: `CamelCasePlugin` makes column names of them. */
export interface ModelTable extends Omit<ModelFields, 'customHeaders' | 'inputPrice' | 'outputPrice'> {
  id: string
  position: Generated<number>
  customHeaders: JSONColumnType<Model['customHeaders']>
  inputPrice: number | null
  outputPrice: number | null
  totalRequests: Generated<number>
  averageResponseMs: Generated<number>
  lastUsed: Date | null
  createdAt: Generated<Date>
  updatedAt: Generated<Date>
  updatedBy: string | null
  version: Generated<number>
}
/** A row as selected. */
export type ModelRow = Selectable<ModelTable>

/** The registry in the schema `llm_router`. */
export interface LlmRouterTables {
  models: ModelTable
  /** The changes made by an act, with the contract's field names. */
  modelActs: {
    entryId: string
    modelId: string
    before: JSONColumnType<Partial<Model>>
    after: JSONColumnType<Partial<Model>>
  }
}
