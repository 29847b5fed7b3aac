import type { Model } from '@parley/contracts'

/** Stands in the address where a model's id would: no model can be called so. */
export const newModelPath = '+new'

/** Providers in the order that they are shown, with their names. */
export const providerNames = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  xai: 'xAI',
  google: 'Google',
  deepseek: 'DeepSeek',
  openrouter: 'OpenRouter',
} as const satisfies Record<Model['provider'], string>
export type Provider = keyof typeof providerNames
export const providers = Object.keys(providerNames) as Provider[]

export const modelTypes = ['text', 'image', 'embedding'] as const satisfies readonly Model['modelType'][]

export const sdkTypes = [
  'openai-sdk',
  'xai-sdk',
  'openrouter',
  'anthropic-sdk',
  'fetch',
] as const satisfies readonly Model['sdkType'][]

/** Whole numbers of a model with the smallest and largest that the server takes. */
export const wholeNumbers = {
  contextLength: [1, 100_000_000],
  maxTokens: [1, 10_000_000],
  creditsPerMessage: [0, 1_000_000],
  requestsPerMinute: [0, 10_000_000],
  tokensPerMinute: [0, 1_000_000_000],
} as const

/** What a provider charges, as dollars for a million tokens; the server keeps micro-dollars. */
export const providerPrices = ['inputPrice', 'outputPrice'] as const

/** What a model can do beside text. */
export const abilities = [
  'supportsThinking',
  'supportsTools',
  'supportsImageAttachments',
  'supportsFileAttachments',
] as const

type WholeNumber = keyof typeof wholeNumbers
type ProviderPrice = (typeof providerPrices)[number]
type Ability = (typeof abilities)[number]
type Settings = Omit<Model, 'usage' | 'createdAt' | 'updatedAt' | 'updatedBy' | 'version'>

/** A model as its form has it: numbers as they were typed. */
export interface ModelValues
  extends Record<WholeNumber | ProviderPrice, string>,
    Record<Ability, boolean>,
    Pick<Settings, 'id' | 'name' | 'description' | 'provider' | 'group' | 'apiEndpoint' | 'apiModelName' | 'enabled'>,
    Pick<Settings, 'modelType' | 'sdkType'> {
  temperature: string
  customHeaders: { name: string; value: string }[]
  fallbackModels: string[]
}

/** A new model's form. */
export const newModelValues: ModelValues = {
  id: '',
  name: '',
  description: '',
  provider: 'openai',
  group: '',
  apiEndpoint: '',
  apiModelName: '',
  enabled: true,
  contextLength: '128000',
  maxTokens: '8192',
  temperature: '1',
  modelType: 'text',
  supportsThinking: false,
  supportsTools: false,
  supportsImageAttachments: false,
  supportsFileAttachments: false,
  creditsPerMessage: '1',
  requestsPerMinute: '0',
  tokensPerMinute: '0',
  inputPrice: '',
  outputPrice: '',
  customHeaders: [],
  sdkType: 'openai-sdk',
  fallbackModels: [],
}

const numbersAs = <Value>(convert: (name: WholeNumber) => Value): Record<WholeNumber, Value> => ({
  contextLength: convert('contextLength'),
  maxTokens: convert('maxTokens'),
  creditsPerMessage: convert('creditsPerMessage'),
  requestsPerMinute: convert('requestsPerMinute'),
  tokensPerMinute: convert('tokensPerMinute'),
})

const microsPerDollar = 1_000_000
const mostDollars = 1_000_000
const dollarsOf = (micros: number | null | undefined): string =>
  micros == null ? '' : String(micros / microsPerDollar)
const microsOf = (dollars: string): number | null =>
  dollars.trim() === '' ? null : Math.round(Number(dollars) * microsPerDollar)

/** The form of a model. */
export function valuesOf(model: Model): ModelValues {
  const { usage: _, createdAt: _created, updatedAt: _updated, updatedBy: _by, version: _version, ...settings } = model
  return {
    ...settings,
    ...numbersAs((name) => String(model[name])),
    temperature: String(model.temperature),
    inputPrice: dollarsOf(model.inputPrice),
    outputPrice: dollarsOf(model.outputPrice),
    customHeaders: model.customHeaders.map((header) => ({ ...header })),
    fallbackModels: [...model.fallbackModels],
  }
}

/** What is sent of a form. */
export const modelOf = (values: ModelValues): Settings => ({
  ...values,
  ...numbersAs((name) => Number(values[name])),
  temperature: Number(values.temperature),
  inputPrice: microsOf(values.inputPrice),
  outputPrice: microsOf(values.outputPrice),
})

/** Fields that cannot be sent as they are, with what is wrong: nothing entered, no number, or one beyond its bounds. */
export type ModelFault = 'required' | 'number' | 'id'

/** What is wrong with a form before the server sees it, by field. */
export function faultsOf(values: ModelValues): Partial<Record<keyof ModelValues, ModelFault>> {
  const faults: Partial<Record<keyof ModelValues, ModelFault>> = {}
  if (!/^[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$/.test(values.id)) faults.id = values.id === '' ? 'required' : 'id'
  for (const name of ['name', 'group'] as const) if (values[name].trim() === '') faults[name] = 'required'
  for (const [name, [least, most]] of Object.entries(wholeNumbers) as [WholeNumber, readonly [number, number]][]) {
    const value = values[name].trim() === '' ? Number.NaN : Number(values[name])
    if (!Number.isInteger(value) || value < least || value > most) faults[name] = 'number'
  }
  const temperature = values.temperature.trim() === '' ? Number.NaN : Number(values.temperature)
  if (!(temperature >= 0 && temperature <= 2)) faults.temperature = 'number'
  for (const name of providerPrices) {
    const value = Number(values[name])
    if (!(value >= 0 && value <= mostDollars)) faults[name] = 'number'
  }
  return faults
}

/** A list with one entry moved by so many places, as far as it goes. */
export function moved<Entry>(list: readonly Entry[], at: number, by: number): Entry[] {
  const to = Math.min(Math.max(at + by, 0), list.length - 1)
  const rest = list.filter((_, index) => index !== at)
  return [...rest.slice(0, to), ...list.slice(at, at + 1), ...rest.slice(to)]
}
