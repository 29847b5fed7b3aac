import type { Model } from '@parley/contracts'

/** Stands for a model's id in the address of the form for a new model; no model can have this id. */
export const newModelPath = '+new'

/** Providers in display order, with their names. */
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

/** Integer fields of a model with the minimum and maximum that the server accepts. */
export const wholeNumbers = {
  contextLength: [1, 100_000_000],
  maxTokens: [1, 10_000_000],
  creditsPerMessage: [0, 1_000_000],
  requestsPerMinute: [0, 10_000_000],
  tokensPerMinute: [0, 1_000_000_000],
} as const

/** Provider prices, in dollars per million tokens; the server stores micro-dollars. */
export const providerPrices = ['inputPrice', 'outputPrice'] as const

/** The capabilities of a model. */
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

/** Form values of a model: numbers as typed. */
export interface ModelValues
  extends Record<WholeNumber | ProviderPrice, string>,
    Record<Ability, boolean>,
    Pick<Settings, 'id' | 'name' | 'description' | 'provider' | 'group' | 'apiEndpoint' | 'apiModelName' | 'enabled'>,
    Pick<Settings, 'modelType' | 'sdkType'> {
  temperature: string
  customHeaders: { name: string; value: string }[]
  fallbackModels: string[]
}

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

const numbersAs = <Value>(convert: (name: WholeNumber) => Value) =>
  Object.fromEntries(Object.keys(wholeNumbers).map((name) => [name, convert(name as WholeNumber)])) as Record<
    WholeNumber,
    Value
  >

const microsPerDollar = 1_000_000
const mostDollars = 1_000_000
const dollarsOf = (micros: number | null | undefined): string =>
  micros == null ? '' : String(micros / microsPerDollar)
const microsOf = (dollars: string): number | null =>
  dollars.trim() === '' ? null : Math.round(Number(dollars) * microsPerDollar)

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

export const modelOf = (values: ModelValues): Settings => ({
  ...values,
  ...numbersAs((name) => Number(values[name])),
  temperature: Number(values.temperature),
  inputPrice: microsOf(values.inputPrice),
  outputPrice: microsOf(values.outputPrice),
})

/** The fields that the server would reject, each with the reason: empty, not a number or out of bounds, or not an id. */
export function faultsOf(values: ModelValues): [keyof ModelValues, 'required' | 'number' | 'id'][] {
  const faults: [keyof ModelValues, 'required' | 'number' | 'id'][] = []
  if (!/^[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}$/.test(values.id)) faults.push(['id', values.id === '' ? 'required' : 'id'])
  for (const name of ['name', 'group'] as const) if (values[name].trim() === '') faults.push([name, 'required'])
  for (const [name, [least, most]] of Object.entries(wholeNumbers) as [WholeNumber, readonly [number, number]][]) {
    const value = values[name].trim() === '' ? Number.NaN : Number(values[name])
    if (!Number.isInteger(value) || value < least || value > most) faults.push([name, 'number'])
  }
  const temperature = values.temperature.trim() === '' ? Number.NaN : Number(values.temperature)
  if (!(temperature >= 0 && temperature <= 2)) faults.push(['temperature', 'number'])
  for (const name of providerPrices) {
    const value = Number(values[name])
    if (!(value >= 0 && value <= mostDollars)) faults.push([name, 'number'])
  }
  return faults
}

/** A list with one entry moved by `by` places, as far as possible. */
export function moved<Entry>(list: readonly Entry[], at: number, by: number): Entry[] {
  const to = Math.min(Math.max(at + by, 0), list.length - 1)
  const rest = list.filter((_, index) => index !== at)
  return [...rest.slice(0, to), ...list.slice(at, at + 1), ...rest.slice(to)]
}
