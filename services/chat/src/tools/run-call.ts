import type { PromptToolCall, StreamEvent } from '@parley/contracts'
import { unlessAborted } from '@parley/kit'
import type { Common } from '../common.ts'
import { sanitizedJson, sanitizedText, shortened } from '../text/sanitize.ts'
import { isToolFailure, maxMaterialLength, maxResultLength, type Tool, ToolFailure, type ToolOutcome } from './tool.ts'

export interface CallDeps extends Pick<Common, 'newId' | 'log'> {
  /** Milliseconds for one call. */
  readonly toolMs: number
  /** Adds an event to the answer's stream. */
  readonly emit: (event: StreamEvent) => void
  /** Aborts when the answer ends. */
  readonly signal: AbortSignal
}

/** A call as it went: as a model may be shown it, under its id in the stream, and its result for the model. */
export interface CallReport extends PromptToolCall {
  readonly material: string
}

type Parameters = Readonly<Record<string, unknown>>

/** Longest arguments that are looked at, in UTF-16 units. */
const maxArgumentsLength = 16 * 1024

/** Runs a call as a model made it. Resolves also when it failed: the failure goes to the stream and the model. */
export async function runModelCall(
  deps: CallDeps,
  tools: readonly Tool[],
  call: Omit<PromptToolCall, 'id'>,
): Promise<CallReport> {
  const tool = tools.find(({ spec }) => spec.name === call.name)
  const raw = { arguments: shortened(sanitizedText(call.arguments), 500) }
  const named = { toolName: shortened(sanitizedText(call.name), 64), toolCallId: deps.newId() }
  if (tool === undefined) return fail(deps, { ...named, parameters: raw }, 'There is no such tool.')
  try {
    const parameters = tool.parse(readArguments(call.arguments))
    return await runCall(deps, tool, parameters)
  } catch (error) {
    if (!isToolFailure(error)) throw error
    return fail(deps, { ...named, parameters: raw }, error.message)
  }
}

/** Runs a call whose parameters are the server's own. Resolves also when it failed. */
export async function runCall(deps: CallDeps, tool: Tool, given: Parameters): Promise<CallReport> {
  const toolCallId = deps.newId()
  const toolName = tool.spec.name
  const parameters = sanitizedJson(given) as Record<string, unknown>
  deps.emit({ tool_call_start: { toolName, toolCallId, parameters } })
  try {
    const { result, resultNormalized, material } = await runInTime(deps, tool, parameters)
    const bounded = { result: boundedResult(result), resultNormalized: shortened(sanitizedText(resultNormalized), 500) }
    deps.emit({ tool_call_result: { toolName, toolCallId, ...bounded } })
    return { ...reportOf(toolName, toolCallId, parameters), material: boundedMaterial(material) }
  } catch (error) {
    return {
      ...fail(deps, { toolName, toolCallId }, failureText(deps, error, toolName)),
      arguments: JSON.stringify(parameters),
    }
  }
}

function readArguments(text: string): unknown {
  if (text.length > maxArgumentsLength) throw new ToolFailure('The arguments are too long.')
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw new ToolFailure('The arguments could not be read.')
  }
}

/** A tool that does not end by itself is abandoned: the answer continues without it. */
async function runInTime({ toolMs, signal, emit }: CallDeps, tool: Tool, parameters: Parameters): Promise<ToolOutcome> {
  const late = AbortSignal.timeout(toolMs)
  const end = AbortSignal.any([signal, late])
  // Events of a tool that was given up would come after its end.
  const emitNow: CallDeps['emit'] = (event) => {
    if (!end.aborted) emit(event)
  }
  try {
    return await unlessAborted(end, () => tool.run(parameters, { signal: end, emit: emitNow }))
  } catch (error) {
    if (!end.aborted) throw error
    throw new ToolFailure(late.aborted ? 'The tool took too long.' : 'Stopped.')
  }
}

function failureText({ log, signal }: CallDeps, error: unknown, toolName: string): string {
  if (isToolFailure(error)) return error.message
  if (!signal.aborted) log.warn({ err: error, toolName }, 'a tool failed')
  return 'The tool failed.'
}

type Named = { readonly toolName: string; readonly toolCallId: string; readonly parameters?: Record<string, unknown> }

function fail({ emit }: CallDeps, { toolName, toolCallId, parameters }: Named, error: string): CallReport {
  if (parameters !== undefined) emit({ tool_call_start: { toolName, toolCallId, parameters } })
  emit({ tool_call_error: { toolName, toolCallId, error } })
  return { ...reportOf(toolName, toolCallId, {}), material: `The call of ${toolName} failed: ${error}` }
}

/** A name that a model invented may be one that providers refuse. */
const reportOf = (toolName: string, id: string, parameters: Parameters) => ({
  id,
  name: toolName.replace(/[^a-zA-Z0-9_-]/g, '_') || 'unknown',
  arguments: JSON.stringify(parameters),
})

function boundedResult(result: unknown): unknown {
  const json = JSON.stringify(sanitizedJson(result)) ?? 'null'
  if (json.length <= maxResultLength) return JSON.parse(json)
  return { note: 'Cut, as it was too long.', text: json.slice(0, maxResultLength - 200).toWellFormed() }
}

const boundedMaterial = (material: string): string =>
  material.length <= maxMaterialLength
    ? material
    : `${material.slice(0, maxMaterialLength).toWellFormed()}\n[The rest was cut.]`
