import { notFound } from '@parley/kit'
import type { ChatStores } from './index.ts'

/**
 * Stores in which nothing can begin to exist for an owner who was erased, even by work already under way. The check follows each such act: an
 * erasure that began later finds what was written, and of one that began earlier it is known by then. Refused acts throw AppError not_found.
 */
export function withoutErased(stores: ChatStores): ChatStores {
  const { chats, messages, generations, sends, files, watchlists, erasures } = stores
  const unlessErased = async <Result>(ownerId: string, act: Promise<Result>): Promise<Result> => {
    const result = await act
    if (!(await erasures.isErased(ownerId))) return result
    await erasures.erase(ownerId)
    throw notFound()
  }
  return {
    ...stores,
    chats: {
      ...chats,
      add: (chat, ...rest) => unlessErased(chat.ownerId, chats.add(chat, ...rest)),
    },
    messages: {
      ...messages,
      append: (chatId, ownerId, ...rest) => unlessErased(ownerId, messages.append(chatId, ownerId, ...rest)),
    },
    generations: {
      ...generations,
      begin: (generation, ...rest) => unlessErased(generation.ownerId, generations.begin(generation, ...rest)),
    },
    sends: { ...sends, claim: (send) => unlessErased(send.ownerId, sends.claim(send)) },
    files: { ...files, add: (file, event) => unlessErased(file.ownerId, files.add(file, event)) },
    watchlists: {
      ...watchlists,
      replace: (ownerId, symbols) => unlessErased(ownerId, watchlists.replace(ownerId, symbols)),
    },
  }
}
