import type { ChatSummary } from '@parley/contracts'
import {
  Archive,
  ArchiveRestore,
  Download,
  FileBraces,
  Pencil,
  Pin,
  PinOff,
  Printer,
  Share2,
  Trash2,
} from 'lucide-react'
import { useIsRunning } from '../../shared/chats/index.ts'
import { closeDrawer } from '../../shared/frame/index.ts'
import { useText } from '../../shared/i18n/index.ts'
import { classNames, Link, MenuItem, MenuSeparator, OptionsMenu } from '../../shared/ui/index.ts'
import { RenameField } from './rename-field.tsx'
import type { HistoryActions } from './use-history-actions.ts'

interface Props {
  readonly chat: ChatSummary
  readonly current: boolean
  /** Its title is being edited. */
  readonly renaming: boolean
  readonly onRenaming: (renaming: boolean) => void
  readonly actions: HistoryActions
  readonly focusRow: (id: string) => void
}

/** One chat of the list, with its menu. */
export function ChatRow({ chat, current, renaming, onRenaming, actions, focusRow }: Props) {
  const { t } = useText()
  const running = useIsRunning(chat._id)
  return (
    <div
      className={classNames(
        'group flex h-8.5 items-center rounded-row pointer-coarse:h-11',
        current && !renaming ? 'bg-active text-ink' : 'text-ink-2 hover:bg-hover',
      )}
    >
      {renaming ? (
        <RenameField
          title={chat.title}
          onDone={(title, hasMoved) => {
            onRenaming(false)
            if (title !== null) actions.rename(chat, title)
            if (!hasMoved) focusRow(chat._id)
          }}
        />
      ) : (
        <>
          <Link
            to={`/c/${chat._id}`}
            data-row={chat._id}
            aria-current={current ? 'page' : undefined}
            onClick={closeDrawer}
            onDoubleClick={() => onRenaming(true)}
            className="flex h-full min-w-0 flex-1 items-center gap-2 rounded-row px-2.5 group-hover:pe-1 group-focus-within:pe-1 max-md:pe-1"
          >
            {chat.pinned && <Pin className="size-3.75 shrink-0" />}
            <span dir="auto" className="truncate">
              {chat.title}
            </span>
            {running && (
              <span
                role="img"
                aria-label={t('history.running')}
                className="ms-auto size-2 shrink-0 rounded-full bg-brand"
              />
            )}
          </Link>
          <RowMenu chat={chat} actions={actions} onRename={() => onRenaming(true)} />
        </>
      )}
    </div>
  )
}

function RowMenu({ chat, actions, onRename }: { chat: ChatSummary; actions: HistoryActions; onRename: () => void }) {
  const { t } = useText()
  return (
    <OptionsMenu
      label={t('history.options', { title: chat.title })}
      size="small"
      className={classNames(
        'me-1 transition-opacity focus-visible:opacity-100 aria-expanded:opacity-100',
        // Takes no space until it is shown, so that titles are truncated as late as possible. Never static, because its hit area is positioned by it.
        'max-md:opacity-100 md:pointer-fine:absolute md:pointer-fine:end-0.5 md:pointer-fine:opacity-0',
        'group-hover:relative! group-hover:opacity-100! group-focus-within:relative! group-focus-within:opacity-100! aria-expanded:relative!',
      )}
    >
      <MenuItem icon={<Pencil />} keepsFocus onSelect={onRename}>
        {t('history.rename')}
      </MenuItem>
      <MenuItem icon={chat.pinned ? <PinOff /> : <Pin />} onSelect={() => actions.pin(chat, !chat.pinned)}>
        {t(chat.pinned ? 'history.unpin' : 'history.pin')}
      </MenuItem>
      <MenuItem icon={<Share2 />} keepsFocus onSelect={() => actions.share(chat)}>
        {t('history.share')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<Download />} onSelect={() => actions.export(chat, 'md')}>
        {t('history.exportMarkdown')}
      </MenuItem>
      <MenuItem icon={<FileBraces />} onSelect={() => actions.export(chat, 'json')}>
        {t('history.exportJson')}
      </MenuItem>
      <MenuItem icon={<Printer />} onSelect={() => actions.print(chat)}>
        {t('history.print')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={chat.archived ? <ArchiveRestore /> : <Archive />}
        keepsFocus
        onSelect={() => void actions.archive([chat._id], !chat.archived)}
      >
        {t(chat.archived ? 'history.unarchive' : 'history.archive')}
      </MenuItem>
      <MenuItem icon={<Trash2 />} danger keepsFocus onSelect={() => actions.remove(chat)}>
        {t('history.delete')}
      </MenuItem>
    </OptionsMenu>
  )
}
