import { gapAfter, useText } from '../../shared/i18n/index.ts'
import { ConfirmDialog } from '../../shared/ui/index.ts'
import type { HistoryActions } from './use-history-actions.ts'

/** What is to be confirmed: the deletion of the selected chats, or of all. */
export type Question = 'bulk' | 'clear'

interface Props {
  readonly question: Question | null
  readonly ids: readonly string[]
  readonly actions: HistoryActions
  readonly onClose: () => void
  readonly onDone: () => void
}

/** The dialog that confirms a deletion of many chats. */
export function ListQuestions({ question, ids, actions, onClose, onDone }: Props) {
  const { t } = useText()
  const withLinks = (text: string) => `${text}${gapAfter(text)}${t('history.linksToo')}`
  const finish = (call: Promise<boolean>) => {
    onClose()
    void call.then((done) => {
      if (done) onDone()
    })
  }
  const isBulk = question === 'bulk'
  return (
    <ConfirmDialog
      open={question !== null}
      onClose={onClose}
      title={isBulk ? t('history.bulkTitle', { count: ids.length }) : t('history.clearTitle')}
      text={withLinks(isBulk ? t('history.bulkText', { count: ids.length }) : t('history.clearText'))}
      confirmLabel={t(isBulk ? 'history.delete' : 'history.clear')}
      onConfirm={() => finish(isBulk ? actions.removeMany(ids) : actions.clear())}
    />
  )
}
