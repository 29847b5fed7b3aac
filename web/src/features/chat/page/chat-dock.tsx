import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, Suspense, useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { useStore } from 'zustand'
import { guestInfoQuery } from '../../../shared/api/index.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { lazyPart } from '../../../shared/lazy/index.ts'
import { useSession } from '../../../shared/session/index.ts'
import { notify } from '../../../shared/ui/index.ts'
import type { ChatModels } from '../chat-models.ts'
import type { ChatPaths } from '../chat-paths.ts'
import { Composer, type ComposerHandle } from '../composer/composer.tsx'
import type { ComposerDrafts } from '../composer/composer-drafts.ts'
import { GuestBanner } from '../composer/guest-banner.tsx'
import type { Gate } from '../composer/send-blocker.ts'
import type { MemorySlot } from '../memory-slot.ts'
import type { ChatSession } from '../thread/session/chat-session.ts'
import type { ChatActions, SendOptions } from '../use-actions.ts'

const ContextMeter = lazyPart(async () => (await import('./context-meter.tsx')).ContextMeter)

interface Props {
  readonly composer: RefObject<ComposerHandle | null>
  readonly session: ChatSession
  readonly drafts: ComposerDrafts
  readonly actions: ChatActions
  readonly models: ChatModels
  /** Whether a model is available. */
  readonly gate: Gate
  readonly meter: (price: number | null) => ReactNode
  readonly noCredits: ReactNode
  readonly creditWarning: ReactNode
  readonly paths: ChatPaths
  readonly onMemory: MemorySlot['run']
  readonly onExport: (format: string) => void
  readonly onHelp: () => void
  readonly onEditLast: () => boolean
}

/** The fixed area below the thread: notices and the composer. */
export function ChatDock(props: Props) {
  const { composer, session, drafts, actions, models, gate, meter, noCredits, creditWarning, paths } = props
  const { t } = useText()
  const navigate = useNavigate()
  const guest = useSession((state) => state.token === null)
  const { data: allowance } = useQuery({ ...guestInfoQuery, enabled: guest })
  const chatId = useStore(session.store, (state) => state.chatId)
  const busy = useStore(session.store, (state) => state.live !== null)
  const stopping = useStore(session.store, (state) => state.live?.stopping ?? false)
  const started = useStore(session.store, (state) => state.messages.length > 0)
  const blocked = useStore(session.store, (state) => state.blocked?.code ?? null)
  useReturnedText(session, composer)
  useEffect(() => {
    // On touch devices the focus would open the keyboard and hide the thread.
    if (matchMedia('(pointer: fine)').matches && session.key) composer.current?.focus()
  }, [session.key, composer])
  const send = useGuardedSend(session, actions, composer)
  const open = started ? 'chat.composer.followUp' : 'chat.composer.placeholder'
  return (
    <div className="shrink-0 px-2.5 pb-[max(0.625rem,env(safe-area-inset-bottom))] md:px-6 md:pb-4 md:short:pb-2.5">
      <div className="mx-auto max-w-dock">
        {guest && allowance && (
          <GuestBanner
            guest={allowance}
            refused={blocked === 'guest_limit_reached'}
            signInHref={paths.signIn}
            registerHref={paths.register}
          />
        )}
        <div className="mb-2 empty:hidden">
          <Suspense>{blocked === 'insufficient_credits' ? noCredits : creditWarning}</Suspense>
        </div>
        <Composer
          ref={composer}
          chatId={chatId}
          drafts={drafts}
          guest={guest}
          placeholder={t(gate === 'closed' ? 'chat.composer.noModel' : open)}
          busy={busy}
          stopping={stopping}
          gate={gate}
          models={models}
          meter={(price) => (
            <span className="flex min-w-0 items-center gap-2.5">
              {started && models.model && (
                <Suspense>
                  <ContextMeter session={session} contextLength={models.model.contextLength} />
                </Suspense>
              )}
              {meter(price)}
            </span>
          )}
          onSend={send}
          onImage={actions.makeImage}
          onStop={actions.stop}
          onMemory={props.onMemory}
          onExport={props.onExport}
          onHelp={props.onHelp}
          onEditLast={props.onEditLast}
          onSignIn={() => void navigate(paths.signIn)}
        />
      </div>
      <p className="mt-2 hidden text-center text-2xs text-ink-3 md:not-short:block">{t('chat.composer.hint')}</p>
    </div>
  )
}

/** Sends a message, and asks first if the same text was sent a moment ago. */
function useGuardedSend({ key }: ChatSession, actions: ChatActions, composer: RefObject<ComposerHandle | null>) {
  const question = `duplicate:${key}`
  // It is not asked in another chat.
  useEffect(() => () => notify.dismiss(question), [question])
  const sendAnyway = (text: string, options: SendOptions, draft: string | undefined) => {
    if (actions.send(text, { ...options, force: true }) !== 'sent') return
    // What was written since stays.
    if (composer.current?.text() === draft) composer.current?.clear()
  }
  return (text: string, options: SendOptions) => {
    const result = actions.send(text, options)
    if (result === 'duplicate') {
      const draft = composer.current?.text()
      notify.info((now) => now('chat.composer.duplicate'), {
        id: question,
        action: { label: (now) => now('chat.composer.sendAnyway'), onClick: () => sendAnyway(text, options, draft) },
      })
    }
    return result
  }
}

/** Returns a message that could not be sent to the composer, and reports a missing file. */
function useReturnedText(session: ChatSession, composer: RefObject<ComposerHandle | null>): void {
  useEffect(() => {
    let { returned: taken } = session.store.getState()
    return session.store.subscribe(({ returned, blocked }) => {
      if (!returned || returned === taken) return
      taken = returned
      composer.current?.restore(returned)
      if (blocked?.code === 'not_found' && blocked.text.type === 'server') {
        // It names the file, in words that only the server has.
        const { text } = blocked.text
        notify.error(() => text, { id: 'lost-file', duration: 20_000 })
      }
    })
  }, [session, composer])
}
