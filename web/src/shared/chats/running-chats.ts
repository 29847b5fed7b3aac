import { create } from 'zustand'

/** Who knows of an answer that is being made: the page that reads it, or the socket after the page left it. */
type Witness = 'reader' | 'socket'

/** The ids of the chats in which an answer is being made, as far as this browser knows. */
const useRunningChats = create<Readonly<Record<Witness, ReadonlySet<string>>>>(() => ({
  reader: new Set(),
  socket: new Set(),
}))

/** Whether an answer is being made in a chat. */
export const useIsRunning = (chatId: string): boolean =>
  useRunningChats(({ reader, socket }) => reader.has(chatId) || socket.has(chatId))

/** Notes that an answer is being made in a chat, or no longer. */
export function setRunning(chatId: string, by: Witness, running: boolean): void {
  const ids = useRunningChats.getState()[by]
  if (ids.has(chatId) === running) return
  const next = new Set(ids)
  if (running) next.add(chatId)
  else next.delete(chatId)
  useRunningChats.setState({ [by]: next })
}
