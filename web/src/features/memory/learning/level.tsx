import type { MemoryProfile } from '@parley/contracts'
import { useText } from '../../../shared/i18n/index.ts'
import { classNames } from '../../../shared/ui/index.ts'

const levels = [
  'beginner',
  'intermediate',
  'advanced',
  'expert',
] as const satisfies readonly MemoryProfile['learningLevel'][]

/** The learning level, as steps. */
export function Level({ level }: { level: MemoryProfile['learningLevel'] }) {
  const { t } = useText()
  const reached = levels.indexOf(level)
  return (
    <div>
      <p className="mb-1.5 flex justify-between gap-3 text-sm">
        <span className="text-ink-2">{t('memory.learning.level')}</span>
        <span className="font-medium">{t(`memory.level.${level}`)}</span>
      </p>
      <div aria-hidden="true" className="grid grid-cols-4 gap-1">
        {levels.map((name, step) => (
          <span key={name} className={classNames('h-2 rounded-full', step <= reached ? 'bg-brand' : 'bg-active')} />
        ))}
      </div>
    </div>
  )
}
