import { Archive, ArchiveRestore, ArrowLeft, CheckCheck, FileUp, ListChecks, Trash2, X } from 'lucide-react'
import { useText } from '../../shared/i18n/index.ts'
import { classNames, IconButton, MenuItem, OptionsMenu } from '../../shared/ui/index.ts'

const icon = 'size-4.5 shrink-0'

interface ListHeaderProps {
  /** The list of archived chats is shown. */
  readonly archived: boolean
  /** Switches to the other list. */
  readonly onOtherList: () => void
  readonly onImport: () => void
  /** Absent without chats. */
  readonly onSelect?: () => void
  readonly onClear?: () => void
}

/** Positions actions in the row of the search field: at its end, or over its full width. */
const searchRow = 'absolute end-0 top-0 h-9 pe-3 pointer-coarse:h-11'

/** The list's name and actions, at the end of the search row; archived chats have a row of their own. */
export function ListHeader({ archived, onOtherList, onImport, onSelect, onClear }: ListHeaderProps) {
  const { t } = useText()
  return (
    <div className={classNames('flex items-center', archived ? 'h-9 gap-1 ps-2.5 pe-3' : searchRow)}>
      {archived && (
        <IconButton label={t('history.archiveLeave')} size="small" autoFocus onClick={onOtherList}>
          <ArrowLeft className="size-4.5 shrink-0 rtl:-scale-x-100" />
        </IconButton>
      )}
      <h2 className={archived ? 'flex-1 text-sm font-[500] text-ink-3' : 'sr-only'}>
        {t(archived ? 'history.archiveTitle' : 'history.title')}
      </h2>
      {(!archived || onSelect) && (
        <OptionsMenu label={t('history.listOptions')} size="small">
          {onSelect && (
            <MenuItem icon={<ListChecks />} keepsFocus onSelect={onSelect}>
              {t('history.select')}
            </MenuItem>
          )}
          {!archived && (
            <>
              <MenuItem icon={<Archive />} keepsFocus onSelect={onOtherList}>
                {t('history.archiveTitle')}
              </MenuItem>
              <MenuItem icon={<FileUp />} onSelect={onImport}>
                {t('history.import')}
              </MenuItem>
            </>
          )}
          {!archived && onClear && (
            <MenuItem icon={<Trash2 />} danger keepsFocus onSelect={onClear}>
              {t('history.clear')}
            </MenuItem>
          )}
        </OptionsMenu>
      )}
    </div>
  )
}

interface SelectionBarProps {
  readonly count: number
  readonly archived: boolean
  readonly onAll: () => void
  /** Archives or unarchives the selection. */
  readonly onArchive: () => void
  readonly onDelete: () => void
  readonly onEnd: () => void
}

/** The header of the list in selection mode. */
export function SelectionBar({ count, archived, onAll, onArchive, onDelete, onEnd }: SelectionBarProps) {
  const { t } = useText()
  return (
    <div
      role="toolbar"
      aria-label={t('history.select')}
      data-in-search-row={archived ? undefined : ''}
      className={classNames('flex items-center gap-0.5 ps-5', archived ? 'h-9 pe-3' : `start-0 ${searchRow}`)}
    >
      <p role="status" className="flex-1 truncate text-sm font-medium tabular-nums">
        {t('history.selected', { count })}
      </p>
      <IconButton label={t('history.selectAll')} size="small" onClick={onAll}>
        <CheckCheck className={icon} />
      </IconButton>
      <IconButton
        label={t(archived ? 'history.unarchive' : 'history.archive')}
        size="small"
        disabled={count === 0}
        onClick={onArchive}
      >
        {archived ? <ArchiveRestore className={icon} /> : <Archive className={icon} />}
      </IconButton>
      <IconButton
        label={t('history.delete')}
        size="small"
        disabled={count === 0}
        onClick={onDelete}
        className="enabled:text-danger"
      >
        <Trash2 className={icon} />
      </IconButton>
      <IconButton label={t('history.selectDone')} size="small" autoFocus onClick={onEnd}>
        <X className={icon} />
      </IconButton>
    </div>
  )
}
