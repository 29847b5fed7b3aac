import { TriangleAlert } from 'lucide-react'
import { useText } from '../../../../shared/i18n/index.ts'
import { Button } from '../../../../shared/ui/index.ts'
import type { ModelSelection } from '../../chat-models.ts'
import type { DraftExtras } from '../draft-extras.ts'
import { readerOf } from './attachment-rules.ts'

/** Says that the model cannot read the files, and offers the cheapest one that can. */
export function ModelSwitch({ model, models, choose, attachments }: ModelSelection & Pick<DraftExtras, 'attachments'>) {
  const { t } = useText()
  const reader = readerOf(models, attachments)
  return (
    <div
      role="alert"
      className="mx-3 mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 rounded-card bg-warn-weak px-3 py-2 text-sm"
    >
      <TriangleAlert className="size-4 shrink-0 text-warn" />
      <span className="min-w-0 flex-1 basis-40">
        {t('composer.switch.text', { model: model?.name ?? '' })} {!reader && t('composer.switch.none')}
      </span>
      {reader && (
        <Button size="small" onClick={() => choose(reader.id)}>
          {t('composer.switch.action', { model: reader.name })}
          <span className="text-ink-2">{t('models.picker.price', { count: reader.creditsPerMessage })}</span>
        </Button>
      )}
    </div>
  )
}
