import { create } from 'zustand'

/** The source of the knowledge that an answer is running: the page that reads it, or the socket after the page has left it. */
type Witness = 'reader' | 'socket'

/** Ids of the chats with a running answer, as far as this browser knows. */
const useRunningChats = create<Readonly<Record<Witness, ReadonlySet<string>>>>(() => ({
  reader: new Set(),
  socket: new Set(),
}))

/** Whether an answer is running in a chat. */
export const useIsRunning = (chatId: string): boolean =>
  useRunningChats(({ reader, socket }) => reader.has(chatId) || socket.has(chatId))

/** Records whether an answer is running in a chat. */
export function setRunning(chatId: string, by: Witness, running: boolean): void {
  const ids = useRunningChats.getState()[by]
  if (ids.has(chatId) === running) return
  const next = new Set(ids)
  if (running) next.add(chatId)
  else next.delete(chatId)
  useRunningChats.setState({ [by]: next })
}
