import { useText } from '../../../shared/i18n/index.ts'
import { Button } from '../../../shared/ui/index.ts'

/** Says that a form shows unsaved changes of an earlier edit, and offers to drop them, which leaves the focus on its first field. */
export function RestoredNotice({ onDiscard }: { readonly onDiscard: () => void }) {
  const { t } = useText()
  return (
    <div
      role="status"
      className="mb-4 flex flex-wrap items-center justify-between gap-2 rounded-card bg-raised px-3.5 py-3 text-sm"
    >
      <p className="text-ink-2">{t('admin.draft.restored')}</p>
      <Button
        size="small"
        onClick={({ currentTarget }) => {
          currentTarget.form?.querySelector<HTMLElement>('input, textarea')?.focus()
          onDiscard()
        }}
      >
        {t('admin.draft.discard')}
      </Button>
    </div>
  )
}
