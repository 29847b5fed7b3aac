import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { isModified } from '../../shared/keyboard/is-modified.ts'
import { classNames } from '../../shared/ui/index.ts'
import { codeLength, enterDigits, eraseDigit } from './code.ts'

interface Props {
  readonly boxes: readonly string[]
  readonly onChange: (boxes: string[]) => void
  readonly invalid: boolean
  readonly describedBy: string
  /** Each change moves the focus to the first box. */
  readonly focusKey: number
}

/** Six boxes for one code: typing moves on, Backspace moves back, a pasted code fills all. */
export function CodeBoxes({ boxes, onChange, invalid, describedBy, focusKey }: Props) {
  const { t } = useText()
  const group = useRef<HTMLFieldSetElement>(null)
  const focusBox = (index: number) => group.current?.querySelectorAll('input')[index]?.focus()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the trigger
  useEffect(() => group.current?.querySelector('input')?.focus(), [focusKey])
  const apply = (change: { boxes: string[]; next: number }) => {
    onChange(change.boxes)
    focusBox(change.next)
  }
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    const step = isModified(event) ? undefined : { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step !== undefined) focusBox(Math.min(codeLength - 1, Math.max(0, index + step)))
    else if (event.key === 'Backspace') apply(eraseDigit(boxes, index))
    else return
    event.preventDefault()
  }
  return (
    <fieldset ref={group} className="mb-1.5">
      <legend className="mb-1.5 text-sm font-medium">{t('auth.verify.code')}</legend>
      <div dir="ltr" className="grid grid-cols-6 gap-2">
        {boxes.map((digit, index) => (
          <input
            // biome-ignore lint/suspicious/noArrayIndexKey: a box is its place
            key={index}
            value={digit}
            inputMode="numeric"
            autoComplete={index === 0 ? 'one-time-code' : 'off'}
            aria-label={t('auth.verify.digit', { position: index + 1, count: codeLength })}
            aria-invalid={invalid || undefined}
            aria-describedby={describedBy}
            onFocus={(event) => event.target.select()}
            onKeyDown={(event) => onKeyDown(event, index)}
            onPaste={(event) => {
              event.preventDefault()
              apply(enterDigits(boxes, index, event.clipboardData.getData('text')))
            }}
            onChange={(event) => {
              // Typing into a filled box yields its old digit, too, on either side.
              const typed = event.target.value.length === 2 ? event.target.value.replace(digit, '') : event.target.value
              apply(enterDigits(boxes, index, typed))
            }}
            className={classNames(
              'h-12 w-full rounded-card border bg-overlay text-center text-xl font-semibold tabular-nums outline-none',
              'focus:border-brand focus:ring-3 focus:ring-brand-weak',
              invalid ? 'border-danger' : 'border-field-line',
            )}
          />
        ))}
      </div>
    </fieldset>
  )
}
