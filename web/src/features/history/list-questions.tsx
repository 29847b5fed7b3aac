import { gapAfter } from '../../shared/gap-after.ts'
import { useText } from '../../shared/i18n/index.ts'
import { ConfirmDialog } from '../../shared/ui/index.ts'
import type { HistoryActions } from './use-history-actions.ts'

/** What is to be confirmed: the deletion of the selected chats, or of all. */
export type Question = 'bulk' | 'clear'

interface Props {
  readonly question: Question | null
  /** Ids of the selected chats. */
  readonly ids: readonly string[]
  readonly actions: HistoryActions
  readonly onClose: () => void
  readonly onDone: () => void
}

/** The dialogs that confirm a deletion of many chats. */
export function ListQuestions({ question, ids, actions, onClose, onDone }: Props) {
  const { t } = useText()
  const withLinks = (text: string) => `${text}${gapAfter(text)}${t('history.linksToo')}`
  const finish = (call: Promise<boolean>) => {
    onClose()
    void call.then((done) => {
      if (done) onDone()
    })
  }
  return (
    <>
      <ConfirmDialog
        open={question === 'bulk'}
        onClose={onClose}
        title={t('history.bulkTitle', { count: ids.length })}
        text={withLinks(t('history.bulkText', { count: ids.length }))}
        confirmLabel={t('history.delete')}
        onConfirm={() => finish(actions.removeMany(ids))}
      />
      <ConfirmDialog
        open={question === 'clear'}
        onClose={onClose}
        title={t('history.clearTitle')}
        text={withLinks(t('history.clearText'))}
        confirmLabel={t('history.clear')}
        onConfirm={() => finish(actions.clear())}
      />
    </>
  )
}
