import type { SharedChat } from '@parley/contracts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { earlyAnswer, readSharedPage, takeEarlyPage } from './early-page.ts'
import { type Failure, failureOf } from './failure.ts'

/** What is known of the chat behind a link. */
type SharedState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly failure: Failure }
  | { readonly kind: 'shown'; readonly chat: SharedChat; readonly hasMore: boolean }

const headersOf = (password: string | undefined): Record<string, string> =>
  password === undefined ? {} : { 'x-share-password': encodeURIComponent(password) }

interface Reading {
  /** The page that is read next. */
  next: number
  pages: number
  /** When the snapshot was made that the pages are of. */
  sharedAt: string
  /** A page that is on its way. */
  reading: Promise<number> | null
  readonly password: string | undefined
}

/** Reads the chat behind a link, page by page, so that a long one is there as soon as a short one. */
export function useSharedChat(id: string) {
  const [atFirst] = useState(() => stateAtFirst(id))
  const [state, setState] = useState(atFirst)
  /** Waits for the answer to a password or to another page. */
  const [busy, setBusy] = useState(false)
  /** The next page could not be read: it is not asked for again by itself. */
  const [stalled, setStalled] = useState(false)
  /** The header with the password that was entered; empty without one. */
  const [headers, setHeaders] = useState<Readonly<Record<string, string>>>({})
  const read = useRef<Reading>({ ...placeIn(atFirst), reading: null, password: undefined })
  const readPage = useCallback((page: number) => readSharedPage(id, page, headersOf(read.current.password)), [id])
  /** Asks anew, with this password. */
  const open = useCallback(
    async (password?: string) => {
      read.current = { ...placeIn(null), reading: read.current.reading, password }
      setHeaders(headersOf(password))
      setBusy(true)
      try {
        const chat = await (takeEarlyPage(id) ?? readPage(0))
        const shown = shownFirst(chat)
        Object.assign(read.current, placeIn(shown))
        setState(shown)
      } catch (error) {
        setState({ kind: 'failed', failure: failureOf(error, password !== undefined) })
      }
      setBusy(false)
    },
    [id, readPage],
  )
  const readNext = useCallback(async () => {
    const { current } = read
    if (current.next >= current.pages) return
    setBusy(true)
    try {
      const more = await readPage(current.next)
      setStalled(false)
      if (more.sharedAt !== current.sharedAt) return await open(current.password)
      current.next += 1
      setState((known) => append(known, more, current.next < current.pages))
    } catch (error) {
      setStalled(true)
      // It may have been renewed meanwhile, with fewer pages or another password, or revoked.
      const failure = failureOf(error, false)
      if (failure.kind === 'password' || !failure.canRetry) await open(current.password)
    } finally {
      setBusy(false)
    }
  }, [open, readPage])
  /** Reads the next page; the chat stays as it is where that fails. Resolves to the number of pages that are left. */
  const readMore = useCallback(() => {
    const { current } = read
    // Who asks while a page is on its way waits for that one.
    current.reading ??= readNext().then(() => {
      // Not `current`, if the chat was read anew.
      read.current.reading = null
      return read.current.pages - read.current.next
    })
    return current.reading
  }, [readNext])
  useEffect(() => {
    if (atFirst.kind === 'loading') void open()
    else takeEarlyPage(id)
  }, [atFirst, id, open])
  return { state, busy, stalled, headers, open, readMore }
}

export type Shared = ReturnType<typeof useSharedChat>

/** What is known before anything is drawn. */
function stateAtFirst(id: string): SharedState {
  const answer = earlyAnswer(id)
  if (answer === null) return { kind: 'loading' }
  if ('error' in answer) return { kind: 'failed', failure: failureOf(answer.error, false) }
  return shownFirst(answer.chat)
}

const pagesOf = ({ pages = 1 }: SharedChat): number => pages

const shownFirst = (chat: SharedChat): SharedState => ({ kind: 'shown', chat, hasMore: pagesOf(chat) > 1 })

const placeIn = (state: SharedState | null): Pick<Reading, 'next' | 'pages' | 'sharedAt'> =>
  state?.kind === 'shown'
    ? { next: 1, pages: pagesOf(state.chat), sharedAt: state.chat.sharedAt }
    : { next: 0, pages: 1, sharedAt: '' }

function append(known: SharedState, more: SharedChat, hasMore: boolean): SharedState {
  if (known.kind !== 'shown') return known
  const messages = [...known.chat.messages, ...more.messages]
  return { kind: 'shown', chat: { ...known.chat, messages }, hasMore }
}
