import { CircleAlert, Clock, Pencil, RotateCw } from 'lucide-react'
import { memo } from 'react'
import { useStore } from 'zustand'
import { CopyButton } from '../../../shared/copy-button.tsx'
import { copyText } from '../../../shared/copy-text.ts'
import { useText } from '../../../shared/i18n/index.ts'
import { Attachments } from '../../../shared/message/attachments.tsx'
import { UserText } from '../../../shared/message/user-text.tsx'
import { Button, Chip, IconButton } from '../../../shared/ui/index.ts'
import { modeInfos } from '../composer/modes/mode-info.ts'
import type { ThreadMessage } from '../thread/state/thread-message.ts'
import type { AnswerProps } from './answer-props.ts'
import { EditMessage } from './edit-message.tsx'
import { RememberButton } from './remember-button.tsx'
import { Versions } from './versions.tsx'
import { WhileIdle } from './while-idle.tsx'

type Props = Pick<AnswerProps, 'session' | 'message' | 'guest'>

/** A user's message, with its state until it is sent. */
export const UserMessage = memo(function UserMessage(props: Props) {
  const { t } = useText()
  const { session, message } = props
  const editing = useStore(session.store, (state) => (state.editing?.key === message.key ? state.editing : null))
  const stopEditing = () => session.store.setState({ editing: null })
  return (
    <article aria-label={t('chat.thread.you')} className="group/question flex flex-col items-end">
      <h2 className="sr-only">{t('chat.thread.you')}</h2>
      <Attachments attachments={message.attachments} />
      {editing ? (
        <EditMessage
          before={message.content}
          text={editing.text}
          onChange={(text) => session.store.setState({ editing: { key: message.key, text } })}
          onCancel={stopEditing}
          onSave={() => {
            stopEditing()
            // While an answer of another device runs nothing is sent, and the text stays.
            if (session.edit(message.key, editing.text) !== 'sent') session.store.setState({ editing })
          }}
        />
      ) : (
        <UserText text={message.content} />
      )}
      <Modes message={message} />
      <State {...props} />
      {!editing && <Actions {...props} />}
    </article>
  )
})

function Modes({ message: { modes } }: { message: ThreadMessage }) {
  const { t } = useText()
  if (modes.length === 0) return null
  return (
    <ul aria-label={t('thread.modes.label')} className="mt-1.5 flex flex-wrap justify-end gap-1.5">
      {modeInfos
        .filter(({ mode }) => modes.includes(mode))
        .map(({ mode, icon: Icon, name }) => (
          <li key={mode}>
            <Chip className="h-5.5 text-2xs">
              <Icon className="size-3.5" />
              {t(name)}
            </Chip>
          </li>
        ))}
    </ul>
  )
}

function State({ session, message }: Props) {
  const { t } = useText()
  const offline = useStore(session.store, (state) => state.live?.connection === 'offline')
  if (message.state === 'saving' && offline) {
    return (
      <p className="mt-1.5 flex items-center gap-1.5 text-sm text-ink-2">
        <Clock className="size-4 text-warn" />
        {t('thread.offline.waits')}
        <Button size="small" look="quiet" onClick={session.stop}>
          {t('thread.offline.takeBack')}
        </Button>
      </p>
    )
  }
  if (message.state === 'saving') return <p className="sr-only">{t('chat.message.saving')}</p>
  if (message.state !== 'failed') return null
  return (
    <p className="mt-1.5 flex items-center gap-1.5 text-sm text-danger">
      <CircleAlert className="size-4" />
      {t('chat.message.failed')}
      <Button size="small" look="quiet" onClick={() => session.resend(message.key)}>
        <RotateCw className="size-3.5" />
        {t('chat.message.resend')}
      </Button>
    </p>
  )
}

const shownOnUse =
  'flex items-center opacity-0 transition-opacity group-focus-within/question:opacity-100 group-hover/question:opacity-100 pointer-coarse:opacity-100'

function Actions({ session, message, guest }: Props) {
  const { t } = useText()
  const settled = message.state === 'sent' && message.id !== null
  return (
    <div className="-me-2 mt-1 flex h-8 items-center gap-0.5 text-ink-3">
      <div className={shownOnUse}>
        <CopyButton
          copy={() => copyText(message.content)}
          label={t('thread.copyQuestion')}
          className="size-8 text-ink-3"
        />
        {settled && !guest && <RememberButton session={session} message={message} />}
        {settled && !guest && (
          <WhileIdle session={session}>
            <IconButton
              label={t('thread.edit.label')}
              onClick={() => session.store.setState({ editing: { key: message.key, text: message.content } })}
              className="size-8 text-ink-3"
            >
              <Pencil className="size-4" />
            </IconButton>
          </WhileIdle>
        )}
      </div>
      <Versions session={session} message={message} />
    </div>
  )
}
