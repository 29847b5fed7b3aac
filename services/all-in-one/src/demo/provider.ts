import {
  type ProviderCall,
  type ProviderScript,
  type ScriptedProvider,
  type ScriptedProviderOptions,
  startScriptedProvider,
} from '@parley/fake-provider'
import { countTokens, demoAnswer } from './answer.ts'
import { demoPicture, notice } from './picture.ts'
import { readRequest } from './request.ts'
import { callsFor } from './tool-use.ts'

export { demoVariables } from './variables.ts'

/** Milliseconds between two chunks by default: reading speed. */
export const pieceMs = 12

interface DemoOptions extends Omit<ScriptedProviderOptions, 'answer'> {
  readonly pieceMs?: number
}

/** Starts a provider that answers without a model, by default on a free loopback port. */
export const startDemoProvider = ({
  pieceMs: delayMs = pieceMs,
  ...address
}: DemoOptions = {}): Promise<ScriptedProvider> =>
  startScriptedProvider({ ...address, answer: (call) => demoScript(call, delayMs) })

function demoScript({ wire, body, prompt }: ProviderCall, delayMs: number): ProviderScript {
  if (wire === 'images') {
    return typeof body.prompt === 'string' ? { image: draw(body.prompt) } : refusal('a prompt is needed')
  }
  if (wire === 'embeddings') {
    return body.input === undefined ? refusal('an input is needed') : {}
  }
  if (typeof body.model !== 'string' || !Array.isArray(body.messages)) return refusal('model and messages are needed')
  const asked = readRequest(prompt)
  const wantsImage = Array.isArray(body.modalities) && body.modalities.includes('image')
  const toolCalls = callsFor(asked)
  const text = toolCalls.length > 0 ? '' : wantsImage ? notice : demoAnswer(asked)
  return {
    text,
    delayMs,
    usage: {
      inputTokens: countTokens(asked.length),
      outputTokens: countTokens(text.length + JSON.stringify(toolCalls).length),
    },
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(wantsImage && { image: draw(asked.question) }),
  }
}

const draw = (description: string) => ({
  base64: demoPicture(description).toString('base64'),
  revisedPrompt: notice,
})

const refusal = (message: string): ProviderScript => ({
  status: 400,
  body: JSON.stringify({ error: { type: 'invalid_request_error', message } }),
})
