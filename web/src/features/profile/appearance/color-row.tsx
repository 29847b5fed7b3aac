import type { ThemeColors } from '@parley/contracts'
import { useId, useState } from 'react'
import { useText } from '../../../shared/i18n/index.ts'
import { type ColorName, drawnThemes, fitColors, parseHex } from '../../../shared/theme/colors.ts'
import { classNames } from '../../../shared/ui/index.ts'

interface Props {
  readonly name: ColorName
  /** All four picked colours; null while the themes' own are used. */
  readonly picked: ThemeColors | null
  readonly value: string
  readonly onPick: (color: string) => void
}

/** One colour: a picker, its value as text, and the adapted colour if it would not be readable. */
export function ColorRow({ name, picked, value, onPick }: Props) {
  const { t } = useText()
  const id = useId()
  const changed = picked ? drawnThemes.filter((theme) => fitColors(picked, theme)[name] !== picked[name]) : []
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3.5 md:px-5">
      <div className="min-w-44 flex-1">
        <p id={id} className="font-medium">
          {t(`profile.colors.${name}`)}
        </p>
        <p className="text-sm text-ink-2">{t(`profile.colors.${name}.use`)}</p>
        {picked !== null && changed.length > 0 && (
          <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
            {changed.map((theme) => (
              <li key={theme} className="flex items-center gap-1.5 text-2xs text-ink-3">
                <span
                  aria-hidden="true"
                  className="size-3 rounded-full border border-line-strong forced-color-adjust-none"
                  style={{ background: fitColors(picked, theme)[name] }}
                />
                {t(`profile.colors.fitted.${theme}`)}
              </li>
            ))}
          </ul>
        )}
      </div>
      <span className="flex items-center gap-2.5">
        <input
          type="color"
          aria-labelledby={id}
          value={value}
          onChange={(event) => onPick(event.target.value)}
          className="h-11 w-12 cursor-pointer rounded-card border border-field-line bg-overlay p-1 forced-color-adjust-none [&::-webkit-color-swatch]:rounded-md [&::-webkit-color-swatch]:border-line-strong [&::-webkit-color-swatch-wrapper]:p-0"
        />
        <HexField name={name} value={value} onPick={onPick} />
      </span>
    </div>
  )
}

function HexField({ name, value, onPick }: Pick<Props, 'name' | 'value' | 'onPick'>) {
  const { t } = useText()
  // Null while it shows the colour itself.
  const [typed, setTyped] = useState<string | null>(null)
  const wrong = typed !== null && parseHex(typed) === null
  return (
    <input
      aria-label={t('profile.colors.hex', { name: t(`profile.colors.${name}`) })}
      aria-invalid={wrong || undefined}
      value={typed ?? value}
      maxLength={7}
      dir="ltr"
      spellCheck={false}
      autoComplete="off"
      onChange={({ target }) => {
        setTyped(target.value)
        const color = parseHex(target.value)
        // Three digits may be the start of six.
        if (color && target.value.replace('#', '').length === 6) onPick(color)
      }}
      onBlur={() => {
        const color = typed === null ? null : parseHex(typed)
        if (color && color !== value) onPick(color)
        setTyped(null)
      }}
      className={classNames(
        'h-11 w-24 rounded-card border bg-overlay px-3 font-mono text-sm outline-none focus:ring-3 focus:ring-brand-weak max-md:text-[1rem]',
        wrong ? 'border-danger' : 'border-field-line focus:border-brand',
      )}
    />
  )
}
