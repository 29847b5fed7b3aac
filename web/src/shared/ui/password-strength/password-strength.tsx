import { useText } from '../../i18n/index.ts'
import { classNames } from '../class-names.ts'
import { strengthNames } from './strength.ts'
import { useStrength } from './use-strength.ts'

interface Props {
  /** What is in the field. */
  readonly password: string
  /** Words that a stranger would try first: the person's name and address. */
  readonly context: readonly string[]
  readonly className?: string
}

const tones = ['bg-danger', 'bg-danger', 'bg-warn', 'bg-brand', 'bg-brand'] as const

/** Says how strong a new password is and what would make it stronger, announced when typing rests. It only advises: what is accepted is the server's. */
export function PasswordStrength({ password, context, className }: Props) {
  const { t } = useText()
  const strength = useStrength(password, context)
  const score = strength?.score ?? 0
  const lit = strength === null ? 0 : Math.max(1, score)
  return (
    <div className={className}>
      <div aria-hidden="true" className="grid grid-cols-4 gap-1">
        {[1, 2, 3, 4].map((step) => (
          <span
            key={step}
            className={classNames(
              'h-1 rounded-full transition-colors forced-colors:border',
              step <= lit ? tones[score] : 'bg-line-strong',
            )}
          />
        ))}
      </div>
      {/* Two lines of room, so that no advice moves what is below. */}
      <p role="status" className="mt-1.5 min-h-10 text-sm text-ink-3">
        {strength === null ? (
          t('shared.strength.hint')
        ) : (
          <>
            <span className="font-medium text-ink-2">{t(`shared.strength.${strengthNames[strength.score]}`)}</span>
            {strength.advice && <> {t(`shared.strength.advice.${strength.advice}`)}</>}
          </>
        )}
      </p>
    </div>
  )
}
