import { TriangleAlert } from 'lucide-react'
import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/index.ts'
import { differencesOf } from '../data/differences.ts'

interface Props {
  /** The present state. */
  readonly current: unknown
  /** The state to be saved. */
  readonly mine: unknown
  readonly onKeep: () => void
  readonly onTake: () => void
}

const unedited = new Set(['version', 'usage', 'createdAt', 'updatedAt', 'updatedBy', 'users'])

/**
 * Says that another admin has changed what is being edited, and shows the differences before either is overwritten. Not to be shown during a save, while
 * a choice would be ignored.
 */
export function ConflictNotice({ current, mine, onKeep, onTake }: Props) {
  const { t } = useText()
  const differences = differencesOf(current, mine, unedited)
  const text = (value: string) => (value === '' ? t('admin.conflict.empty') : value)
  return (
    <div role="alert" className="mb-4 rounded-card bg-warn-weak px-3.5 py-3 text-sm">
      <p className="flex gap-2 font-medium text-warn">
        <TriangleAlert className="mt-0.5 size-4 shrink-0" />
        {t('admin.conflict.title')}
      </p>
      <p className="mt-1 text-ink-2">{t('admin.conflict.text')}</p>
      <ul className="mt-1.5 max-h-40 overflow-y-auto">
        {differences.map(({ path, before, after }) => (
          <li key={path} className="wrap-anywhere">
            <span className="font-medium">{path}</span>: {t('admin.conflict.theirs', { value: text(before) })} ·{' '}
            {t('admin.conflict.mine', { value: text(after) })}
          </li>
        ))}
      </ul>
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button size="small" onClick={onKeep}>
          {t('admin.conflict.keep')}
        </Button>
        <Button size="small" onClick={onTake}>
          {t('admin.conflict.take')}
        </Button>
      </div>
    </div>
  )
}
