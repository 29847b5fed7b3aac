import { type MongoDatabase, type MongoOutbox, openMongoOutbox } from '@parley/db/mongo'
import type { ChatModels } from './models.ts'

/** The events of answers and of images, in messages and in files, as one outbox: the right to relay is that of the first. */
export function openChatOutbox(
  database: Pick<MongoDatabase, 'collection' | 'time'>,
  { messages, files }: Pick<ChatModels, 'messages' | 'files'>,
): MongoOutbox {
  const ofMessages = openMongoOutbox(database, messages.collection.name)
  const ofFiles = openMongoOutbox(database, files.collection.name)
  return {
    ...ofMessages,
    async pending(limit) {
      const [answers, images] = await Promise.all([ofMessages.pending(limit), ofFiles.pending(limit)])
      const oldestFirst = [...answers, ...images].sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
      return oldestFirst.slice(0, limit)
    },
    async published(ids) {
      await Promise.all([ofMessages.published(ids), ofFiles.published(ids)])
    },
  }
}
