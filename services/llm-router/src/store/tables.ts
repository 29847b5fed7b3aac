import type { Model } from '@parley/contracts'
import type { Generated, JSONColumnType, Selectable } from 'kysely'

/** A row of `models`. */
export interface ModelTable {
  id: string
  position: Generated<number>
  name: string
  description: string
  provider: Model['provider']
  group: string
  api_endpoint: string
  api_model_name: string
  enabled: boolean
  context_length: number
  max_tokens: number
  temperature: number
  model_type: Model['modelType']
  supports_thinking: boolean
  supports_tools: boolean
  supports_image_attachments: boolean
  supports_file_attachments: boolean
  credits_per_message: number
  requests_per_minute: number
  tokens_per_minute: number
  custom_headers: Model['customHeaders']
  sdk_type: Model['sdkType']
  fallback_models: string[]
  input_price: number | null
  output_price: number | null
  total_requests: Generated<number>
  average_response_ms: Generated<number>
  last_used: Date | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
  updated_by: string | null
  version: Generated<number>
}
/** A row as selected. */
export type ModelRow = Selectable<ModelTable>

/** The schema `llm_router`. */
export interface LlmRouterTables {
  models: ModelTable
  /** The changes made by an act, with the contract's field names. */
  model_acts: {
    entry_id: string
    model_id: string
    before: JSONColumnType<Partial<Model>>
    after: JSONColumnType<Partial<Model>>
  }
}

/** Columns of the admin-editable fields. */
export const columnOf = {
  name: 'name',
  description: 'description',
  provider: 'provider',
  group: 'group',
  apiEndpoint: 'api_endpoint',
  apiModelName: 'api_model_name',
  enabled: 'enabled',
  contextLength: 'context_length',
  maxTokens: 'max_tokens',
  temperature: 'temperature',
  modelType: 'model_type',
  supportsThinking: 'supports_thinking',
  supportsTools: 'supports_tools',
  supportsImageAttachments: 'supports_image_attachments',
  supportsFileAttachments: 'supports_file_attachments',
  creditsPerMessage: 'credits_per_message',
  requestsPerMinute: 'requests_per_minute',
  tokensPerMinute: 'tokens_per_minute',
  customHeaders: 'custom_headers',
  sdkType: 'sdk_type',
  fallbackModels: 'fallback_models',
  inputPrice: 'input_price',
  outputPrice: 'output_price',
} as const
