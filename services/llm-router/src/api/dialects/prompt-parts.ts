import type { PromptTool } from '@parley/contracts'
import type { PromptOptions } from '../../adapters/adapter.ts'

/** A tool of any dialect. */
interface AnyTool {
  readonly name: string
  readonly description?: string | null | undefined
  readonly parameters?: Readonly<Record<string, unknown>> | null | undefined
}

/** A tool as prompts have it; without parameters it takes none. */
export const toolOf = ({ name, description, parameters }: AnyTool): PromptTool => ({
  name,
  description: description ?? '',
  parameters: parameters ?? { type: 'object', properties: {} },
})

/** A schema of any dialect. */
interface AnySchema {
  readonly name?: string | null | undefined
  readonly schema?: Readonly<Record<string, unknown>> | null | undefined
  readonly strict?: boolean | null | undefined
}

/** The form that an answer is to have. */
export function jsonFormat(type: string | undefined, schema: AnySchema | null | undefined): PromptOptions['format'] {
  if (type === 'json_object') return 'json'
  if (type !== 'json_schema') return undefined
  return { name: schema?.name ?? 'answer', schema: schema?.schema ?? {}, strict: schema?.strict ?? false }
}
