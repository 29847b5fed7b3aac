import type { PromptTool } from '@parley/contracts'
import { type AppError, validationFailed } from '@parley/kit'
import type { PromptOptions } from '../../adapters/adapter.ts'

/** A tool in any dialect. */
interface AnyTool {
  readonly name: string
  readonly description?: string | null | undefined
  readonly parameters?: Readonly<Record<string, unknown>> | null | undefined
  readonly strict?: boolean | null | undefined
}

/** Converts a tool for a prompt; without a schema it takes no parameters. */
export const toolOf = ({ name, description, parameters, strict }: AnyTool): PromptTool => ({
  name,
  description: description ?? '',
  parameters: parameters ?? { type: 'object', properties: {} },
  ...(strict && { strict }),
})

/** A schema in any dialect. */
interface AnySchema {
  readonly name?: string | null | undefined
  readonly schema?: Readonly<Record<string, unknown>> | null | undefined
  readonly strict?: boolean | null | undefined
}

/** The requested format of the answer. */
export function jsonFormat(type: string | undefined, schema: AnySchema | null | undefined): PromptOptions['format'] {
  if (type === 'json_object') return 'json'
  if (type !== 'json_schema') return undefined
  return { name: schema?.name ?? 'answer', schema: schema?.schema ?? {}, strict: schema?.strict ?? false }
}

/** The refusal of a part that cannot be translated: without it, the model would answer another question. */
export const unreadablePart = (path: string, type: string): AppError =>
  validationFailed([{ path, message: `This model can’t read a part of the type “${type}” as it was sent` }])
