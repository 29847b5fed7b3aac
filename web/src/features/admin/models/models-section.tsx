import type { Model } from '@parley/contracts'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'
import { useText } from '../../../shared/i18n/index.ts'
import { Page } from '../frame/page.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { ModelForm } from './model-form.tsx'
import { ModelList } from './model-list.tsx'
import { modelsQuery } from './model-queries.ts'
import { newModelPath, newModelValues, valuesOf } from './model-values.ts'

/** `/admin/models`: the registry; below it a form for each model, and one for a new model. */
export function ModelsSection({ rest }: { rest: string }) {
  const { t } = useText()
  const models = useQuery(modelsQuery)
  if (rest === '') return <ModelList query={models} />
  const name = models.data?.find(({ id }) => id === rest)?.name ?? rest
  const title = rest === newModelPath ? t('registry.new') : name
  return (
    <Page title={title}>
      <Loaded query={models} failed={t('registry.failed')}>
        {(all) => <OpenForm key={rest} id={rest} models={all} />}
      </Loaded>
    </Page>
  )
}

function OpenForm({ id, models }: { id: string; models: readonly Model[] }) {
  const { t } = useText()
  const [search] = useSearchParams()
  if (id === newModelPath) {
    const source = models.find((model) => model.id === search.get('copy'))
    const initial = source
      ? { ...valuesOf(source), id: '', name: t('registry.copyName', { name: source.name }) }
      : newModelValues
    return <ModelForm initial={initial} saved={null} models={models} />
  }
  const saved = models.find((model) => model.id === id)
  if (!saved) return <p className="text-ink-2">{t('registry.notFound')}</p>
  return <ModelForm initial={valuesOf(saved)} saved={saved} models={models} />
}
