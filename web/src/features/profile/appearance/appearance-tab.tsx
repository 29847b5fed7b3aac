import { useText } from '../../../shared/i18n/index.ts'
import { chooseTextSize, textSizes, useReading } from '../../../shared/preferences/index.ts'
import { colorNames, ownColors } from '../../../shared/theme/colors.ts'
import { chooseTheme } from '../../../shared/theme/synced-theme.ts'
import { type ThemeName, useTheme } from '../../../shared/theme/theme.ts'
import { Box, Button, Choice, classNames } from '../../../shared/ui/index.ts'
import { Page, Section } from '../page.tsx'
import { SaveState, useSaving } from '../save-state.tsx'
import type { ProfilePaths } from '../section-list.tsx'
import { ColorRow } from './color-row.tsx'
import { presets } from './presets.ts'
import { Preview } from './preview.tsx'
import { useColors } from './use-colors.ts'

const themes = ['system', 'delgdark', 'delglight'] as const satisfies readonly ThemeName[]

/** `/profile/appearance`: the theme and the four colours, applied everywhere as they are chosen. */
export function AppearanceTab({ paths }: { paths: ProfilePaths }) {
  const { t } = useText()
  const theme = useTheme((state) => state.name)
  const textSize = useReading((state) => state.textSize)
  const { state, run } = useSaving()
  const { picked, shown, change, set } = useColors((work) => void run(work))
  return (
    <Page title={t('profile.tab.appearance')} paths={paths}>
      <Section title={t('account.theme')} aside={<SaveState state={state} />}>
        <fieldset className="grid grid-cols-3 gap-3">
          <legend className="sr-only">{t('account.theme')}</legend>
          {themes.map((name) => (
            <ThemeChoice key={name} name={name} checked={theme === name} onChoose={() => void run(chooseTheme(name))} />
          ))}
        </fieldset>
      </Section>
      <Section title={t('profile.textSize.title')} lead={t('profile.textSize.lead')}>
        <Choice
          label={t('profile.textSize.title')}
          options={textSizes.map((name) => ({ name, text: t(`profile.textSize.${name}`) }))}
          value={textSize}
          onChange={chooseTextSize}
        />
      </Section>
      <Section
        title={t('profile.colors.title')}
        lead={t('profile.colors.lead')}
        aside={
          <Button size="small" disabled={picked === null} onClick={() => change(null)}>
            {t('profile.colors.reset')}
          </Button>
        }
      >
        <div className="flex flex-col gap-4">
          <ul aria-label={t('profile.colors.presets')} className="flex flex-wrap gap-2">
            {presets.map(({ name, colors }) => (
              <li key={name}>
                <button
                  type="button"
                  aria-pressed={JSON.stringify(colors) === JSON.stringify(picked)}
                  onClick={() => change(colors)}
                  className="target flex h-9 items-center gap-2 rounded-full border border-line-strong ps-2.5 pe-3.5 text-sm hover:bg-hover aria-pressed:border-brand aria-pressed:bg-brand-weak pointer-coarse:h-11"
                >
                  <Dots colors={colors ?? shownOwn} />
                  {t(`profile.colors.preset.${name}`)}
                </button>
              </li>
            ))}
          </ul>
          <Box className="divide-y divide-line">
            {colorNames.map((name) => (
              <ColorRow
                key={name}
                name={name}
                picked={picked}
                value={shown[name]}
                onPick={(color) => set(name, color)}
              />
            ))}
          </Box>
          <div className="grid grid-cols-1 gap-3 md:grid-cols-2">
            <Preview theme="delgdark" />
            <Preview theme="delglight" />
          </div>
        </div>
      </Section>
    </Page>
  )
}

const shownOwn = ownColors.delgdark

function Dots({ colors }: { colors: Readonly<Record<(typeof colorNames)[number], string>> }) {
  return (
    <span aria-hidden="true" className="flex -space-x-1">
      {colorNames.slice(0, 3).map((name) => (
        <span
          key={name}
          className="size-3.5 rounded-full border border-line-strong forced-color-adjust-none"
          style={{ background: colors[name] }}
        />
      ))}
    </span>
  )
}

function ThemeChoice({ name, checked, onChoose }: { name: ThemeName; checked: boolean; onChoose: () => void }) {
  const { t } = useText()
  const halves = name === 'system' ? (['delgdark', 'delglight'] as const) : ([name] as const)
  return (
    <label
      className={classNames(
        'cursor-pointer rounded-card border p-2 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand',
        checked ? 'border-brand bg-brand-weak' : 'border-line-strong hover:bg-hover',
      )}
    >
      <span aria-hidden="true" className="flex h-14 overflow-hidden rounded-row border border-line md:h-18">
        {halves.map((half) => (
          <span key={half} data-theme={half} className="flex flex-1 flex-col justify-end gap-1.5 bg-page p-2 md:p-2.5">
            <span className="h-1.5 w-3/4 rounded-full bg-ink-3" />
            <span className="h-1.5 w-1/2 rounded-full bg-brand" />
          </span>
        ))}
      </span>
      <span className="mt-2 flex items-center gap-2 px-1 pb-0.5">
        <input
          type="radio"
          name="theme"
          checked={checked}
          onChange={onChoose}
          className="size-4 accent-brand outline-none"
        />
        <span className="truncate text-sm font-medium">{t(`account.theme.${name}`)}</span>
      </span>
    </label>
  )
}
