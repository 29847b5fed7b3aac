import { gapAfter, useText } from '../../i18n/index.ts'
import { classNames } from '../class-names.ts'
import { strengthNames } from './strength.ts'
import { useStrength } from './use-strength.ts'

interface Props {
  /** The field's value. */
  readonly password: string
  /** Words that an attacker would try first: the user's name and address. */
  readonly context: readonly string[]
  readonly className?: string
}

const tones = ['bg-danger', 'bg-danger', 'bg-warn', 'bg-brand', 'bg-brand'] as const

/** Shows the strength of a new password with advice, announced when typing pauses. Advisory only: the server decides what it accepts. */
export function PasswordStrength({ password, context, className }: Props) {
  const { t } = useText()
  const strength = useStrength(password, context)
  const score = strength?.score ?? 0
  const name = t(`shared.strength.${strengthNames[score]}`)
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
      {/* Reserves two lines, so that advice does not shift the layout. */}
      <p role="status" className="mt-1.5 min-h-10 text-sm text-ink-3">
        {strength === null ? (
          t('shared.strength.hint')
        ) : (
          <>
            <span className="font-medium text-ink-2">{name}</span>
            {strength.advice && `${gapAfter(name)}${t(`shared.strength.advice.${strength.advice}`)}`}
          </>
        )}
      </p>
    </div>
  )
}
