import { maxMessageLength } from '@parley/contracts/constants'
import { ArrowUp, Square } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { type MessageId, useText } from '../../../shared/i18n/index.ts'
import { classNames } from '../../../shared/ui/index.ts'
import { loadMarkdown } from '../message/answer-text.tsx'
import type { SendResult } from '../thread/chat-session.ts'
import { type DraftStore, newChatDraft } from './draft-store.ts'
import { useAutosize } from './use-autosize.ts'

/** What the page can do to the composer. */
export interface ComposerHandle {
  focus(): void
  /** Puts a text in, in front of what is there. */
  insert(text: string): void
  clear(): void
}

/** Whether a message can be sent: yes, as soon as the models are known, or not at all. */
export type Gate = 'open' | 'waiting' | 'closed'

interface Props {
  readonly ref: Ref<ComposerHandle>
  readonly chatId: string | null
  readonly drafts: DraftStore
  readonly placeholder: string
  /** An answer is running: nothing can be sent, but it can be stopped. */
  readonly busy: boolean
  readonly stopping: boolean
  /** `waiting` sends what is asked for once it is `open`; `closed` means that no model can answer. */
  readonly gate: Gate
  readonly meter: ReactNode
  readonly onSend: (text: string) => SendResult
  readonly onStop: () => void
}

/** The field to write in. Its text is its own state, so that typing draws nothing but the composer. */
export function Composer({ ref, chatId, drafts, placeholder, busy, stopping, gate, meter, onSend, onStop }: Props) {
  const { t } = useText()
  const field = useRef<HTMLTextAreaElement>(null)
  const draftKey = chatId ?? newChatDraft
  const [text, change] = useDraft(drafts, draftKey)
  const excess = text.length - maxMessageLength
  const ready = text.trim() !== '' && excess <= 0 && gate !== 'closed'
  const [queued, setQueued] = useState(false)
  useAutosize(field, text)
  useImperativeHandle(
    ref,
    () => ({
      focus: () => field.current?.focus(),
      insert: (added) => {
        change((now) => (now.trim() === '' ? added : `${added}\n\n${now}`))
        field.current?.focus()
      },
      clear: () => change(() => ''),
    }),
    [change],
  )
  const send = () => {
    if (!ready || busy) return
    setQueued(gate === 'waiting')
    if (gate === 'open' && onSend(text) === 'sent') change(() => '')
    field.current?.focus()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the opening of the gate is what sends a message that waits
  useEffect(() => {
    if (queued && gate !== 'waiting') send()
  }, [gate])
  const onKeyDown = (event: KeyboardEvent) => {
    // Key code 229 is Safari's sign of the Enter that ends a composition.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || event.keyCode === 229) return
    event.preventDefault()
    send()
  }
  const note = noteOf({ text, excess, busy, gate, queued })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      className="mx-auto max-w-dock rounded-dock border border-line-strong bg-overlay shadow-float focus-within:border-field-line"
    >
      <textarea
        ref={field}
        value={text}
        onChange={(event) => {
          setQueued(false)
          // It is wanted for the answer and kept out of what has to be there before a person can write.
          void loadMarkdown()
          change(() => event.target.value)
        }}
        onKeyDown={onKeyDown}
        rows={1}
        dir="auto"
        enterKeyHint="send"
        aria-label={t('chat.composer.label')}
        aria-describedby="composer-note"
        placeholder={placeholder}
        className="block max-h-[min(15rem,40dvh)] min-h-12 w-full resize-none overflow-y-auto bg-transparent px-4 pt-3.5 pb-1 text-base leading-6 outline-none placeholder:text-ink-3 pointer-coarse:text-[1rem]"
      />
      <div className="flex items-center gap-2 ps-4 pe-2 pt-1.5 pb-2">
        <p
          id="composer-note"
          role="status"
          className={classNames('min-w-0 flex-1 text-2xs', excess > 0 ? 'text-danger' : 'text-ink-3')}
        >
          {note && t(note, { count: excess })}
        </p>
        <div className={classNames('flex min-w-0', note !== null && 'max-sm:hidden')}>{meter}</div>
        <SendButton busy={busy} stopping={stopping} ready={ready} onStop={onStop} />
      </div>
    </form>
  )
}

/** Why what was written is not on its way; null when nothing hinders it. */
function noteOf(now: { text: string; excess: number; busy: boolean; gate: Gate; queued: boolean }): MessageId | null {
  if (now.excess > 0) return 'chat.composer.tooLong'
  if (now.text.trim() === '') return null
  if (now.busy) return 'chat.composer.busy'
  if (now.gate === 'closed') return 'chat.composer.noModel'
  return now.queued ? 'chat.composer.queued' : null
}

/** The one button: sends, or stops while an answer runs. It stays the same element, so that it keeps the focus. */
function SendButton(props: { busy: boolean; stopping: boolean; ready: boolean; onStop: () => void }) {
  const { t } = useText()
  const { busy, stopping, ready, onStop } = props
  const label = busy ? t(stopping ? 'chat.composer.stopping' : 'chat.composer.stop') : t('chat.composer.send')
  const Icon = busy ? Square : ArrowUp
  return (
    <button
      type={busy ? 'button' : 'submit'}
      aria-label={label}
      title={label}
      aria-disabled={busy ? stopping : !ready}
      // The field keeps the focus, and a phone its keyboard.
      onPointerDown={(event) => event.preventDefault()}
      onClick={busy ? onStop : undefined}
      className="target ms-1 grid size-9 shrink-0 place-items-center rounded-[11px] bg-brand text-on-brand transition-[filter,opacity] hover:brightness-105 aria-disabled:cursor-default aria-disabled:opacity-40"
    >
      <Icon aria-hidden="true" className={busy ? 'size-3.5 fill-current' : 'size-4.5'} strokeWidth={2} />
    </button>
  )
}

type ChangeText = (next: (now: string) => string) => void

/** The draft of a chat as state; every change is kept at once, so that no reload can lose it. */
function useDraft(drafts: DraftStore, key: string): [string, ChangeText] {
  const [state, setState] = useState(() => ({ key, text: drafts.read(key) }))
  // Another chat has another draft. A first message that got its chat an id meanwhile takes what was typed since along.
  const text = state.key === key ? state.text : drafts.read(key)
  useEffect(() => {
    if (state.key !== key) setState({ key, text: drafts.read(key) })
  }, [state.key, key, drafts])
  const latest = useRef({ key, text })
  latest.current = { key, text }
  const [change] = useState(() => (next: (now: string) => string) => {
    const now = latest.current
    const changed = next(now.text)
    latest.current = { key: now.key, text: changed }
    drafts.write(now.key, changed)
    setState(latest.current)
  })
  return [text, change]
}
