import type { Attachment } from '@parley/contracts'
import { pathTo } from '../history/tree.ts'
import type { Chat, ThreadMessage } from '../store/entities.ts'
import type { MessageStore } from '../store/message-store.ts'
import { inPortions, portionsOf } from './portions.ts'

/** The shown version of a chat as the pieces of a Markdown file, with author and time of each message; reasoning is left out. */
export async function* exportMarkdown(messages: MessageStore, chat: Chat): AsyncGenerator<string> {
  yield `# ${oneLine(chat.title)}\n\n${readable(chat.createdAt)} – ${readable(chat.updatedAt)}\n`
  for await (const portion of inPortions(messages, chat.id, await shownOf(messages, chat))) {
    for (const message of portion) yield section(message)
  }
}

/** Apart, so that the outline is not kept for as long as the reader takes. */
const shownOf = async (messages: MessageStore, { id, leafId }: Chat) =>
  portionsOf(pathTo(await messages.outline(id), leafId))

function section(message: ThreadMessage): string {
  const { role, content, model, createdAt, attachments, ending } = message
  const who = role === 'user' ? 'You' : `Assistant (${model ?? 'unknown model'})`
  const failure = ending?.failure ? `> ${oneLine(ending.failure.error)}` : ''
  const parts = [`## ${who} · ${readable(createdAt)}`, ...attachments.map(named), content, failure]
  return `\n${parts.filter((part) => part !== '').join('\n\n')}\n`
}

const named = ({ name, mimeType, size }: Attachment): string =>
  `*Attached: ${oneLine(name)} (${mimeType}, ${Math.ceil(size / 1024)} KB)*`

/** Text on a line of its own must not end that line, nor begin markup. */
const oneLine = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_<>[\]#]/g, '\\$&')
    .trim()

const readable = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
