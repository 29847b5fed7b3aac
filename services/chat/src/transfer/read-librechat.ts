import { asId, asList, asObject, asText, asTime, type ReadSource, type SourceMessage } from './imported-chat.ts'

/** A conversation that LibreChat exported, its messages as a list with parents or one inside the other. */
export const readLibreChat: ReadSource = (conversation) => {
  if (!('conversationId' in conversation) || !Array.isArray(conversation.messages)) return undefined
  const options = asObject(conversation.options)
  return {
    id: asId(conversation.conversationId) ?? '',
    title: asText(conversation.title) ?? '',
    model: asText(options.model) ?? asText(conversation.model),
    createdAt: asTime(conversation.createdAt),
    updatedAt: asTime(conversation.updatedAt) ?? asTime(conversation.exportAt),
    messages: flatten(conversation.messages),
    leafId: null,
  }
}

/** A message may hold those that answer it, to any depth. */
function flatten(messages: readonly unknown[]): SourceMessage[] {
  const flat: SourceMessage[] = []
  const open: { value: unknown; parentId: string | null }[] = messages
    .map((value) => ({ value, parentId: null }))
    .reverse()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const message = asObject(next.value)
    const id = asId(message.messageId)
    if (id === undefined) continue
    flat.push({ id, parentId: asId(message.parentMessageId) ?? next.parentId, ...read(message) })
    for (const value of asList(message.children).toReversed()) open.push({ value, parentId: id })
  }
  return flat
}

function read(message: Readonly<Record<string, unknown>>): Pick<SourceMessage, 'said' | 'at'> {
  const { isCreatedByUser, sender, model, error } = message
  const isUser = typeof isCreatedByUser === 'boolean' ? isCreatedByUser : asText(sender)?.toLowerCase() === 'user'
  const content = asText(message.text)?.trim() ? (asText(message.text) ?? '') : readParts(message.content)
  const said = { role: isUser ? 'user' : 'assistant', content, model: asText(model) } as const
  return { said: content.trim() === '' || error === true ? null : said, at: asTime(message.createdAt) }
}

const readParts = (parts: unknown): string =>
  asList(parts)
    .map((part) => {
      const { text } = asObject(part)
      return asText(text) ?? asText(asObject(text).value) ?? ''
    })
    .filter((text) => text !== '')
    .join('\n\n')
