import { asId, asList, asObject, asText, asTime, isSide, type ReadSource, type SourceMessage } from './imported-chat.ts'

/** A conversation of ChatGPT's `conversations.json`: a tree of nodes, of which those of tools and of the system are skipped. */
export const readChatGpt: ReadSource = (conversation) => {
  if (typeof conversation.mapping !== 'object' || conversation.mapping === null) return undefined
  return {
    id: asId(conversation.conversation_id) ?? asId(conversation.id) ?? '',
    title: asText(conversation.title) ?? '',
    model: asText(conversation.default_model_slug),
    createdAt: asTime(conversation.create_time),
    updatedAt: asTime(conversation.update_time),
    messages: Object.entries(conversation.mapping).flatMap(([id, node]) => readNode(id, asObject(node))),
    leafId: asId(conversation.current_node) ?? null,
  }
}

function readNode(id: string, { parent, message }: Readonly<Record<string, unknown>>): SourceMessage[] {
  if (asId(id) === undefined) return []
  const { author, content, metadata, create_time: time } = asObject(message)
  const { is_visually_hidden_from_conversation: hidden, model_slug: model } = asObject(metadata)
  const role = asObject(author).role
  const text = readContent(asObject(content))
  const isSaid = hidden !== true && text.trim() !== ''
  const said = isSaid && isSide(role) ? { role, content: text, model: asText(model) } : null
  return [{ id, parentId: asId(parent) ?? null, said, at: asTime(time) }]
}

/** Its texts; a picture or sound among them is only named, since its bytes are not in the file. Reasoning and code that was run are left out. */
function readContent({ content_type: type, parts }: Readonly<Record<string, unknown>>): string {
  if (type !== 'text' && type !== 'multimodal_text') return ''
  return asList(parts)
    .map(readPart)
    .filter((part) => part !== '')
    .join('\n\n')
}

function readPart(part: unknown): string {
  if (typeof part === 'string') return part
  const { content_type: type, text } = asObject(part)
  if (typeof text === 'string') return text
  if (typeof type !== 'string') return ''
  return type.startsWith('image') ? '*[image]*' : type.startsWith('audio') ? '*[audio]*' : ''
}
