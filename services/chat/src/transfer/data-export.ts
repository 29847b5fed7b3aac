import { type ExportFile, jsonLines } from '@parley/kit'
import type { Chat } from '../store/entities.ts'
import type { FileMeta } from '../store/file-store.ts'
import type { ChatStores } from '../store/index.ts'
import { exportJson } from './export-json.ts'
import { exportMarkdown } from './export-markdown.ts'
import { nameInZip } from './file-name.ts'

type Stores = Pick<ChatStores, 'chats' | 'messages' | 'files' | 'watchlists'>

/** Files whose particulars are read at once. */
const filesAtOnce = 100

/** A user's watchlist, chats and files, for an export. */
export async function* exportedFiles(stores: Stores, ownerId: string): AsyncGenerator<ExportFile> {
  yield { path: 'watchlist.json', content: jsonLines(await stores.watchlists.read(ownerId)) }
  yield* chatsOf(stores, ownerId)
  const described: object[] = []
  for await (const file of metasOf(stores, ownerId)) {
    const path = `files/${file.id}-${nameInZip(file.name)}`
    const bytes = await stores.files.bytes(file.id, ownerId, 'full')
    if (bytes === undefined) continue
    yield { path, content: [bytes] }
    described.push(describe(file, path))
  }
  yield { path: 'files/files.json', content: jsonLines(described) }
}

/** The oldest first. Only their ids are read up front: of 10,000 chats one is in memory. */
async function* chatsOf({ chats, messages }: Stores, ownerId: string): AsyncGenerator<ExportFile> {
  const ids = (await chats.titles(ownerId)).map(({ id }) => id).reverse()
  const digits = String(ids.length).length
  for (const [index, id] of ids.entries()) {
    const chat: Chat | undefined = await chats.find(id, ownerId)
    if (chat === undefined) continue
    const path = `chats/${String(index + 1).padStart(digits, '0')}-${nameInZip(chat.title)}`
    yield { path: `${path}.json`, content: exportJson(messages, chat) }
    yield { path: `${path}.md`, content: exportMarkdown(messages, chat) }
  }
}

async function* metasOf({ files }: Stores, ownerId: string): AsyncGenerator<FileMeta> {
  let after = ''
  for (;;) {
    const some = await files.ofOwner(ownerId, after, filesAtOnce)
    yield* some
    const last = some.at(-1)
    if (last === undefined || some.length < filesAtOnce) return
    after = last.sha256
  }
}

const describe = ({ id, name, mimeType, size, width, height, pages, made, createdAt }: FileMeta, path: string) => ({
  ...{ id, path, name, mimeType, size, width, height, pages, made, createdAt },
})
