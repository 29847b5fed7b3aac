import { z } from 'zod'

const blockSchema = z.looseObject({
  type: z.string().optional(),
  text: z.string().optional(),
  content: z.unknown().optional(),
})
const contentSchema = z.union([z.string(), z.array(blockSchema)]).nullish()
const schemaSchema = z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() }).optional()
const requestSchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  modalities: z.array(z.string()).optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: contentSchema })),
  tools: z
    .array(
      z.looseObject({
        name: z.string().optional(),
        input_schema: schemaSchema,
        function: z.looseObject({ name: z.string(), parameters: schemaSchema }).optional(),
      }),
    )
    .optional(),
})

/** A tool that may be called. */
export interface OfferedTool {
  readonly name: string
  /** Names of its parameters. */
  readonly parameters: readonly string[]
}

/** What the demo takes of a request, the same for both wire formats. */
export interface DemoRequest {
  readonly model: string
  readonly stream: boolean
  /** An image is wanted with the text. */
  readonly wantsImage: boolean
  /** The last thing that the user wrote. */
  readonly question: string
  /** Kinds of what is attached to it. */
  readonly attached: readonly ('image' | 'file')[]
  /** What tools gave since then. */
  readonly results: readonly string[]
  readonly tools: readonly OfferedTool[]
  /** UTF-16 units of the whole prompt. */
  readonly length: number
}

/** Undefined for a body that is no request. */
export function readRequest(body: unknown): DemoRequest | undefined {
  const parsed = requestSchema.safeParse(body)
  if (!parsed.success) return undefined
  const { model, stream = false, modalities = [], messages, tools = [] } = parsed.data
  const all = messages.map(({ role, content }) => ({ role, blocks: blocksOf(content) }))
  const asked = all.findLastIndex(({ role, blocks }) => role === 'user' && !blocks.some(isResult))
  const question = all[asked]?.blocks ?? []
  return {
    model,
    stream,
    wantsImage: modalities.includes('image'),
    question: textOf(question),
    attached: question.flatMap(({ type }) => kinds[type ?? ''] ?? []),
    results: all.slice(asked + 1).flatMap(resultsOf),
    tools: tools.map((tool) => ({
      name: tool.function?.name ?? tool.name ?? '',
      parameters: Object.keys((tool.function?.parameters ?? tool.input_schema)?.properties ?? {}),
    })),
    length: all.reduce((sum, { blocks }) => sum + textOf(blocks).length, 0),
  }
}

type Block = z.infer<typeof blockSchema>
const kinds: Readonly<Record<string, 'image' | 'file'>> = {
  image_url: 'image',
  image: 'image',
  file: 'file',
  document: 'file',
}

const blocksOf = (content: z.infer<typeof contentSchema>): Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])

const textOf = (blocks: readonly Block[]): string => blocks.map(({ text }) => text ?? '').join(' ')

const isResult = ({ type }: Block): boolean => type === 'tool_result'

function resultsOf({ role, blocks }: { role: string; blocks: readonly Block[] }): string[] {
  if (role === 'tool') return [textOf(blocks)]
  return blocks.filter(isResult).map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
}
