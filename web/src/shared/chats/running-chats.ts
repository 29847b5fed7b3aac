import { create } from 'zustand'
import { useSession } from '../session/index.ts'

/** The source of the knowledge that an answer is running: the page that reads it, or the socket after the page has left it. */
type Witness = 'reader' | 'socket'

const none = { reader: new Set<string>(), socket: new Set<string>() }

/** Ids of the chats with a running answer, as far as this browser knows. */
const useRunningChats = create<Readonly<Record<Witness, ReadonlySet<string>>>>(() => none)

// Once their user has left, nothing reports the end of the answers.
useSession.subscribe(({ user }, { user: before }) => {
  if (user?._id !== before?._id) useRunningChats.setState(none)
})

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
