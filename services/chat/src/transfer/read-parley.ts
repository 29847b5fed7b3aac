import { exportFormat } from './export-format.ts'
import { asId, asList, asObject, asText, asTime, isSide, type ReadSource, type SourceMessage } from './imported-chat.ts'

/** A file that this product exported. Files of messages are not in it, so these are named only. */
export const readParley: ReadSource = (file) => {
  if (file.format !== exportFormat.format || file.version !== exportFormat.version) return undefined
  const chat = asObject(file.chat)
  return {
    id: asId(chat.id) ?? '',
    title: asText(chat.title) ?? '',
    model: asText(chat.model),
    createdAt: asTime(chat.createdAt),
    updatedAt: asTime(chat.updatedAt),
    messages: asList(file.messages).flatMap(readMessage),
    leafId: asId(chat.shown) ?? null,
  }
}

function readMessage(value: unknown): SourceMessage[] {
  const { id, parentId, role, content, attachments, reasoning, model, createdAt } = asObject(value)
  const own = asId(id)
  if (own === undefined || !isSide(role)) return []
  const text = [...asList(attachments).map(nameOf), asText(content) ?? ''].filter((part) => part !== '').join('\n\n')
  const said = text === '' ? null : { role, content: text, reasoning: asText(reasoning), model: asText(model) }
  return [{ id: own, parentId: asId(parentId) ?? null, said, at: asTime(createdAt) }]
}

const nameOf = (attachment: unknown): string => `*[${asText(asObject(attachment).name) ?? 'file'}]*`
